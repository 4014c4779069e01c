/*
 * http: the endpoint's answers, to requests whole and byte by byte; those that never end, hold no
 * text, or want all places: they go, and who asks next is answered.
 */
#include "tests/unit/unit.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/collect/http.h"

#define S CLOCK_SECOND
#define TEXT "a_total 1\n"

static struct http *server_open(void)
{
	struct err err = { .code = ERR_NONE };
	struct http *h = http_open("0", &err);

	assert_non_null(h);
	http_put(h, TEXT, strlen(TEXT));
	return h;
}

static int client_open(const struct http *h)
{
	const struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(http_port(h)),
					.sin_addr = { htonl(INADDR_LOOPBACK) } };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_int_equal(connect(fd, (const struct sockaddr *)&at, sizeof(at)), 0);
	return fd;
}

static void client_say(int fd, const void *bytes, size_t n)
{
	assert_int_equal(send(fd, bytes, n, MSG_NOSIGNAL), n);
}

/* Until the server has closed: what it said; n: how much. The caller frees it. */
static char *client_hear(struct http *h, int fd, uint64_t now, size_t *n)
{
	struct buf heard = BUF_INIT;
	ssize_t got;

	do {
		char bytes[65536];

		http_service(h, now);
		got = recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT);
		if (got > 0)
			buf_add(&heard, bytes, (size_t)got);
	} while (got > 0 || (got < 0 && errno == EAGAIN));
	close(fd);
	*n = heard.len;
	buf_addc(&heard, '\0');
	return buf_detach(&heard);
}

static void answer_check(struct http *h, int fd, uint64_t now, const char *status)
{
	size_t n;
	char *heard = client_hear(h, fd, now, &n);

	if (!status)
		assert_int_equal(n, 0);
	else
		assert_memory_equal(heard, status, strlen(status));
	if (status && strstr(status, " 200 "))
		assert_string_equal(strstr(heard, "\r\n\r\n") + 4, TEXT);
	mem_free(heard);
}

static void test_requests(void **state)
{
	static const struct { const char *asked, *status; } rows[] = {
		{ "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 200 OK\r\n" },
		{ "GET /metrics?x=1 HTTP/1.0\n\n", "HTTP/1.1 200 OK\r\n" },
		{ "GET /metrics2 HTTP/1.1\r\n\r\n", "HTTP/1.1 404 " },
		{ "GET /../metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 404 " },
		{ "GET http://a/metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 404 " },
		{ "GET \r\n\r\n", "HTTP/1.1 404 " },
		{ "\r\n\r\n", "HTTP/1.1 405 " },
		{ "get /metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 405 " },
		{ "POST /metrics HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
		  "HTTP/1.1 405 " },
		{ "GET /metrics HTTP/1.1\r\nContent-Length: -1\r\nTransfer-Encoding: chunked\r\n"
		  ": \r\n \r\n%s%n\x1b[2J\r\n\r\n", "HTTP/1.1 200 OK\r\n" },
	};
	struct http *h = server_open();

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		int fd = client_open(h);

		client_say(fd, rows[i].asked, strlen(rows[i].asked));
		answer_check(h, fd, 0, rows[i].status);
		fd = client_open(h);
		for (const char *c = rows[i].asked; *c; c++) {
			client_say(fd, c, 1);
			http_service(h, 0);
		}
		answer_check(h, fd, 0, rows[i].status);
	}
	http_close(h);
}

/* No blank line within HTTP_HEAD bytes, or a NUL before it: no answer. */
static void test_endless(void **state)
{
	static char lines[HTTP_HEAD - 1], nothing[HTTP_HEAD - 1];
	struct http *h = server_open();
	const char *const rows[] = { lines, nothing };

	(void)state;
	memset(lines, 'x', sizeof(lines));
	for (size_t i = 0; i < COUNT(rows); i++) {
		int fd = client_open(h);

		client_say(fd, rows[i], HTTP_HEAD - 1);
		answer_check(h, fd, 0, NULL);
	}
	http_close(h);
}

/* A byte now and then gives no one more time; who comes takes the place of the oldest. */
static void test_slow(void **state)
{
	struct http *h = server_open();
	int fds[HTTP_CLIENTS], fd;

	(void)state;
	for (size_t i = 0; i < HTTP_CLIENTS; i++) {
		fds[i] = client_open(h);
		client_say(fds[i], "GET /metrics HTTP/1.1\r\n", 23);
		http_service(h, i);
	}
	fd = client_open(h);
	client_say(fd, "GET /metrics HTTP/1.1\r\n\r\n", 25);
	answer_check(h, fd, HTTP_CLIENTS, "HTTP/1.1 200 OK\r\n");
	answer_check(h, fds[0], HTTP_CLIENTS, NULL);
	for (unsigned second = 1; second < 10; second++) {
		client_say(fds[1], "X", 1);
		http_service(h, second * S);
		assert_int_equal(recv(fds[1], &(char){ 0 }, 1, MSG_DONTWAIT), -1);
	}
	for (size_t i = 1; i < HTTP_CLIENTS; i++)
		answer_check(h, fds[i], 10 * S + HTTP_CLIENTS, NULL);
	http_close(h);
}

/* An answer that is under way stays what it was. */
static void test_large(void **state)
{
	const size_t size = 20 << 20;
	char *text = mem_alloc(size), *heard;
	struct http *h = server_open();
	int fd = client_open(h);
	size_t n;

	(void)state;
	memset(text, 'a', size);
	http_put(h, text, size);
	client_say(fd, "GET /metrics HTTP/1.1\r\n\r\n", 25);
	for (int i = 0; i < 3; i++)
		http_service(h, 0);
	http_put(h, TEXT, strlen(TEXT));
	heard = client_hear(h, fd, 0, &n);
	assert_true(n > size);
	assert_memory_equal(heard + n - size, text, size);
	mem_free(heard);
	mem_free(text);
	http_close(h);
}

static void test_where(void **state)
{
	static const char *const wrong[] = { "", "x", "1:", "127.0.0.1:x", "127.0.0.1:-1",
					     "127.0.0.1:1 " };
	static const char *const right[] = { "0", "127.0.0.1:0", "localhost:0" };

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		struct err err = { .code = ERR_NONE };

		assert_null(http_open(wrong[i], &err));
		assert_int_equal(err.code, ERR_USAGE);
	}
	for (size_t i = 0; i < COUNT(right); i++) {
		struct err err = { .code = ERR_NONE };
		struct http *h = http_open(right[i], &err);

		assert_non_null(h);
		http_close(h);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_requests), cmocka_unit_test(test_endless),
		cmocka_unit_test(test_slow), cmocka_unit_test(test_large),
		cmocka_unit_test(test_where),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
