/* The shapes of code that a compiler writes, each called often enough to be wrong. */
#include "features.h"

#include <stdarg.h>
#include <stdint.h>

volatile int zero = 0, seven = 7;
typedef int (*function)(int);

static NOINLINE int leaf(int x)
{
	return x * 3 + 1;
}

NOINLINE int recursive(int x)
{
	return x <= 0 ? 1 : recursive(x - 1) + leaf(x);
}

NOINLINE int tail(int x)
{
	seven = 7;
	return leaf(x + zero);
}

/* A tail call to itself, with a call before it, so that it stays one. */
NOINLINE int tail_self(int n, int sum)
{
	if (n == 0)
		return leaf(sum);
	return tail_self(n - 1, sum + leaf(n));
}

NOINLINE int even(unsigned n);
NOINLINE int odd(unsigned n)
{
	return n == 0 ? zero : even(n - 1);
}

NOINLINE int even(unsigned n)
{
	return n == 0 ? 1 : odd(n - 1);
}

static NOINLINE int add(int x)
{
	return x + 2;
}

static NOINLINE int twice(int x)
{
	return leaf(x) + leaf(x + 1);
}

static function volatile table[] = { leaf, add, twice, recursive };

NOINLINE int indirect(int i, int x)
{
	return table[i & 3](x) + 1;
}

NOINLINE int indirect_tail(int i, int x)
{
	return table[i & 3](x);
}

NOINLINE int indirect_tail_saving(int i, int x)
{
	int y = leaf(x);

	return table[i & 3](y & 15);
}

NOINLINE int switched(int x)
{
	switch (x) {
	case 0: return leaf(1) + 1;
	case 1: return 7;
	case 2: return leaf(x) + 9;
	case 3: return twice(3);
	case 4: return 77;
	case 5: seven = 7; return leaf(zero);
	case 6: return -1;
	case 7: return recursive(3);
	case 8: return 9 + add(3);
	case 9: return zero;
	case 10: return tail(4);
	case 11: return 5;
	}
	return -9;
}

NOINLINE int switched_inside(int x)
{
	int sum = 0;

	for (int i = 0; i < 9; i++)
		switch ((x + i) & 7) {
		case 0: sum += leaf(i); break;
		case 1: sum ^= 3; break;
		case 2: sum -= add(i); break;
		case 3: sum += 17; break;
		case 4: if (sum > 1000) return sum; break;
		case 5: sum += twice(i); break;
		case 6: sum <<= 1; break;
		default: sum += i;
		}
	return sum;
}

NOINLINE int gotos(const unsigned char *program)
{
	static const void *const to[] = { &&stop, &&more, &&less, &&call };
	int sum = 0;

	goto *to[*program++];
more:
	sum += 5;
	goto *to[*program++];
less:
	sum -= 2;
	goto *to[*program++];
call:
	sum = leaf(sum);
	goto *to[*program++];
stop:
	return sum;
}

NOINLINE int various(int n, ...)
{
	va_list ap;
	int sum = 0;

	va_start(ap, n);
	while (n--)
		sum += leaf(va_arg(ap, int));
	va_end(ap);
	return sum;
}

NOINLINE int various_leaf(int n, ...)
{
	va_list ap;
	int sum = 0;

	va_start(ap, n);
	while (n--)
		sum += va_arg(ap, int);
	va_end(ap);
	return sum;
}

NOINLINE int early(int x, int *p)
{
	if (x & 4)
		return 3;
	if (*p == x)
		return leaf(x) + 1;
	*p = x;
	if (x & 2)
		return 8;
	leaf(x);
	return recursive(2) + *p;
}

NOINLINE void early_void(unsigned char x)
{
	if (x & 2)
		return;
	leaf(x);
	if (x & 8)
		leaf(x + 1);
}

/* A skip over one instruction, a call or a return. */
NOINLINE void skipping(volatile unsigned char *p)
{
	if (*p & 4)
		early_void(*p);
}

NOINLINE void skipping_not(volatile unsigned char *p)
{
	if (!(*p & 4))
		early_void(*p);
}

NOINLINE unsigned char skipped(unsigned char x)
{
	if (x & 128)
		x++;
	return x;
}

/* Conditional returns: IT blocks in Thumb-2. */
NOINLINE int clamp(int x, int low, int high)
{
	if (x < low)
		return leaf(low);
	if (x > high)
		return high;
	return x;
}

NOINLINE int conditional(int *p, int n)
{
	int x = leaf(n);

	if (!p)
		return x;
	*p += x;
	if (*p > 100)
		return *p;
	return add(*p);
}

struct large {
	int v[9];
};

NOINLINE struct large structure(int x)
{
	struct large l;

	for (int i = 0; i < 9; i++)
		l.v[i] = leaf(x + i);
	return l;
}

NOINLINE int on_stack(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j)
{
	return leaf(a + 2 * b + 3 * c + 4 * d + 5 * e) + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}

