#include "core/collect/post.h"

#ifdef WSNTOP_CURL

#include <curl/curl.h>
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/login.h"
#include "core/base/mem.h"

#define REQUEST_MS 10000L

/*
 * libcurl is loaded once something is to be posted: linked, it and the 26 libraries that it brings
 * would double the 6 ms of a processor that each start of wsntop takes.
 */
#define CURL_CALLS(CALL) \
	CALL(global_init) CALL(global_cleanup) CALL(free) CALL(slist_append) CALL(slist_free_all) \
	CALL(url) CALL(url_get) CALL(url_set) CALL(url_cleanup) \
	CALL(easy_init) CALL(easy_setopt) CALL(easy_getinfo) CALL(easy_strerror) \
	CALL(easy_cleanup) CALL(multi_init) CALL(multi_setopt) CALL(multi_add_handle) \
	CALL(multi_remove_handle) CALL(multi_socket_action) CALL(multi_info_read) \
	CALL(multi_cleanup)

struct curl_calls {
#define CALL_MEMBER(name) __typeof__(curl_##name) *name;
	CURL_CALLS(CALL_MEMBER)
};

struct post {
	struct curl_calls curl;
	struct login who;
	CURLM *multi;
	CURL *easy;
	struct curl_slist *headers;
	bool busy;
	size_t heard;
	uint64_t timer_ns;		/* libcurl's; UINT64_MAX: none */
	struct pollfd fds[POST_FDS];	/* what it waits for */
	size_t count;
	char said[CURL_ERROR_SIZE];	/* by libcurl */
	char why[CURL_ERROR_SIZE + 64];
};

static int curl_load(struct curl_calls *curl, const char *url, struct err *err)
{
	static const struct { const char *name; size_t at; } rows[] = {
#define CALL_ROW(name) { "curl_" #name, offsetof(struct curl_calls, name) },
		CURL_CALLS(CALL_ROW)
	};
	void *library = dlopen("libcurl.so.4", RTLD_NOW);

	if (!library)	/* the other one of Debian */
		library = dlopen("libcurl-gnutls.so.4", RTLD_NOW);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		void *call = library ? dlsym(library, rows[i].name) : NULL;

		if (!call)
			return err_set(err, ERR_USAGE, "%s: libcurl is needed for it: %s; install "
				       "libcurl4", url, dlerror());
		memcpy((char *)curl + rows[i].at, &call, sizeof(call));
	}
	curl->global_init(CURL_GLOBAL_DEFAULT);
	return 0;	/* it stays: a thread of it may still look a name up */
}

/* --- where ------------------------------------------------------------------------------------ */

static bool part_get(struct post *p, CURLU *u, CURLUPart part, char *dst, size_t size)
{
	char *text = NULL;
	bool fits = p->curl.url_get(u, part, &text, 0) == CURLUE_OK && strlen(text) < size;

	snprintf(dst, size, "%s", fits ? text : "");
	p->curl.free(text);
	return fits;
}

/* PATH without slashes at its end, and `path`. */
static bool path_add(struct post *p, CURLU *u, const char *path)
{
	char whole[512];
	size_t n;

	if (!part_get(p, u, CURLUPART_PATH, whole, sizeof(whole) - strlen(path)))
		return false;
	for (n = strlen(whole); n && whole[n - 1] == '/'; n--)
		continue;
	snprintf(whole + n, sizeof(whole) - n, "%s", path);
	return p->curl.url_set(u, CURLUPART_PATH, whole, 0) == CURLUE_OK;
}

/* What is asked, without our options. */
static int url_take(struct post *p, CURLU *u)
{
	char *text = NULL;
	bool taken;

	p->curl.url_set(u, CURLUPART_QUERY, NULL, 0);
	p->curl.url_set(u, CURLUPART_FRAGMENT, NULL, 0);
	taken = p->curl.url_get(u, CURLUPART_URL, &text, 0) == CURLUE_OK &&
		p->curl.easy_setopt(p->easy, CURLOPT_URL, text) == CURLE_OK;
	p->curl.free(text);
	return taken ? 0 : ERR_USAGE;
}

static int url_split(struct post *p, CURLU *u, unsigned port, const char *path, struct err *err)
{
	char scheme[8], number[8], *options = NULL;
	bool tls;
	int ret;

	if (!part_get(p, u, CURLUPART_SCHEME, scheme, sizeof(scheme)) ||
	    (strcmp(scheme, "http") && strcmp(scheme, "https")))
		return ERR_USAGE;
	tls = !strcmp(scheme, "https");
	p->curl.url_get(u, CURLUPART_QUERY, &options, 0);
	ret = login_read(&p->who, options ? options : "", tls ? NULL : "https://", err);
	p->curl.free(options);
	if (!tls && !part_get(p, u, CURLUPART_PORT, number, sizeof(number))) {
		snprintf(number, sizeof(number), "%u", port);
		p->curl.url_set(u, CURLUPART_PORT, number, 0);
	}
	return ret == 0 && path_add(p, u, path) ? url_take(p, u) : ERR_USAGE;
}

