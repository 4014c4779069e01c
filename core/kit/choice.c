#include "core/kit/choice.h"

#include <elf.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/doctor/check.h"
#include "core/image/attributes.h"

/* What the tables of a chip take (target-common/wsnprof_defaults.h, level 2). */
struct costs {
	unsigned site, open, rest;	/* bytes: a call site, an open call, all else */
	unsigned task;			/* a task's shadow stack of 16 calls, freertos_trace.h */
	unsigned sites_max;
};

static const struct costs costs_avr = {
	.site = 16, .open = 8, .rest = 200, .task = 138, .sites_max = 512,
};
static const struct costs costs_arm = {
	.site = 32, .open = 12, .rest = 600, .task = 240, .sites_max = 1024,
};

enum {
	TASKS_MIN = 4,
	TASKS_MORE = 3,		/* the one that sends; two that a loop or a pointer creates */
};

/* --- rows ------------------------------------------------------------------------------------- */

static struct choice *choice_named(struct choices *s, const char *name)
{
	for (size_t i = 0; i < s->count; i++)
		if (strcmp(s->v[i].name, name) == 0)
			return &s->v[i];
	return NULL;
}

/* A later value takes an earlier one's place: the image knows better than the layout. */
__attribute__((format(printf, 4, 5)))
static void choice_add(struct choices *s, const char *name, const char *value,
			const char *why, ...)
{
	struct choice *row = choice_named(s, name);
	va_list args;

	if (!row && s->count == CHOICES_MAX)
		return;
	row = row ? row : &s->v[s->count++];
	snprintf(row->name, sizeof(row->name), "%s", name);
	snprintf(row->value, sizeof(row->value), "%s", value);
	va_start(args, why);
	vsnprintf(row->why, sizeof(row->why), why, args);
	va_end(args);
}

static void layout_choices_add(struct choices *s, const struct layout *l)
{
	for (const struct layout_setting *t = l->settings; t && t->name; t++)
		if (t->chips & s->chip)
			choice_add(s, t->name, t->value, "%s", t->why);
}

/* --- tables ----------------------------------------------------------------------------------- */

/* Of the application: DWARF describes it, where there is DWARF. */
static bool function_is_own(const struct survey *s, uint32_t id, bool debug)
{
	const struct survey_function *f = &s->functions[id];

	return !(f->traits & (FUNCTION_RUNTIME | FUNCTION_HOOK)) &&
	       (!debug || (f->traits & FUNCTION_DEBUG));
}

/* Libraries have DWARF where the program was built without -g: then it tells nothing. */
static bool debug_tells(const struct survey *s)
{
	uint32_t entry = survey_named(s, "main");
	bool debug = false;

	if (entry < s->count)
		return s->functions[entry].traits & FUNCTION_DEBUG;
	for (uint32_t i = 0; i < s->count; i++)
		debug |= (s->functions[i].traits & FUNCTION_DEBUG) != 0;
	return debug;
}

/* Places that would call a function with hooks: direct calls, and the ones that nothing calls. */
static uint64_t places_count(const struct survey *s)
{
	uint64_t places = 0;
	bool debug = debug_tells(s);

	for (size_t i = 0; i < s->call_count; i++)
		places += function_is_own(s, s->calls[i].to, debug);
	for (uint32_t i = 0; i < s->count; i++)
		places += function_is_own(s, i, debug) && (s->functions[i].traits & FUNCTION_ISR);
	return places;
}

/* Bytes of RAM that the tables may take: half of what is free; UINT64_MAX: not known. */
static uint64_t room_count(const struct survey *s)
{
	const struct objects *o = &s->objects;

	if (!o->ram_size)
		return UINT64_MAX;
	return o->ram_used < o->ram_size ? (o->ram_size - o->ram_used) / 2 : 0;
}

/* Bytes of the tasks' shadow stacks. */
static uint64_t tasks_choose(struct choices *s, const struct survey *survey,
			     const struct layout *l, const struct costs *c)
{
	uint64_t places, tasks;
	char value[24];

	if (!l->tasks_max)
		return 0;
	places = check_task_places(survey);
	tasks = places + TASKS_MORE > TASKS_MIN ? places + TASKS_MORE : TASKS_MIN;
	snprintf(value, sizeof(value), "%" PRIu64, tasks);
	choice_add(s, l->tasks_max, value, "%" PRIu64 " places create tasks, those of the kernel "
		   "too; %u bytes a task", places, c->task);
	return tasks * c->task;
}

