/*
 * The ten functions that a node spends most time in; its profile as JSON.
 *
 *	cc top.c $(pkg-config --cflags --libs wsntop)
 *	./a.out /dev/ttyUSB0 app.elf 10
 */
#include <stdio.h>
#include <stdlib.h>
#include <wsntop.h>

static long node_print(struct wsntop_node *n)
{
	struct wsntop_function top[10];
	long count = wsntop_top(n, "self", top, sizeof(top[0]), 10);

	if (count < 0)
		return count;
	printf("%s: %ld functions\n", wsntop_node_name(n), count);
	for (long i = 0; i < count && i < 10; i++)
		printf("%-30s %12.6f s %10llu calls\n", top[i].name, top[i].self_s,
		       (unsigned long long)top[i].calls);
	return wsntop_export(n, "json", "top.json");
}

int main(int argc, char **argv)
{
	struct wsntop *w = wsntop_new();
	const char *elf = argc > 2 ? argv[2] : NULL;
	double seconds = argc > 3 ? atof(argv[3]) : 0;	/* 0: until it ends */
	struct wsntop_node *n = NULL;
	int good = w && argc > 1 && wsntop_open(w, argv[1], elf) == 0 &&
		   wsntop_run(w, seconds) == 0 && (n = wsntop_node(w, 0)) && node_print(n) == 0;

	if (!good)
		fprintf(stderr, "top: %s\n", w && argc > 1 ? wsntop_error(w) :
				"usage: top SOURCE [ELF [SECONDS]]");
	wsntop_free(w);
	return !good;
}
