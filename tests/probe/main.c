/*
 * A Cortex-M3 behind a debug probe:
 *
 *	m3 [-e ELF] [-a ASLEEP] [-f FAULT]... [-s SWO_BAUD] [-r RTT_BYTES_PER_SECOND]
 *	   [-w ADDRESS,SIZE,PERIOD_US,BELOW,PC]... [-c ENTRY,RETURN,PERIOD_US,TAKES_US]... TRUTH
 *
 * TRUTH: a file of sim/cortexm/run, whose `pc` lines say how often each instruction ran. Says
 * "bitbang PORT" and, with -s, "swo PORT" on stdout, both on localhost; each register that is
 * written on stderr. -w: a variable that is written, -c: a function that is called, see m3.h;
 * addresses in hex. A breakpoint that halts is told on stdout: "break PC SECONDS".
 * FAULT: no-trace no-pcsr locked no-cyccnt needs-pin stamps-run. Ends with its input.
 */
#include "tests/probe/m3.h"

#include <fcntl.h>
#include <gelf.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LISTEN_BITBANG, LISTEN_SWO, BITBANG, SWO, INPUT, FDS };

static void usage_fail(const char *what)
{
	fprintf(stderr, "m3: %s\n", what);
	exit(2);
}

/* --- what it runs ----------------------------------------------------------------------------- */

static void truth_read(struct m3 *m, const char *path)
{
	FILE *f = fopen(path, "r");
	unsigned long long count;
	unsigned address;
	char line[256];
	uint64_t sum = 0;

	if (!f)
		usage_fail("no such truth");
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "pc %x %llu", &address, &count) != 2)
			continue;
		m->pcs = realloc(m->pcs, (m->pc_count + 1) * sizeof(*m->pcs));
		if (!m->pcs)
			usage_fail("out of memory");
		m->pcs[m->pc_count++] = (struct m3_pc){ address, sum += count };
	}
	fclose(f);
	if (!sum)
		usage_fail("a truth without pc lines");
}

static void elf_load(struct m3 *m, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf;
	size_t count = 0;
	GElf_Phdr p;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_getphdrnum(elf, &count) < 0)
		usage_fail("no such ELF");
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(elf, (int)i, &p) || p.p_type != PT_LOAD ||
		    p.p_paddr + p.p_filesz > M3_FLASH)
			continue;
		if (pread(fd, m->flash + p.p_paddr, p.p_filesz, (off_t)p.p_offset) < 0)
			usage_fail("cannot read the ELF");
	}
	elf_end(elf);
	close(fd);
}

/* --- sockets ---------------------------------------------------------------------------------- */

static int socket_listen(const char *name)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&a, size) < 0 || listen(fd, 1) < 0 ||
	    getsockname(fd, (struct sockaddr *)&a, &size) < 0)
		usage_fail("cannot listen");
	printf("%s %u\n", name, ntohs(a.sin_port));
	fflush(stdout);
	return fd;
}

