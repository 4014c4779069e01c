/* missing: where there was no libmosquitto to build with. */
#include "core/mqtt/mqtt.h"

#ifndef WSNTOP_MQTT

struct mqtt *mqtt_new(const struct mqtt_place *place, const struct mqtt_hooks *hooks,
		      const struct mqtt_will *will, struct err *err)
{
	(void)place;
	(void)hooks;
	(void)will;
	err_set(err, ERR_USAGE, "this wsntop was built without MQTT; install libmosquitto-dev and "
		"build it again");
	return NULL;
}

void mqtt_free(struct mqtt *m)
{
	(void)m;
}

int mqtt_poll(const struct mqtt *m, uint64_t now, struct pollfd *fd)
{
	(void)m;
	(void)now;
	*fd = (struct pollfd){ .fd = -1 };
	return -1;
}

void mqtt_service(struct mqtt *m, uint64_t now)
{
	(void)m;
	(void)now;
}

bool mqtt_is_up(const struct mqtt *m)
{
	(void)m;
	return false;
}

const char *mqtt_why(const struct mqtt *m)
{
	(void)m;
	return "";
}

unsigned mqtt_version(const struct mqtt *m)
{
	(void)m;
	return 0;
}

int mqtt_subscribe(struct mqtt *m, const char *filter, enum mqtt_publishing how)
{
	(void)m;
	(void)filter;
	(void)how;
	return ERR_ABSENT;
}

int mqtt_unsubscribe(struct mqtt *m, const char *filter)
{
	(void)m;
	(void)filter;
	return ERR_ABSENT;
}

bool mqtt_has_room(const struct mqtt *m, unsigned how)
{
	(void)how;
	(void)m;
	return false;
}

int mqtt_publish(struct mqtt *m, const char *topic, const void *data, size_t n, unsigned how,
		 const struct mqtt_extra *extra)
{
	(void)m;
	(void)topic;
	(void)data;
	(void)n;
	(void)how;
	(void)extra;
	return ERR_ABSENT;
}

#endif
