/*
 * chance: how far a figure may be off by chance: quantiles of the normal distribution and of
 * Student's t, computed, not from tables.
 *
 * Student's t by the regularized incomplete beta function (Abramowitz, Stegun 1964, 26.7.1), that
 * one by its continued fraction (26.5.8) as Lentz (1976) evaluates it. Quantiles are found by
 * halving, to the last digits of a double.
 */
#ifndef WSNTOP_FLEET_CHANCE_H
#define WSNTOP_FLEET_CHANCE_H

/* I_x(a, b), 0 to 1. a, b above 0, x from 0 to 1. */
double chance_beta(double a, double b, double x);

/* That |t| is so large or larger by chance, `freedom` above 0 degrees of it, whole or not. */
double chance_student(double t, double freedom);

/* The |t|, or |z|, which is reached with probability p: 0 < p < 1, both sides together. */
double chance_student_at(double p, double freedom);
double chance_normal_at(double p);

#endif
