/*
 * copy_wrap: what --wrap calls instead of the library's functions. Instrumented, so they get rows.
 */
#include <stddef.h>

void *__real_memcpy(void *to, const void *from, size_t n);
void *__real_memset(void *to, int value, size_t n);
void *__real_memmove(void *to, const void *from, size_t n);

void *__wrap_memcpy(void *to, const void *from, size_t n);
void *__wrap_memset(void *to, int value, size_t n);
void *__wrap_memmove(void *to, const void *from, size_t n);

void *__wrap_memcpy(void *to, const void *from, size_t n)
{
	return __real_memcpy(to, from, n);
}

void *__wrap_memset(void *to, int value, size_t n)
{
	return __real_memset(to, value, n);
}

void *__wrap_memmove(void *to, const void *from, size_t n)
{
	return __real_memmove(to, from, n);
}
