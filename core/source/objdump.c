#include "core/source/objdump.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/os.h"
#include "core/source/program.h"

enum { READS = 32 };			/* of 16 KB, between two looks at the keyboard */

struct objdump {
	char *tool, *image;
	struct image_range ranges[OBJDUMP_RANGES];
	size_t range_count, next;	/* the range that comes next */
	pid_t pid;			/* 0: none runs */
	int fd;
	uint64_t deadline;
	size_t taken;			/* bytes of output */
	struct listing listing;
	bool done;
	char trouble[200];
};

/* --- which ------------------------------------------------------------------------------------ */

#define NAMES(...) (const char *const[]){ __VA_ARGS__, NULL }

static const struct { const char *machine; const char *const *names; } tools[] = {
	{ "avr", NAMES("avr-objdump", "llvm-objdump") },
	{ "arm", NAMES("arm-none-eabi-objdump", "llvm-objdump", "arm-linux-gnueabihf-objdump") },
	{ "msp430", NAMES("msp430-elf-objdump", "msp430-objdump", "llvm-objdump") },
	{ "riscv", NAMES("riscv64-unknown-elf-objdump", "riscv32-unknown-elf-objdump",
			 "riscv-none-elf-objdump", "llvm-objdump") },
	{ NULL, NAMES("objdump", "llvm-objdump") },
};

const char *const *objdump_names(const char *machine)
{
	size_t i = 0;

	while (tools[i].machine && strcmp(tools[i].machine, machine) != 0)
		i++;
	return tools[i].names;
}

static char *find_tool(const char *machine, struct err *err)
{
	const char *const *names = objdump_names(machine);
	struct buf looked = BUF_INIT;
	char *tool = NULL;

	for (size_t i = 0; names[i] && !tool; i++) {
		tool = program_find(names[i]);
		buf_addf(&looked, "%s%s", i ? ", " : "", names[i]);
	}
	if (!tool)
		err_set(err, ERR_ABSENT, "no disassembler for %s in PATH: looked for %s", machine,
			buf_str(&looked));
	buf_release(&looked);
	return tool;
}

/* --- the child -------------------------------------------------------------------------------- */

/* -w: no instruction's bytes over two lines; -z: zeros are code too. */
static int run_range(struct objdump *o, const struct image_range *r)
{
	char start[40], stop[40], *argv[] = { o->tool, (char[]){ "-d" }, (char[]){ "-w" },
		(char[]){ "-z" }, start, stop, o->image, NULL };
	struct program p = { .path = o->tool, .argv = argv, .in = -1, .errors = -1, .group = true };
	int fds[2], ret;

	snprintf(start, sizeof(start), "--start-address=0x%" PRIx64, r->low);
	snprintf(stop, sizeof(stop), "--stop-address=0x%" PRIx64, r->high);
	if (os_pipe(fds, false) < 0)
		return errno;
	p.out = fds[1];
	ret = program_start(&p, &o->pid);
	close(fds[1]);
	if (ret) {
		o->pid = 0;
		close(fds[0]);
		return ret;
	}
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	o->fd = fds[0];
	return 0;
}

/* A child that closed its output is killed: its exit status does not matter. */
static void child_reap(struct objdump *o)
{
	if (o->fd >= 0)
		close(o->fd);
	o->fd = -1;
	if (o->pid > 0) {
		kill(-o->pid, SIGKILL);
		while (waitpid(o->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	o->pid = 0;
}

static bool objdump_finish(struct objdump *o, const char *trouble)
{
	child_reap(o);
	listing_end(&o->listing);
	o->done = true;
	if (trouble)
		snprintf(o->trouble, sizeof(o->trouble), "%s: %s", o->tool, trouble);
	else if (!o->listing.count)
		snprintf(o->trouble, sizeof(o->trouble), "%s: no instructions found",
			 o->tool);
	return true;
}

/* The next part of the function; true: there is none. */
static bool next_range(struct objdump *o)
{
	int ret;

	child_reap(o);
	if (o->next == o->range_count)
		return objdump_finish(o, NULL);
	ret = run_range(o, &o->ranges[o->next++]);
	return ret ? objdump_finish(o, strerror(ret)) : false;
}

/* --- life ------------------------------------------------------------------------------------- */

/* A path that begins with a dash is no option. */
static char *image_argument(const char *path)
{
	struct buf b = BUF_INIT;

	buf_addf(&b, "%s%s", path[0] == '-' ? "./" : "", path);
	return buf_detach(&b);
}

/* All of its code, data in between too. */
static size_t ranges_whole(const struct image *im, struct image_range *r)
{
	image_text(im, &r->low, &r->high);
	return 1;
}

struct objdump *objdump_start(const struct image *im, uint32_t function, struct err *err)
{
	struct objdump *o = mem_zalloc(sizeof(*o));

	if (!o) {
		err_set(err, ERR_NOMEM, "out of memory");
		return NULL;
	}
	o->fd = -1;
	o->tool = find_tool(image_machine(im), err);
	o->image = image_argument(image_path(im));
	o->range_count = function == OBJDUMP_WHOLE ? ranges_whole(im, o->ranges) :
			 image_ranges(im, function, o->ranges, OBJDUMP_RANGES);
	if (o->range_count > OBJDUMP_RANGES)
		o->range_count = OBJDUMP_RANGES;
	if (!o->tool || !o->image || next_range(o)) {
		err_set(err, ERR_IO, "%s", o->trouble[0] ? o->trouble : "out of memory");
		objdump_free(o);
		return NULL;
	}
	o->deadline = clock_now() + OBJDUMP_SECONDS * CLOCK_SECOND;
	return o;
}

void objdump_free(struct objdump *o)
{
	if (!o)
		return;
	child_reap(o);
	listing_release(&o->listing);
	mem_free(o->tool);
	mem_free(o->image);
	mem_free(o);
}

int objdump_fd(const struct objdump *o)
{
	return o->fd;
}

bool objdump_service(struct objdump *o, uint64_t now)
{
	char data[16384];
	ssize_t n;

	for (int i = 0; i < READS && !o->done; i++) {
		if (now >= o->deadline)
			return objdump_finish(o, "stopped: time limit exceeded");
		n = read(o->fd, data, sizeof(data));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return false;
		if (n <= 0) {
			next_range(o);
			continue;
		}
		o->taken += (size_t)n;
		if (o->taken > OBJDUMP_OUTPUT)
			return objdump_finish(o, "stopped: too much output");
		listing_feed(&o->listing, data, (size_t)n);
	}
	return o->done;
}

const struct listing *objdump_listing(const struct objdump *o)
{
	return &o->listing;
}

const char *objdump_tool(const struct objdump *o)
{
	return o->tool;
}

const char *objdump_trouble(const struct objdump *o)
{
	return o->trouble;
}
