/* pace: see pace.h. */
#include "core/wire/power/pace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EVEN 0.01
#define ROUND 0.005
#define HZ_LEAST 1e-6
#define HZ_MOST 1e8
#define INDEX_MOST 1e15

static int number_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* To two digits, where that is near. */
static double rate_round(double hz)
{
	double step = pow(10, floor(log10(hz)) - 1), round_hz = round(hz / step) * step;

	return fabs(round_hz / hz - 1) < ROUND ? round_hz : hz;
}

double pace_rate(const double *times, size_t n, bool last)
{
	double distances[PACE_MOST], sorted[PACE_MOST], median, sum = 0, hz;
	bool even = true;
	size_t near = 0;

	if (n < 2 || (n < PACE_FEW && !last))
		return 0;
	for (size_t i = 0; i + 1 < n; i++)
		distances[i] = times[i + 1] - times[i];
	memcpy(sorted, distances, (n - 1) * sizeof(*sorted));
	qsort(sorted, n - 1, sizeof(*sorted), number_compare);
	median = sorted[(n - 1) / 2];
	for (size_t i = 0; i + 1 < n; i++) {
		even &= fabs(distances[i] - median) <= EVEN * median;
		if (distances[i] < median / 2 || distances[i] > median * 1.5)
			continue;
		sum += distances[i];
		near++;
	}
	if (!even && n < PACE_MOST && !last)
		return 0;
	/* Times coarser than the samples: several have the same one. */
	hz = median > 0 ? (double)near / sum : (double)(n - 1) / (times[n - 1] - times[0]);
	return hz > HZ_LEAST && hz < HZ_MOST ? rate_round(hz) : 0;
}

enum pace_kind pace_take(struct pace *p, double time, uint64_t *index)
{
	double at, ahead;

	if (!p->begun) {
		p->begun = true;
		p->zero = time - (double)p->next / p->hz;
	}
	at = (time - p->zero) * p->hz;
	ahead = at - (double)p->next;
	*index = p->next;
	if (ahead < -1 - p->hz || !(at < INDEX_MOST)) {
		p->zero = time - (double)p->next / p->hz;
		p->next++;
		return PACE_AGAIN;
	}
	if (ahead < -1.5) {
		*index = p->next - 1;
		return PACE_SAME;
	}
	if (ahead > 1.5) {
		*index = (uint64_t)llround(at);
		p->next = *index + 1;
		return PACE_LATE;
	}
	p->next++;
	return PACE_NEXT;
}
