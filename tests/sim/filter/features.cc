/* C++: constructors, virtual functions, templates, functions of the same name. */
#include "features.h"

namespace {

struct shape {
	int n;
	explicit shape(int n) : n(n) { say("shape", n); }
	virtual ~shape() { say("no shape", n); }
	virtual int area(int x) const { return n * x; }
};

struct square : shape {
	explicit square(int n) : shape(n + 1) {}
	~square() override { say("no square", n); }
	int area(int x) const override { return shape::area(x) + n * n; }
};

struct early {
	int value;
	early() : value(41 + zero) {}
} before_main;

template<class T> NOINLINE T largest(T a, T b)
{
	return a < b ? b : a;
}

template<int N> NOINLINE int steps(int x)
{
	return steps<N - 1>(x + N) + 1;
}

template<> NOINLINE int steps<0>(int x)
{
	return x;
}

NOINLINE int measure(const shape &s)
{
	return s.area(seven);
}

/* There is one in features.c. */
NOINLINE int leaf(int x)
{
	return x + seven;
}

}

extern "C" void features_cc(void)
{
	shape a(3);
	square b(4);

	say("areas", measure(a) + measure(b));
	say("largest", largest(3, seven) + largest<long>(5, 4) + largest<char>(1, 2));
	say("steps", steps<5>(3) + leaf(2));
	say("early", before_main.value);
}
