#include "tui/term/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "core/base/os.h"

volatile sig_atomic_t signals_stop;
static int pipe_fds[2] = { -1, -1 };

static void on_stop(int sig)
{
	(void)sig;
	signals_stop = 1;
}

static void on_signal(int sig)
{
	int saved = errno;
	unsigned char byte = (unsigned char)sig;

	/* If the pipe is full it holds enough to wake the loop, probably this signal, too. */
	if (write(pipe_fds[1], &byte, 1) < 0)
		signals_stop = 1;
	errno = saved;
}

static void handler_install(int sig, void (*handler)(int), int flags)
{
	struct sigaction sa = { .sa_handler = handler, .sa_flags = flags };

	sigemptyset(&sa.sa_mask);
	sigaction(sig, &sa, NULL);
}

static void stop_install(int sig)
{
	struct sigaction old;

	/* ignored by nohup, or by a shell that starts a background job: that must stay */
	if (sigaction(sig, NULL, &old) == 0 && old.sa_handler == SIG_IGN)
		return;
	handler_install(sig, on_stop, SA_RESETHAND);	/* no SA_RESTART: poll must return */
}

void signals_batch(void)
{
	stop_install(SIGINT);
	stop_install(SIGTERM);
	stop_install(SIGHUP);
	handler_install(SIGPIPE, SIG_IGN, 0);
}

int signals_pipe(struct err *err)
{
	static const int caught[] = {
		SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT,
	};

	if (pipe_fds[0] < 0 && os_pipe(pipe_fds, true) < 0)
		return err_errno(err, "signals");
	for (size_t i = 0; i < sizeof(caught) / sizeof(caught[0]); i++)
		handler_install(caught[i], on_signal, SA_RESTART);
	handler_install(SIGPIPE, SIG_IGN, 0);
	return pipe_fds[0];
}

int signals_next(void)
{
	unsigned char byte;

	return read(pipe_fds[0], &byte, 1) == 1 ? byte : 0;
}
