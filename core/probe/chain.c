#include "core/probe/chain.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/link/link.h"
#include "core/probe/parts.h"

/* Each needs those before it, unless these say by `broken` that nothing else works. */
static void (*const chain_links[])(struct chain *c) = {
	chain_server,
	chain_core,
	chain_maker,
	chain_running,
	chain_flash,
	chain_trace,
	chain_samples,
	chain_units,
	chain_itm,
	chain_swo,
};

/* By a gdb server: those of a Cortex-M where memory is read while it runs, the flash of any. */
static void (*const remote_links[])(struct chain *c) = {
	chain_remote_server,
	chain_remote_points,
	chain_remote_runs,
};

/* --- what the links use ----------------------------------------------------------------------- */

void chain_say(struct chain *c, const char *about, enum doctor_severity severity,
	       const char *cure, const char *fmt, ...)
{
	char line[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	doctor_note(c->doctor, about, severity, cure, line);
}

bool chain_read(struct chain *c, const char *about, const char *what, uint32_t address,
		uint32_t *words, size_t count, bool optional)
{
	struct err err = { 0 };

	if (target_read(c->target, address, words, count, &err) == 0)
		return true;
	if (err.code == ERR_IO)
		c->broken = true;
	c->broken |= !optional;
	chain_say(c, about, c->broken ? DOCTOR_FAULT : DOCTOR_NOTE,
		  c->broken ? "see the server's messages; OpenOCD's `targets` must say "
			      "\"running\"" : NULL,
		  "%s cannot be read: %s", what, err.text);
	return false;
}

bool chain_try(struct chain *c, uint32_t address, uint32_t before, uint32_t word, uint32_t *back)
{
	if (c->write_count == CHAIN_WRITES || target_write(c->target, address, word, NULL) < 0)
		return false;
	c->writes[c->write_count].address = address;
	c->writes[c->write_count++].word = before;
	return target_read(c->target, address, back, 1, NULL) == 0;
}

/* The last one first: TRCENA, which the others need, was the first. */
void chain_restore(struct chain *c)
{
	while (c->write_count) {
		c->write_count--;
		if (target_write(c->target, c->writes[c->write_count].address,
				 c->writes[c->write_count].word, NULL) == 0)
			continue;
		chain_say(c, "server", DOCTOR_WARNING, "reset the target",
			  "register 0x%08" PRIx32 " was written for a trial and cannot be restored",
			  c->writes[c->write_count].address);
	}
}

/* --- life ------------------------------------------------------------------------------------- */

static int chain_image(struct chain *c, const char *elf, struct err *err)
{
	if (!elf)
		return 0;
	c->image = image_new(elf, err);
	if (!c->image)
		return ERR_FORMAT;
	return identity_read(&c->identity, elf, err);
}

/* No server: the first link of the chain. */
static void chain_connect(struct chain *c)
{
	struct err err = { 0 };

	c->target = target_new(c->source, &err);
	if (c->target) {
		c->remote = target_remote(c->target);
		return;
	}
	c->broken = true;
	if (!strncmp(c->source, "gdb:/", 5) || !strncmp(c->source, "gdb:serial:", 11))
		chain_say(c, "server", DOCTOR_FAULT,
			  "plug in the probe; of Black Magic Probe's two ports the first speaks "
			  "gdb's protocol", "%s", err.text);
	else if (c->facts->gdb.is_server)
		chain_say(c, "server", DOCTOR_FAULT,
			  "start the probe's gdb server: OpenOCD's port is 3333, J-Link's 2331, "
			  "st-util's 4242; it takes one client at a time", "%s", err.text);
	else
		chain_say(c, "server", DOCTOR_FAULT,
			  "start OpenOCD with the configuration of your probe and chip; its Tcl "
			  "port is 6666 unless tcl_port is set", "%s", err.text);
}

/* Of a target that stands nothing of its trace units is to be had. */
static void remote_walk(struct chain *c)
{
	for (size_t i = 0; i < sizeof(remote_links) / sizeof(remote_links[0]) && !c->broken; i++)
		remote_links[i](c);
	for (size_t i = 1; i < sizeof(chain_links) / sizeof(chain_links[0]) && !c->broken; i++) {
		bool wanted = !c->stands || chain_links[i] == chain_flash;

		if (wanted && (chain_is_arm(c) || chain_links[i] == chain_flash))
			chain_links[i](c);
	}
	if (!c->broken)
		chain_remote_stops(c);
}

static void chain_walk(struct chain *c)
{
	chain_connect(c);
	if (c->remote)
		remote_walk(c);
	for (size_t i = 0; i < sizeof(chain_links) / sizeof(chain_links[0]) && !c->broken &&
			   !c->remote; i++)
		chain_links[i](c);
	if (c->target)
		chain_restore(c);
}

struct doctor *chain_examine(const char *source, const char *elf, struct chain_facts *facts,
			     struct err *err)
{
	struct chain c = { .source = source, .facts = facts };
	const char *format = link_format(source);
	struct doctor *d = NULL;

	*facts = (struct chain_facts){ 0 };
	facts->gdb.is_server = format && strcmp(format, "gdb") == 0;
	if (!format || (strcmp(format, "openocd") != 0 && !facts->gdb.is_server)) {
		err_set(err, ERR_USAGE, "%s: expected openocd:[HOST:PORT] or gdb:[HOST:PORT]",
			source);
		return NULL;
	}
	c.doctor = doctor_blank();
	if (!c.doctor)
		err_set(err, ERR_NOMEM, "out of memory");
	else if (chain_image(&c, elf, err) == 0) {
		chain_walk(&c);
		d = c.doctor;
		c.doctor = NULL;
		d = doctor_finish(d, *facts->core ? facts->core :
				  *facts->server ? facts->server : "no core found", err);
	}
	doctor_free(c.doctor);
	target_free(c.target);
	image_free(c.image);
	identity_release(&c.identity);
	return d;
}
