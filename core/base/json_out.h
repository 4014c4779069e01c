/*
 * json_out: JSON written as it is made (RFC 8259). Memory does not grow with the document.
 *
 * The outermost object has a line for each member, an array in it a line for each entry; what is
 * deeper stands in that line:
 *
 *	{"wsntop":1,
 *	 "node":{"name":"mote","hz":1000},
 *	 "sites":[
 *	  {"calls":1},
 *	  {"calls":2}]}
 *
 * A key of NULL is an entry of an array. Keys are written as they are; texts are made visible. In a
 * page's script (`script`) a text cannot end it: "<" is \u003c.
 */
#ifndef WSNTOP_BASE_JSON_OUT_H
#define WSNTOP_BASE_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/out.h"

struct json_out {
	struct out *out;
	unsigned depth;			/* open objects and arrays */
	bool more;			/* a comma comes before the next entry */
	bool script;			/* it stands in a <script> of HTML */
};

void json_begin_object(struct json_out *j, const char *key);
void json_end_object(struct json_out *j);
void json_begin_array(struct json_out *j, const char *key);
void json_end_array(struct json_out *j);

void json_null(struct json_out *j, const char *key);
void json_bool(struct json_out *j, const char *key, bool value);
void json_text(struct json_out *j, const char *key, const char *text);	/* NULL: null */
void json_number(struct json_out *j, const char *key, double v);	/* not finite: null */

/* With every digit of 64 bits; not known: null. */
void json_count(struct json_out *j, const char *key, bool known, uint64_t n);
void json_signed(struct json_out *j, const char *key, bool known, int64_t n);

#endif