static void sites_choose(struct choices *s, const struct survey *survey, const struct layout *l)
{
	const struct costs *c = s->chip == LAYOUT_AVR ? &costs_avr : &costs_arm;
	uint64_t places = places_count(survey), room = room_count(survey), sites = 8;
	uint64_t rest = c->rest + tasks_choose(s, survey, l, c);
	uint64_t most = l->sites_max ? l->sites_max : c->sites_max;
	unsigned open = room < 2048 ? 12 : 32;
	char value[24];

	if (!places) {
		buf_adds(&s->notes, "the image has no symbols of functions: default tables\n");
		return;
	}
	while (sites * 2 < places * 3 && sites < most &&
	       sites * 2 * c->site + open * c->open + rest <= room)
		sites *= 2;
	snprintf(value, sizeof(value), "%" PRIu64, sites);
	if (room == UINT64_MAX)
		choice_add(s, "WSNPROF_SITES", value, "%" PRIu64 " places call functions", places);
	else
		choice_add(s, "WSNPROF_SITES", value, "%" PRIu64 " places call functions, %" PRIu64
			    " bytes of RAM are free", places, room * 2);
	snprintf(value, sizeof(value), "%u", open);
	choice_add(s, "WSNPROF_STACK", value, "calls that may be open, %u bytes each", c->open);
	if (sites < places)
		buf_addf(&s->notes, "%" PRIu64 " places call functions and the table has room for "
			 "%" PRIu64 ": instrument the modules of interest alone\n", places, sites);
	if (sites * c->site + open * c->open + rest > room)
		buf_addf(&s->notes, "RAM: the tables take about %" PRIu64 " bytes, more than half "
			 "of what is free\n", sites * c->site + open * c->open + rest);
}

/* --- AVR -------------------------------------------------------------------------------------- */

static uint8_t devices_written(const struct survey *s)
{
	uint8_t devices = 0;

	for (uint32_t i = 0; i < s->count; i++)
		if (!(s->functions[i].traits & (FUNCTION_RUNTIME | FUNCTION_HOLDS)))
			devices |= s->functions[i].devices;
	return devices;
}

static void timer_choose(struct choices *s, const struct survey *survey, const struct layout *l)
{
	uint8_t used = devices_written(survey) | (uint8_t)l->timers;
	int timer = check_free_timer(s->device, used);
	char value[16];

	if (timer == 1)
		return;
	if (timer < 0) {
		buf_adds(&s->notes, "no timer is free: target-avr/README.md, WSNPROF_TIMER_READ\n");
		return;
	}
	snprintf(value, sizeof(value), "%d", timer);
	choice_add(s, "WSNPROF_TIMER", value, "the %s timer 1%s",
		   l->timers & 1u << 1 ? "RTOS has" : "firmware writes",
		   timer == 0 || timer == 2 ? "; this one has 8 bits" : "");
}

static void usart_choose(struct choices *s, const struct survey *survey, const struct layout *l)
{
	static const char *const without[] = { "atmega8u", "atmega16u", "atmega32u", "at90usb" };

	if (l->no_uart)
		return;
	for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++) {
		if (!text_begins(s->device, without[i]))
			continue;
		choice_add(s, "WSNPROF_UART", "0", "%s", "this chip has no USART 0");
		buf_adds(&s->notes, "write a transmit function: target-avr/README.md\n");
		return;
	}
	if (devices_written(survey) & 1u << SURVEY_USART)
		buf_adds(&s->notes, "the firmware writes USART 0: print text by wsnprof_putchar(), "
			 "or give the profiler another line (WSNPROF_UART 0)\n");
}

/* --- Cortex-M --------------------------------------------------------------------------------- */

/* CMSIS' variable, as start-up code copies it into RAM; 0: not there, or not set yet. */
static uint32_t clock_of_image(const struct survey *survey)
{
	const struct object *o = objects_find(&survey->objects, "SystemCoreClock");
	const struct elf_section *in;
	uint64_t size = 0;
	uint32_t hz = 0;
	uint8_t *bytes;

	if (!o || o->absolute || o->section >= survey->elf.section_count)
		return 0;
	in = &survey->elf.sections[o->section];
	bytes = in->type == SHT_PROGBITS ? elf_load(&survey->elf, in, 4, &size) : NULL;
	if (bytes && o->address >= in->address && o->address - in->address < size)
		hz = bits_load32(bytes + (o->address - in->address), survey->elf.big_data);
	mem_free(bytes);
	return hz;
}

static void clock_choose(struct choices *s, const struct survey *survey, const struct layout *l,
			 uint64_t hz)
{
	const char *why = "as --clock gives it";
	struct choice *row = choice_named(s, "WSNPROF_CLOCK_HZ");
	char value[24] = "";

	if (!hz && survey && (hz = clock_of_image(survey)))
		why = "the image's SystemCoreClock, before the program sets another";
	if (hz)
		snprintf(value, sizeof(value), "%" PRIu64, hz);
	else if (row && row->value[0])
		return;
	else
		why = l->clock ? l->clock : "the core's clock in Hz";
	choice_add(s, "WSNPROF_CLOCK_HZ", value, "%s", why);
	if (!hz)
		buf_adds(&s->notes, "fill in WSNPROF_CLOCK_HZ, or give --clock=HZ\n");
}

