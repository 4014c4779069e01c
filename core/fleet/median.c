#include "core/fleet/median.h"

#include <math.h>

static void numbers_swap(double *a, double *b)
{
	double kept = *a;

	*a = *b;
	*b = kept;
}

/* The k-th smallest stands at k then, smaller ones before it. */
static double select_at(double *v, size_t n, size_t k)
{
	size_t low = 0, high = n - 1;

	while (low < high) {
		double pivot = v[low + (high - low) / 2];
		size_t i = low, j = high;

		for (;;) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i >= j)
				break;
			numbers_swap(&v[i++], &v[j--]);
		}
		if (k <= j)
			high = j;
		else
			low = j + 1;
	}
	return v[k];
}

double median_select(double *v, size_t n)
{
	double high = select_at(v, n, n / 2), low;

	if (n % 2)
		return high;
	low = v[0];
	for (size_t i = 1; i < n / 2; i++)
		low = fmax(low, v[i]);
	return (low + high) / 2;
}