/* The URL is in no sentence where there may be a password in it. */
static int url_set(struct post *p, CURLU *u, const char *url, unsigned port, const char *path,
		   struct err *err)
{
	if (url[strcspn(url, "@?")] == '@')
		return err_set(err, ERR_USAGE, "expected no name or password in the URL: others "
			       "can read the command line; give ?user=NAME, and its password in "
			       "WSNTOP_PUSH_PASSWORD");
	if (p->curl.url_set(u, CURLUPART_URL, url, 0) == CURLUE_OK &&
	    url_split(p, u, port, path, err) == 0)
		return 0;
	return err_set(err, ERR_USAGE, "%s: expected http://HOST[:PORT] or https://HOST[:PORT], "
		       "such as http://127.0.0.1:%u", url, port);
}

static int secret_set(struct post *p, struct err *err)
{
	const char *password = getenv("WSNTOP_PUSH_PASSWORD"), *token = getenv("WSNTOP_PUSH_TOKEN");

	if (*p->who.user && !password)
		return err_set(err, ERR_USAGE, "user=%s: no password; set WSNTOP_PUSH_PASSWORD",
			       p->who.user);
	if (*p->who.user) {
		p->curl.easy_setopt(p->easy, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
		p->curl.easy_setopt(p->easy, CURLOPT_USERNAME, p->who.user);
		p->curl.easy_setopt(p->easy, CURLOPT_PASSWORD, password);
	} else if (token && *token) {
		if (strpbrk(token, "\r\n"))
			return err_set(err, ERR_USAGE, "WSNTOP_PUSH_TOKEN: expected one line");
		p->curl.easy_setopt(p->easy, CURLOPT_HTTPAUTH, CURLAUTH_BEARER);
		p->curl.easy_setopt(p->easy, CURLOPT_XOAUTH2_BEARER, token);
	}
	return 0;
}

/* --- what libcurl asks for -------------------------------------------------------------------- */

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *ctx, void *unused)
{
	struct post *p = ctx;
	size_t i = 0;

	(void)easy;
	(void)unused;
	while (i < p->count && p->fds[i].fd != fd)
		i++;
	if (what == CURL_POLL_REMOVE) {
		if (i < p->count)
			p->fds[i] = p->fds[--p->count];
		return 0;
	}
	if (i == POST_FDS)
		return -1;
	p->count += i == p->count;
	p->fds[i] = (struct pollfd){ .fd = fd,
				     .events = (short)((what & CURL_POLL_IN ? POLLIN : 0) |
						       (what & CURL_POLL_OUT ? POLLOUT : 0)) };
	return 0;
}

static int on_timer(CURLM *multi, long ms, void *ctx)
{
	(void)multi;
	((struct post *)ctx)->timer_ns = ms < 0 ? UINT64_MAX :
					 clock_now() + (uint64_t)ms * (CLOCK_SECOND / 1000);
	return 0;
}

/* Of an answer, headers and all, nothing is kept but its length. */
static size_t on_answer(char *bytes, size_t size, size_t n, void *ctx)
{
	struct post *p = ctx;

	(void)bytes;
	p->heard += size * n;
	return p->heard <= POST_ANSWER ? size * n : 0;
}

/* --- requests --------------------------------------------------------------------------------- */

static const char *option_given(const char *text)
{
	return *text ? text : NULL;
}

static void easy_set(struct post *p)
{
	const struct { CURLoption name; long value; } numbers[] = {
		{ CURLOPT_POST, 1 }, { CURLOPT_NOSIGNAL, 1 },
		{ CURLOPT_TIMEOUT_MS, REQUEST_MS },
		{ CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1 },
		/* Else a lookup that nobody answers would hold us up at its end. */
		{ CURLOPT_QUICK_EXIT, 1 },
	};
	const struct { CURLoption name; const char *value; } texts[] = {
		{ CURLOPT_PROTOCOLS_STR, "http,https" }, { CURLOPT_USERAGENT, "wsntop" },
		{ CURLOPT_CAINFO, option_given(p->who.ca) },
		{ CURLOPT_SSLCERT, option_given(p->who.cert) },
		{ CURLOPT_SSLKEY, option_given(p->who.key) },
		/* libcurl would ask for a key's password at the terminal. */
		{ CURLOPT_KEYPASSWD, "" },
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		p->curl.easy_setopt(p->easy, numbers[i].name, numbers[i].value);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i].value)
			p->curl.easy_setopt(p->easy, texts[i].name, texts[i].value);
	if (*p->who.ca)		/* it alone */
		p->curl.easy_setopt(p->easy, CURLOPT_CAPATH, NULL);
	p->curl.easy_setopt(p->easy, CURLOPT_ERRORBUFFER, p->said);
	p->curl.easy_setopt(p->easy, CURLOPT_HTTPHEADER, p->headers);
	p->curl.easy_setopt(p->easy, CURLOPT_WRITEFUNCTION, on_answer);
	p->curl.easy_setopt(p->easy, CURLOPT_WRITEDATA, p);
	p->curl.easy_setopt(p->easy, CURLOPT_HEADERFUNCTION, on_answer);
	p->curl.easy_setopt(p->easy, CURLOPT_HEADERDATA, p);
	p->curl.multi_setopt(p->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
	p->curl.multi_setopt(p->multi, CURLMOPT_SOCKETDATA, p);
	p->curl.multi_setopt(p->multi, CURLMOPT_TIMERFUNCTION, on_timer);
	p->curl.multi_setopt(p->multi, CURLMOPT_TIMERDATA, p);
}