static void flash_choose(struct choices *s, const struct survey *survey)
{
	uint64_t at = survey->vectors ? survey->vectors_at :
		      survey->elf.code_count ? survey->elf.code[0].address : 0;
	char value[24];

	if (!at || at > UINT32_MAX)
		return;
	snprintf(value, sizeof(value), "0x%08" PRIx64 "u", at);
	choice_add(s, "WSNPROF_FLASH_START", value, "where the image begins");
}

/* --- the whole -------------------------------------------------------------------------------- */

static void image_choose(struct choices *s, const struct survey *survey, const struct layout *l)
{
	snprintf(s->device, sizeof(s->device), "%s", survey->objects.device);
	sites_choose(s, survey, l);
	if (s->chip == LAYOUT_AVR) {
		if (!l->keeps_timer)
			timer_choose(s, survey, l);
		usart_choose(s, survey, l);
		return;
	}
	flash_choose(s, survey);
	if (arm_arch_is_thumb1(survey->objects.arm_arch))
		buf_adds(&s->notes, "this core has no CYCCNT: SysTick is the clock, or a timer "
			 "(target-cortexm/README.md, WSNPROF_CLOCK_ADDRESS)\n");
}

static int chip_judge(struct choices *s, const struct survey *survey, unsigned chip,
		      const char *elf, struct err *err)
{
	enum elf_isa isa = survey->elf.machine->isa;

	s->chip = isa == ELF_ISA_AVR ? LAYOUT_AVR : isa == ELF_ISA_ARM ? LAYOUT_CORTEXM : 0;
	if (!s->chip)
		return err_set(err, ERR_USAGE, "%s: the runtime is not written for %s: see "
			       "docs/PORTING.md", elf, survey->elf.machine->name);
	if (chip && chip != s->chip)
		return err_set(err, ERR_USAGE, "%s: is for %s: leave --chip out", elf,
			       layout_chip_name(s->chip));
	return 0;
}

static int layout_judge(const struct choices *s, const struct layout *l, struct err *err)
{
	if (s->chip & l->chips)
		return 0;
	return err_set(err, ERR_USAGE, "--rtos=%s: there is none for %s: leave it out, or see "
		       "docs/integration", l->name, layout_chip_name(s->chip));
}

static int survey_choose(struct choices *s, const struct layout *l, unsigned chip,
			 const char *elf, uint64_t clock_hz, struct err *err)
{
	struct survey *survey = mem_zalloc(sizeof(*survey));
	int ret;

	if (!survey)
		return err_set(err, ERR_NOMEM, "%s: out of memory", elf);
	ret = survey_open(survey, elf, err);
	if (ret == 0)
		ret = chip_judge(s, survey, chip, elf, err);
	if (ret == 0)
		ret = layout_judge(s, l, err);
	if (ret == 0) {
		layout_choices_add(s, l);
		image_choose(s, survey, l);
		if (s->chip == LAYOUT_CORTEXM)
			clock_choose(s, survey, l, clock_hz);
	}
	survey_release(survey);
	mem_free(survey);
	return ret;
}

int choices_make(struct choices *s, const struct layout *l, unsigned chip, const char *elf,
		    uint64_t clock_hz, struct err *err)
{
	*s = (struct choices){ .chip = chip };
	buf_init(&s->notes);
	if (elf)
		return survey_choose(s, l, chip, elf, clock_hz, err);
	if (layout_judge(s, l, err) < 0)
		return ERR_USAGE;
	layout_choices_add(s, l);
	if (chip == LAYOUT_CORTEXM)
		clock_choose(s, NULL, l, clock_hz);
	return 0;
}

void choices_release(struct choices *s)
{
	buf_release(&s->notes);
}

static void choice_write(const struct choice *t, bool guarded, struct buf *out)
{
	buf_addf(out, "\n/* %s. */\n", t->why);
	if (!t->value[0]) {
		buf_addf(out, "#ifndef %s\n#error \"%s: %s\"\n#endif\n", t->name, t->name, t->why);
		return;
	}
	if (guarded)
		buf_addf(out, "#ifndef %s\n", t->name);
	buf_addf(out, "#define %s %s\n", t->name, t->value);
	if (guarded)
		buf_adds(out, "#endif\n");
}

void choices_write(const struct choices *s, const struct layout *l, struct buf *out)
{
	buf_adds(out, "/*\n * wsnprof's settings, chosen by `wsntop init`. wsnprof_defaults.h "
		 "lists all, with\n * their meaning; the assembler reads this file, too.\n */\n");
	for (size_t i = 0; i < s->count; i++)
		choice_write(&s->v[i], l->guarded, out);
}
