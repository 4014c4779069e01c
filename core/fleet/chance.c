#include "core/fleet/chance.h"

#include <float.h>
#include <math.h>

enum { TERMS = 1000, HALVINGS = 200 };

#define TINY 1e-300

static double away_from_zero(double x)
{
	return fabs(x) < TINY ? TINY : x;
}

/* 26.5.8, for x below (a + 1) / (a + b + 2), where it converges in some 10 to 100 terms. */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), h = d;

	for (int m = 1; m < TERMS; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 / away_from_zero(1 + even * d);
		c = away_from_zero(1 + even / c);
		h *= d * c;
		d = 1 / away_from_zero(1 + odd * d);
		c = away_from_zero(1 + odd / c);
		step = d * c;
		h *= step;
		if (fabs(step - 1) < 4 * DBL_EPSILON)
			break;
	}
	return h;
}

double chance_beta(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double chance_student(double t, double freedom)
{
	return chance_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

static double normal_of(double z, double unused)
{
	(void)unused;
	return erfc(z / sqrt(2));
}

/* `chance` falls as its first argument grows. */
static double quantile_find(double (*chance)(double at, double with), double with, double p)
{
	double low = 0, high = 1;

	while (chance(high, with) > p && high < 1e150)
		high *= 2;
	for (int i = 0; i < HALVINGS && high - low > DBL_EPSILON * high; i++) {
		double mid = (low + high) / 2;

		if (chance(mid, with) > p)
			low = mid;
		else
			high = mid;
	}
	return (low + high) / 2;
}

double chance_student_at(double p, double freedom)
{
	return quantile_find(chance_student, freedom, p);
}

double chance_normal_at(double p)
{
	return quantile_find(normal_of, 0, p);
}
