/*
 * login: who we are to a server, and whom we believe, as options of its URL:
 *
 *	user=NAME&ca=FILE&cert=FILE&key=FILE
 *
 * ca= is what signs the server's certificate (else the system's), cert= and key= are ours, in PEM.
 * A password is none of them: the command line is everybody's to read. It is taken from the
 * environment, by who asks the server.
 */
#ifndef WSNTOP_BASE_LOGIN_H
#define WSNTOP_BASE_LOGIN_H

#include <stdbool.h>

#include "core/base/err.h"

struct login {
	char user[128], ca[512], cert[512], key[512];	/* "": not given */
};

/* Options behind the URL's `?`, "" none. tls: the scheme that has it, NULL: the URL's is it. */
int login_read(struct login *who, const char *options, const char *tls, struct err *err);

#endif
