/* A process of its own: what comes back, how it ends, and what it cannot do. */
#include "core/base/confined.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/unit/unit.h"

#define WORDS (256 * 1024)		/* much more than a pipe holds */

static void many_write(void *ctx, int out, atomic_uint *progress)
{
	uint32_t *words = malloc(WORDS * sizeof(*words));

	for (uint32_t i = 0; i < WORDS; i++)
		words[i] = i ^ *(const uint32_t *)ctx;
	atomic_store(progress, 17);
	confined_write(out, words, WORDS * sizeof(*words));
	free(words);
}

static char four_sent[] = "four";

static void crash_do(void *ctx, int out, atomic_uint *progress)
{
	(void)progress;
	confined_write(out, ctx, 4);
	abort();
}

static void time_spend(void *ctx, int out, atomic_uint *progress)
{
	(void)ctx, (void)out;
	for (;;)
		atomic_fetch_add(progress, 1);
}

static void memory_take(void *ctx, int out, atomic_uint *progress)
{
	uint64_t n = 0;
	char *p;

	(void)ctx, (void)progress;
	while ((p = malloc(1 << 20)))
		n += (uint64_t)(memset(p, 1, 1 << 20) != NULL);
	confined_write(out, &n, sizeof(n));
}

/* What each attempt returned, as errno. */
struct attempts {
	int open, socket, write, fork, read;
};

static void attempts_make(void *ctx, int out, atomic_uint *progress)
{
	struct attempts a = { 0 };
	char byte;

	(void)progress;
	a.open = open("/etc/passwd", O_RDONLY) < 0 ? errno : 0;
	a.socket = socket(AF_UNIX, SOCK_STREAM, 0) < 0 ? errno : 0;
	a.write = write(*(const int *)ctx, "x", 1) < 0 ? errno : 0;
	a.fork = fork() < 0 ? errno : 0;
	a.read = pread(*(const int *)ctx, &byte, 1, 0) < 0 ? errno : 0;
	confined_write(out, &a, sizeof(a));
}

/* False, with the test left out: it is not to be had here. */
static bool job_start(struct confined *c, struct confined_job job)
{
	job.memory = job.memory ? job.memory : 64u << 20;
	job.seconds = 1;
	if (confined_start(c, &job))
		return true;
	print_message("not beside a sanitizer\n");
	return false;
}

static void all_comes_back(void **state)
{
	uint32_t key = 0xabcd1234, *words;
	atomic_uint seen = 0;
	struct confined c;

	(void)state;
	if (!job_start(&c, (struct confined_job){ .work = many_write, .ctx = &key, .file = -1,
						.progress = &seen }))
		skip();
	words = malloc(WORDS * sizeof(*words));
	assert_true(confined_read(&c, words, WORDS * sizeof(*words)));
	assert_true(confined_end(&c));
	for (uint32_t i = 0; i < WORDS; i++)
		assert_int_equal(words[i], i ^ key);
	assert_int_equal(seen, 17);
	free(words);
}

static void what_is_left_is_seen(void **state)
{
	uint32_t key = 0, word;
	struct confined c;

	(void)state;
	if (!job_start(&c, (struct confined_job){ .work = many_write, .ctx = &key, .file = -1 }))
		skip();
	assert_true(confined_read(&c, &word, sizeof(word)));
	assert_false(confined_end(&c));			/* it had more to say */
}

static void crash_is_seen(void **state)
{
	struct confined c;
	char four[4], five;

	(void)state;
	if (!job_start(&c, (struct confined_job){ .work = crash_do, .ctx = four_sent, .file = -1 }))
		skip();
	assert_true(confined_read(&c, four, 4));
	assert_memory_equal(four, "four", 4);
	assert_false(confined_read(&c, &five, 1));
	assert_false(confined_end(&c));
}

static void time_is_limited(void **state)
{
	struct confined c;
	char byte;

	(void)state;
	if (!job_start(&c, (struct confined_job){ .work = time_spend, .file = -1 }))
		skip();
	assert_false(confined_read(&c, &byte, 1));
	assert_false(confined_end(&c));
}

static void stop_ends_it(void **state)
{
	atomic_bool stop = true;
	struct confined c;
	char byte;

	(void)state;
	if (!job_start(&c, (struct confined_job){ .work = time_spend, .file = -1, .stop = &stop }))
		skip();
	assert_false(confined_read(&c, &byte, 1));
	assert_false(confined_end(&c));
}

static void memory_is_limited(void **state)
{
	struct confined c;
	uint64_t megabytes;

	(void)state;
	if (!job_start(&c, (struct confined_job){ .work = memory_take, .file = -1,
						  .memory = 32u << 20 }))
		skip();
	assert_true(confined_read(&c, &megabytes, sizeof(megabytes)));
	assert_true(confined_end(&c));
	assert_in_range(megabytes, 16, 32);
}

static void nothing_else_is_open(void **state)
{
	struct attempts a;
	struct confined c;
	int file;

	(void)state;
	file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	assert_true(file >= 0);
	if (!job_start(&c, (struct confined_job){ .work = attempts_make, .ctx = &file,
						  .file = file }))
		skip();
	assert_true(confined_read(&c, &a, sizeof(a)));
	assert_true(confined_end(&c));
	close(file);
	assert_int_equal(a.read, 0);
	if (a.open == 0)
		skip();			/* a kernel without seccomp: descriptors alone are closed */
	assert_int_equal(a.open, EPERM);
	assert_int_equal(a.socket, EPERM);
	assert_int_equal(a.write, EPERM);
	assert_int_equal(a.fork, EPERM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_comes_back), cmocka_unit_test(what_is_left_is_seen),
		cmocka_unit_test(crash_is_seen), cmocka_unit_test(time_is_limited),
		cmocka_unit_test(stop_ends_it), cmocka_unit_test(memory_is_limited),
		cmocka_unit_test(nothing_else_is_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
