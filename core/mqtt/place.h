/*
 * place: where a broker is, and what of it is meant:
 *
 *	mqtt://HOST[:PORT]/PATH[?user=NAME&ca=FILE&cert=FILE&key=FILE]
 *
 * mqtts: is TLS; the options are core/base/login.h's. A password is taken from the environment
 * (WSNTOP_MQTT_PASSWORD).
 */
#ifndef WSNTOP_MQTT_PLACE_H
#define WSNTOP_MQTT_PLACE_H

#include <stdbool.h>

#include "core/base/err.h"
#include "core/base/login.h"

struct mqtt_place {
	bool tls;
	char host[256];
	unsigned port;			/* 1883, with TLS 8883 */
	char path[256];			/* without slashes at its ends; "" none */
	struct login who;
};

bool mqtt_is_place(const char *text);

/* 0, or ERR_USAGE with the sentence. */
int mqtt_place_read(struct mqtt_place *p, const char *text, struct err *err);

#endif
