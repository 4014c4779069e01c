/* strike: simavr's interrupt vectors, raised from outside. */
#include <inttypes.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/mem.h"
#include "sim/strike.h"

static void on_taken(avr_irq_t *irq, uint32_t running, void *param)
{
	struct strike *s = param;

	(void)irq;
	if (!running || !s->since)
		return;
	if (s->since == 1)
		s->place[s->at].struck++;
	else
		s->place[s->at].late++;
	s->since = 0;
}

int strike_init(struct strike *s, avr_t *avr, uint64_t vector, uint64_t apart, struct err *err)
{
	memset(s, 0, sizeof(*s));
	s->avr = avr;
	s->apart = apart;
	for (int i = 0; i < avr->interrupts.vector_count; i++)
		if (avr->interrupts.vector[i]->vector == vector)
			s->vector = avr->interrupts.vector[i];
	if (!s->vector)
		return err_set(err, ERR_USAGE, "--strike=%" PRIu64 ": no such interrupt", vector);
	s->places = avr->flashend / 2 + 1;
	s->place = mem_zalloc(s->places * sizeof(*s->place));
	if (!s->place)
		return err_set(err, ERR_NOMEM, "out of memory");
	avr_irq_register_notify(s->vector->irq + AVR_INT_IRQ_RUNNING, on_taken, s);
	return 0;
}

void strike_release(struct strike *s)
{
	mem_free(s->place);
}

void strike_step(struct strike *s)
{
	avr_t *avr = s->avr;
	struct strike_place *p = &s->place[avr->pc / 2 % s->places];
	bool allowed;

	if (avr->state != cpu_Running || !avr_regbit_get(avr, s->vector->enable))
		return;
	s->since += s->since != 0;
	allowed = avr->sreg[S_I] && s->was_on;
	s->was_on = avr->sreg[S_I];
	if (!allowed) {
		p->off++;
		return;
	}
	p->on++;
	if (p->on >> (p->struck + p->late) == 0 || s->vector->pending || avr->cycle < s->next)
		return;
	s->next = avr->cycle + s->apart;
	s->at = avr->pc / 2;
	s->since = 1;
	avr_raise_interrupt(avr, s->vector);
}

int strike_write(const struct strike *s, const char *path, struct err *err)
{
	return file_write(path, s->place, s->places * sizeof(*s->place), err);
}
