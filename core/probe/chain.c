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
		  c->broken ? "see OpenOCD's messages; `targets` there must say \"running\""
			    : NULL,
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
	if (c->target)
		return;
	c->broken = true;
	chain_say(c, "server", DOCTOR_FAULT,
		  "start OpenOCD with the configuration of your probe and chip; its Tcl port is "
		  "6666 unless tcl_port is set", "%s", err.text);
}

static void chain_walk(struct chain *c)
{
	chain_connect(c);
	for (size_t i = 0; i < sizeof(chain_links) / sizeof(chain_links[0]) && !c->broken; i++)
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
	if (!format || strcmp(format, "openocd") != 0) {
		err_set(err, ERR_USAGE, "%s: expected openocd:[HOST:PORT]", source);
		return NULL;
	}
	c.doctor = doctor_blank();
	if (!c.doctor)
		err_set(err, ERR_NOMEM, "out of memory");
	else if (chain_image(&c, elf, err) == 0) {
		chain_walk(&c);
		d = c.doctor;
		c.doctor = NULL;
		d = doctor_finish(d, *facts->core ? facts->core : "no core found", err);
	}
	doctor_free(c.doctor);
	target_free(c.target);
	image_free(c.image);
	identity_release(&c.identity);
	return d;
}
