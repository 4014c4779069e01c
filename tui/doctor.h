/*
 * doctor: `wsntop doctor -e APP.ELF...`: what is wrong with images for profiling, as text.
 */
#ifndef WSNTOP_TUI_DOCTOR_H
#define WSNTOP_TUI_DOCTOR_H

/*
 * argv[0] is "doctor". The exit status: 0 no fault; 1 a fault, or an image that cannot be read; 2
 * bad usage.
 */
int doctor_main(int argc, char **argv);

#endif
