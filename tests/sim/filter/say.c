/* Compiled without the filter. */
#include "features.h"

void say(const char *name, long value)
{
	char digits[12];
	int n = 0;
	unsigned long v = value < 0 ? -(unsigned long)value : (unsigned long)value;

	while (*name)
		put(*name++);
	put(' ');
	if (value < 0)
		put('-');
	do
		digits[n++] = (char)('0' + v % 10);
	while ((v /= 10) != 0 && n < 11);
	while (n)
		put(digits[--n]);
	put('\n');
}

void __attribute__((weak)) operator_delete(void *p) __asm__("_ZdlPv");
void operator_delete(void *p)
{
	(void)p;
}

void __attribute__((weak)) operator_delete_sized(void *p, unsigned n) __asm__("_ZdlPvj");
void operator_delete_sized(void *p, unsigned n)
{
	(void)p;
	(void)n;
}

int __attribute__((weak)) __cxa_atexit(void (*f)(void *), void *p, void *d);
int __cxa_atexit(void (*f)(void *), void *p, void *d)
{
	(void)f, (void)p, (void)d;
	return 0;
}
void *__dso_handle;
void __cxa_pure_virtual(void);
void __cxa_pure_virtual(void)
{
}
