/*
 * place: where a broker is, and what of it is meant:
 *
 *	mqtt://HOST[:PORT]/PATH[?user=NAME&ca=FILE&cert=FILE&key=FILE]
 *
 * mqtts: is TLS; ca= is what signs the broker's certificate (else the system's), cert= and key= are
 * ours. A password is taken from the environment (WSNTOP_MQTT_PASSWORD): the command line is
 * everybody's to read.
 */
#ifndef WSNTOP_MQTT_PLACE_H
#define WSNTOP_MQTT_PLACE_H

#include <stdbool.h>

#include "core/base/err.h"

struct mqtt_place {
	bool tls;
	char host[256];
	unsigned port;			/* 1883, with TLS 8883 */
	char path[256];			/* without slashes at its ends; "" none */
	char user[128], ca[512], cert[512], key[512];	/* "": not given */
};

bool mqtt_is_place(const char *text);

/* 0, or ERR_USAGE with the sentence. */
int mqtt_place_read(struct mqtt_place *p, const char *text, struct err *err);

#endif