static int parts_make(struct post *p, const char *url, unsigned port, const char *path,
		      struct err *err)
{
	CURLU *u;
	int ret;

	p->multi = p->curl.multi_init();
	p->easy = p->curl.easy_init();
	p->headers = p->curl.slist_append(NULL, "Content-Type: application/json");
	u = p->curl.url();
	/* A second line: without it a body of 1 MB would wait for a "100 Continue". */
	if (p->multi && p->easy && p->headers && u && p->curl.slist_append(p->headers, "Expect:"))
		ret = url_set(p, u, url, port, path, err);
	else
		ret = err_set(err, ERR_NOMEM, "out of memory");
	p->curl.url_cleanup(u);
	return ret;
}

struct post *post_new(const char *url, unsigned port, const char *path, struct err *err)
{
	struct post *p = mem_zalloc(sizeof(*p));

	if (!p) {
		err_set(err, ERR_NOMEM, "out of memory");
		return NULL;
	}
	p->timer_ns = UINT64_MAX;
	if (curl_load(&p->curl, url, err) < 0) {
		mem_free(p);
		return NULL;
	}
	if (parts_make(p, url, port, path, err) == 0 && secret_set(p, err) == 0) {
		easy_set(p);
		return p;
	}
	post_free(p);
	return NULL;
}

int post_begin(struct post *p, const void *body, size_t n)
{
	p->heard = 0;
	*p->said = *p->why = '\0';
	p->curl.easy_setopt(p->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)n);
	p->curl.easy_setopt(p->easy, CURLOPT_POSTFIELDS, body);
	p->busy = p->curl.multi_add_handle(p->multi, p->easy) == CURLM_OK;
	return p->busy ? 0 : ERR_NOMEM;
}

static void why_find(struct post *p, CURLcode code)
{
	long system = 0, verified = 0;
	const char *said = *p->said ? p->said : p->curl.easy_strerror(code);

	p->curl.easy_getinfo(p->easy, CURLINFO_OS_ERRNO, &system);
	p->curl.easy_getinfo(p->easy, CURLINFO_SSL_VERIFYRESULT, &verified);
	if (code == CURLE_OPERATION_TIMEDOUT)
		said = "no answer";
	else if (code == CURLE_COULDNT_CONNECT && system == ECONNREFUSED)
		said = "connection refused: no server listens there";
	else if (code == CURLE_COULDNT_CONNECT && system)
		said = strerror((int)system);
	else if (code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_WEIRD_SERVER_REPLY)
		said = "its answer is not HTTP";
	snprintf(p->why, sizeof(p->why), "%s%s", said,
		 code == CURLE_PEER_FAILED_VERIFICATION && verified && !*p->who.ca ?
		 "; its signer's certificate can be given: ?ca=FILE" : "");
}

/* A status that came is the answer, whatever became of the rest. */
static void request_end(struct post *p, CURLcode code, struct post_end *end)
{
	long status = 0;

	p->curl.easy_getinfo(p->easy, CURLINFO_RESPONSE_CODE, &status);
	*end = (struct post_end){ .status = status >= 200 ? (int)status : 0, .why = p->why };
	if (!end->status)
		why_find(p, code);
	p->curl.multi_remove_handle(p->multi, p->easy);
	p->busy = false;
}

bool post_service(struct post *p, uint64_t now, struct post_end *end)
{
	struct pollfd fds[POST_FDS];
	size_t count = p->count;
	CURLMsg *m;
	int n;

	memcpy(fds, p->fds, sizeof(fds));
	for (size_t i = 0; i < count; i++)	/* 0: it looks itself what there is */
		p->curl.multi_socket_action(p->multi, fds[i].fd, 0, &n);
	if (now >= p->timer_ns) {
		p->timer_ns = UINT64_MAX;
		p->curl.multi_socket_action(p->multi, CURL_SOCKET_TIMEOUT, 0, &n);
	}
	while ((m = p->curl.multi_info_read(p->multi, &n)))
		if (m->msg == CURLMSG_DONE) {
			request_end(p, m->data.result, end);
			return true;
		}
	return false;
}

size_t post_poll(const struct post *p, uint64_t now, struct pollfd *fds, int *ms)
{
	memcpy(fds, p->fds, p->count * sizeof(*fds));
	if (p->timer_ns != UINT64_MAX)
		*ms = clock_sooner(*ms, clock_ms_until(p->timer_ns, now));
	return p->count;
}

void post_free(struct post *p)
{
	if (!p)
		return;
	if (p->busy)
		p->curl.multi_remove_handle(p->multi, p->easy);
	p->curl.easy_cleanup(p->easy);
	p->curl.multi_cleanup(p->multi);
	p->curl.slist_free_all(p->headers);
	p->curl.global_cleanup();
	mem_free(p);
}

#endif