NOINLINE int variable(int n)
{
	volatile int v[n];

	for (int i = 0; i < n; i++)
		v[i] = leaf(i);
	return v[n - 1];
}

NOINLINE long long wide(long long a, long long b)
{
	return a * b / (b + 3) + (a >> (b & 31));
}

NOINLINE long long wide_calls(long long a, long long b)
{
	return wide(a, b) + leaf((int)a);
}

NOINLINE float real(float a, float b)
{
	return a * b + a / b;
}

NOINLINE float real_calls(float a, float b)
{
	return real(a, b) + (float)leaf(3) + real(b, a);
}

NOINLINE uint32_t pools(uint32_t x)
{
	x = x * 0x12345671u + 0x89abcdefu;
	x ^= (uint32_t)leaf((int)(x & 15)) * 0x01234567u;
	x += 0x76543211u;
	return x ^ 0x55aa1234u;
}

/* Far from its stubs: more than 4 KB of code, left at many places. */
#define STEP(n)	x = x * 5 + (n) * 0x1357; if ((x & 31) == (n) % 32) return leaf(n) + (int)x; \
		if ((x & 0x1ff) == 0x100 + (n)) return (int)(x >> 3); y ^= x; x += (uint32_t)leaf((int)(x & 3));
#define STEPS(n) STEP(n) STEP(n + 1) STEP(n + 2) STEP(n + 3) STEP(n + 4) STEP(n + 5) STEP(n + 6) \
		STEP(n + 7) STEP(n + 8) STEP(n + 9)
NOINLINE int far(uint32_t x)
{
	uint32_t y = x;

	STEPS(0) STEPS(10) STEPS(20) STEPS(30) STEPS(40) STEPS(50)
	return (int)y;
}

/* Not expected: gcc may put it into another section. */
NOINLINE int cold(int x)
{
	if (__builtin_expect(x == 77, 0)) {
		say("cold", x);
		if (leaf(x) > 3)
			return recursive(4);
		return 2;
	}
	return leaf(x) + 1;
}

NOINLINE int quiet(int x)
{
	__asm__ volatile("/* wsntrace quiet */");
	return x + zero;
}

/* Inline assembly with a subroutine of its own, and a label to jump to. */
NOINLINE int inlined_assembly(int x)
{
#ifdef __AVR__
	__asm__ volatile("sbrc %A0, 0\n\trjmp 1f\n\tsubi %A0, lo8(-(2))\n1:" : "+d"(x));
#else
	__asm__ volatile("cmp %0, #3\n\tbne 1f\n\tnop\n1:" : "+r"(x) : : "cc");
#endif
	return leaf(x);
}

static int sum_of(int (*f)(int), int from, int to)
{
	int sum = 0;

	for (int i = from; i < to; i++)
		sum += f(i);
	return sum;
}

static void calls_say(void)
{
	static const unsigned char program[] = { 1, 1, 3, 2, 3, 1, 2, 0 };
	int x = 5;

	say("recursive", recursive(9));
	say("tail", sum_of(tail, 0, 9));
	say("tail_self", tail_self(12, 1));
	say("even", even(13) + 2 * even(8) + 4 * odd(5));
	for (int i = 0; i < 4; i++) {
		say("indirect", indirect(i, i + 3));
		say("indirect_tail", indirect_tail(i, i + 4));
		say("indirect_saving", indirect_tail_saving(i, i));
	}
	for (int i = -1; i < 13; i++)
		say("switched", switched(i));
	say("inside", sum_of(switched_inside, 0, 9));
	say("gotos", gotos(program));
	say("various", various(4, 1, 2, 3, 4) + various_leaf(3, 5, 6, 7));
	for (int i = 0; i < 8; i++)
		say("early", early(i, &x));
}

static void values_say(void)
{
	struct large l = structure(3);
	volatile unsigned char flags;
	int x = 40;

	for (int i = 0; i < 16; i++) {
		flags = (unsigned char)i;
		skipping(&flags);
		skipping_not(&flags);
	}
	say("skipped", skipped(3) + 256 * skipped(200));
	say("clamp", clamp(3, 5, 9) + 10 * clamp(7, 5, 9) + 100 * clamp(12, 5, 9));
	say("conditional", conditional(&x, 3) + conditional(&x, 30) + conditional(0, 2));
	say("structure", l.v[0] + l.v[8]);
	say("stack", on_stack(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
	say("variable", variable(9));
	say("wide", (long)wide_calls(123456789012LL, 34567) & 0x7fffffff);
	say("real", (long)(real_calls(3.5f, 2.25f) * 1000));
	say("pools", (long)(pools(99) & 0x7fffffff));
	for (uint32_t i = 0; i < 40; i++)
		say("far", far(i * 977));
	say("cold", cold(3) + cold(77) + cold(4));
	say("quiet", quiet(4) + sum_of(inlined_assembly, 0, 5));
	say("assembly", from_assembly(20));
}

void features_c(void)
{
	calls_say();
	values_say();
}
