/*
 * The ten most expensive functions of a node, and who calls the first of them; its profile as JSON.
 *
 *	cc top.c $(pkg-config --cflags --libs wsntop)
 *	./a.out /dev/ttyUSB0 app.elf 10
 */
#include <stdio.h>
#include <stdlib.h>
#include <wsntop.h>

static void function_print(struct wsntop_node *n, size_t i)
{
	struct wsntop_function f;

	if (wsntop_function(n, i, &f, sizeof(f)) == 0)
		printf("%-30s %12.6f s %10llu calls\n", f.name, f.self_s,
		       (unsigned long long)f.calls);
}

static void callers_print(struct wsntop_node *n, size_t callee)
{
	struct wsntop_edge e;

	for (size_t i = 0; wsntop_edge(n, i, &e, sizeof(e)) == 0; i++)
		if (e.callee == callee && e.caller != WSNTOP_NONE)
			function_print(n, e.caller);
}

static int node_print(struct wsntop_node *n)
{
	size_t top[10];
	long count;

	if (wsntop_compute(n) < 0)
		return -1;
	count = wsntop_order(n, (size_t)wsntop_column("self"), top, 10);
	printf("%s: %ld functions\n", wsntop_node_name(n), count);
	for (long i = 0; i < count && i < 10; i++)
		function_print(n, top[i]);
	if (count > 0) {
		printf("callers of the first:\n");
		callers_print(n, top[0]);
	}
	return wsntop_export(n, "json", "top.json");
}

int main(int argc, char **argv)
{
	struct wsntop *w = wsntop_new();
	int failed = !w || argc < 2 ||
		     wsntop_open(w, argv[1], argc > 2 ? argv[2] : NULL) < 0 ||
		     wsntop_run(w, argc > 3 ? atof(argv[3]) : 0) < 0 ||
		     node_print(wsntop_node(w, 0)) < 0;

	if (failed)
		fprintf(stderr, "top: %s\n", w && argc > 1 ? wsntop_error(w) :
							     "usage: top SOURCE [ELF [SECONDS]]");
	wsntop_free(w);
	return failed;
}