static void socket_accept(struct pollfd *to, int from)
{
	int one = 1;

	if (to->fd >= 0)
		close(to->fd);
	to->fd = accept(from, NULL, NULL);
	if (to->fd >= 0)
		setsockopt(to->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
}

static void peer_close(struct pollfd *p)
{
	close(p->fd);
	p->fd = -1;
}

static bool bitbang_serve(struct m3 *m, int fd)
{
	char in[65536], out[65536];
	ssize_t got = read(fd, in, sizeof(in)), n = 0;

	for (ssize_t i = 0; i < got; i++) {
		char c = m3_bitbang(m, in[i]);

		if (c)
			out[n++] = c;
	}
	return got > 0 && (!n || write(fd, out, (size_t)n) == n);
}

static bool swo_serve(struct m3 *m, int fd)
{
	uint8_t bytes[16384];
	size_t n = m3_swo(m, bytes, sizeof(bytes));

	return fd < 0 || !n || send(fd, bytes, n, MSG_NOSIGNAL) == (ssize_t)n;
}

static void probe_serve(struct m3 *m)
{
	struct pollfd fds[FDS];

	for (int i = 0; i < FDS; i++)
		fds[i] = (struct pollfd){ .fd = -1, .events = POLLIN };
	fds[INPUT].fd = STDIN_FILENO;
	fds[LISTEN_BITBANG].fd = socket_listen("bitbang");
	if (m->swo_baud)
		fds[LISTEN_SWO].fd = socket_listen("swo");
	while (poll(fds, FDS, 2) >= 0) {
		char end;

		if (fds[INPUT].revents && read(STDIN_FILENO, &end, 1) <= 0)
			return;
		if (fds[LISTEN_BITBANG].revents)
			socket_accept(&fds[BITBANG], fds[LISTEN_BITBANG].fd);
		else if (fds[BITBANG].revents && !bitbang_serve(m, fds[BITBANG].fd))
			peer_close(&fds[BITBANG]);
		if (fds[LISTEN_SWO].revents)
			socket_accept(&fds[SWO], fds[LISTEN_SWO].fd);
		else if (!swo_serve(m, fds[SWO].fd) || fds[SWO].revents)
			peer_close(&fds[SWO]);
	}
}

static unsigned fault_of(const char *name)
{
	static const struct {
		const char *name;
		enum m3_fault fault;
	} faults[] = {
		{ "no-trace", M3_NO_TRACE }, { "no-pcsr", M3_NO_PCSR }, { "locked", M3_LOCKED },
		{ "no-cyccnt", M3_NO_CYCCNT }, { "needs-pin", M3_NEEDS_PIN },
		{ "stamps-run", M3_STAMPS_RUN },
	};

	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		if (strcmp(name, faults[i].name) == 0)
			return faults[i].fault;
	usage_fail("no such fault");
	return 0;
}

static void write_add(struct m3 *m, const char *text)
{
	struct m3_write *w = &m->writes[m->write_count];
	unsigned long long below = 0;
	double us = 0;

	if (m->write_count++ == M3_WRITES ||
	    sscanf(text, "%x,%u,%lf,%llu,%x", &w->address, &w->size, &us, &below, &w->pc) != 5 ||
	    w->address < M3_RAM_AT || w->address > M3_RAM_AT + M3_RAM - 8 || w->size > 8 ||
	    !(us > 0) || !below)
		usage_fail("-w ADDRESS,SIZE,PERIOD_US,BELOW,PC, of RAM, four at most");
	w->period = us / 1e6;
	w->below = below;
}

static void call_add(struct m3 *m, const char *text)
{
	struct m3_call *c = &m->calls[m->call_count];
	double us = 0, takes = 0;

	if (m->call_count++ == M3_CALLS ||
	    sscanf(text, "%x,%x,%lf,%lf", &c->entry, &c->back, &us, &takes) != 4 ||
	    !(us > takes) || !(takes > 0))
		usage_fail("-c ENTRY,RETURN,PERIOD_US,TAKES_US, four at most");
	c->period = us / 1e6;
	c->takes = takes / 1e6;
}

int main(int argc, char **argv)
{
	struct m3 *m = calloc(1, sizeof(*m));
	int option;

	if (!m)
		usage_fail("out of memory");
	while ((option = getopt(argc, argv, "e:a:f:s:r:w:c:")) >= 0) {
		switch (option) {
		case 'e': elf_load(m, optarg); break;
		case 'a': m->asleep = atof(optarg); break;
		case 'f': m->faults |= fault_of(optarg); break;
		case 's': m->swo_baud = (uint32_t)atol(optarg); break;
		case 'r': m->rtt_hz = atof(optarg); break;
		case 'w': write_add(m, optarg); break;
		case 'c': call_add(m, optarg); break;
		default:
			usage_fail("m3 [-e ELF] [-a ASLEEP] [-f FAULT] [-s BAUD] [-r BYTES] "
				   "[-w WRITE] [-c CALL] TRUTH");
		}
	}
	if (optind != argc - 1)
		usage_fail("one truth");
	truth_read(m, argv[optind]);
	m3_reset(m);
	m3_rtt_setup(m);
	probe_serve(m);
	free(m->pcs);
	free(m);
	return 0;
}
