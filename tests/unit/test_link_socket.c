/* link_socket: servers, TCP and UNIX, that come, leave and return. */
#include "tests/unit/link_made.h"

#include <errno.h>
#include <sys/file.h>

static void serves_leaves_and_returns(void (*start)(struct server *), const char *kind)
{
	struct server s = { 0 };
	struct loop p = { 0 };
	char back[8];
	int peer;

	start(&s);
	p.link = must_open(s.source);
	assert_string_equal(link_kind(p.link), kind);
	assert_int_equal(link_state(p.link), LINK_UP);
	peer = accept(s.fd, NULL, NULL);
	assert_int_equal(write(peer, "one", 3), 3);
	assert_got(&p, "one");
	assert_int_equal(link_send(p.link, "ping", 4), 0);
	assert_int_equal(read(peer, back, sizeof(back)), 4);

	assert_int_equal(write(peer, "last", 4), 4);
	close(peer);
	close(s.fd);
	assert_got(&p, "last");
	until_state(&p, LINK_WAITING);
	assert_string_equal(link_why(p.link), "the peer closed the connection");
	for (int i = 0; i < 10; i++)
		link_turn(&p);
	assert_int_equal(link_state(p.link), LINK_WAITING);
	assert_string_equal(link_why(p.link), "the peer closed the connection");

	start(&s);
	until_state(&p, LINK_UP);
	assert_int_equal(link_reconnects(p.link), 1);
	peer = accept(s.fd, NULL, NULL);
	assert_int_equal(write(peer, "two", 3), 3);
	assert_got(&p, "two");
	link_free(p.link);
	close(peer);
	close(s.fd);
}

static void a_tcp_peer_leaves_and_returns(void **state)
{
	(void)state;
	serves_leaves_and_returns(tcp_listen, "tcp");
}

static void a_unix_peer_leaves_and_returns(void **state)
{
	(void)state;
	serves_leaves_and_returns(unix_listen, "unix");
}

static void a_socket_is_known_by_its_plain_path(void **state)
{
	struct server s = { 0 };
	struct loop p = { 0 };
	int peer;

	(void)state;
	unix_listen(&s);
	p.link = must_open(in_scratch("node.sock"));
	assert_string_equal(link_kind(p.link), "unix");
	peer = accept(s.fd, NULL, NULL);
	assert_int_equal(write(peer, "x", 1), 1);
	assert_got(&p, "x");
	close(peer);
	assert_int_equal(link_send(p.link, "x", 1), LINK_DEAF);	/* and no SIGPIPE */
	close(s.fd);
	until_state(&p, LINK_WAITING);
	for (int i = 0; i < 5; i++)
		link_turn(&p);
	unlink(in_scratch("node.sock"));
	link_free(p.link);
}

static void a_file_is_no_socket(void **state)
{
	char source[256];
	struct err err = { 0 };

	(void)state;
	put_file(in_scratch("plain"), "x", 1);
	snprintf(source, sizeof(source), "unix:%s", in_scratch("plain"));
	assert_null(link_new(source, NULL, &err));
	assert_non_null(strstr(err.text, "nothing listens there"));
}

static void a_host_of_several_addresses_is_tried_at_each(void **state)
{
	struct server s = { 0 };
	struct link *l;
	char source[64];

	(void)state;
	tcp_listen(&s);			/* on 127.0.0.1 only: localhost's ::1 refuses */
	snprintf(source, sizeof(source), "tcp:localhost:%d", ntohs(s.port));
	l = must_open(source);
	assert_int_equal(link_state(l), LINK_UP);
	link_free(l);
	close(s.fd);
}

static void an_ipv6_address_stands_in_brackets(void **state)
{
	struct sockaddr_in6 a = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	int fd = socket(AF_INET6, SOCK_STREAM, 0);
	socklen_t size = sizeof(a);
	char source[64];

	(void)state;
	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof(a)) < 0)
		skip();			/* a machine without IPv6 */
	assert_int_equal(listen(fd, 1), 0);
	getsockname(fd, (struct sockaddr *)&a, &size);
	snprintf(source, sizeof(source), "tcp:[::1]:%d", ntohs(a.sin6_port));
	link_free(must_open(source));
	close(fd);
}

static void a_server_to_come_is_waited_for_on_request(void **state)
{
	const struct link_options patient = { .wait = true };
	struct server s = { 0 };
	struct err err = { 0 };
	struct loop p = { 0 };

	(void)state;
	tcp_listen(&s);
	close(s.fd);			/* now its port is one that nobody has */
	assert_null(link_new(s.source, NULL, &err));
	assert_non_null(strstr(err.text, "connection refused: nothing listens there"));
	p.link = link_new(s.source, &patient, NULL);
	assert_non_null(p.link);
	until_state(&p, LINK_WAITING);
	tcp_listen(&s);
	until_state(&p, LINK_UP);
	assert_int_equal(link_reconnects(p.link), 0);
	link_free(p.link);
	close(s.fd);
}

/* Accepts, closes, accepts, closes: at most two attempts a second, each of them shown. */
static void a_server_that_hangs_up_at_once_is_not_hammered(void **state)
{
	struct server s = { 0 };
	struct loop p = { 0 };
	uint64_t from;

	(void)state;
	tcp_listen(&s);
	p.link = must_open(s.source);
	from = loop_now(&p);
	for (unsigned i = 0; i < 5; i++) {
		close(accept(s.fd, NULL, NULL));
		until_state(&p, LINK_WAITING);
		until_state(&p, LINK_UP);
		assert_int_equal(link_reconnects(p.link), i + 1);
	}
	assert_true(loop_now(&p) - from >= 5 * CLOCK_SECOND / 2);
	link_free(p.link);
	close(s.fd);
}

static void a_reset_says_so(void **state)
{
	const struct linger at_once = { .l_onoff = 1 };
	struct server s = { 0 };
	struct loop p = { 0 };
	int peer;

	(void)state;
	tcp_listen(&s);
	p.link = must_open(s.source);
	peer = accept(s.fd, NULL, NULL);
	setsockopt(peer, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	close(peer);
	until_state(&p, LINK_WAITING);
	assert_string_equal(link_why(p.link), strerror(ECONNRESET));
	link_free(p.link);
	close(s.fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tcp_peer_leaves_and_returns),
		cmocka_unit_test(a_unix_peer_leaves_and_returns),
		cmocka_unit_test(a_socket_is_known_by_its_plain_path),
		cmocka_unit_test(a_file_is_no_socket),
		cmocka_unit_test(a_host_of_several_addresses_is_tried_at_each),
		cmocka_unit_test(an_ipv6_address_stands_in_brackets),
		cmocka_unit_test(a_server_to_come_is_waited_for_on_request),
		cmocka_unit_test(a_server_that_hangs_up_at_once_is_not_hammered),
		cmocka_unit_test(a_reset_says_so),
	};

	alarm(PATIENCE);
	return cmocka_run_group_tests_name("link_socket", tests, make_scratch, remove_scratch);
}
