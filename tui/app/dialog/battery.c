/* battery: its capacity and the supply's voltage, typed on the screen: "220mAh", "220mAh 3.3V". */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/power/model.h"
#include "tui/app/ui/ui.h"

#define HOUR 3600.0

/* Words of a capacity or a voltage; each may be missing. False: one is neither. */
static bool battery_read(char *text, double *charge, double *volts)
{
	char *rest, *word = strtok_r(text, " ,", &rest);

	for (; word; word = strtok_r(NULL, " ,", &rest)) {
		double hours = power_quantity(word, "Ah"), v = power_quantity(word, "V");

		if (hours > 0 && hours < 1e8)
			*charge = HOUR * hours;
		else if (v > 0 && v < 1e3)
			*volts = v;
		else
			return false;
	}
	return true;
}

/* Nothing typed: there is none. */
static struct dialog_reply battery_done(struct ui *u)
{
	double charge = u->prompt.len ? (double)NAN : 0, volts = NAN;
	char text[PROMPT_TEXT];

	snprintf(text, sizeof(text), "%s", u->prompt.text);
	if (!battery_read(text, &charge, &volts)) {
		snprintf(u->prompt.trouble, sizeof(u->prompt.trouble),
			 "expected a capacity, a voltage or both: 220mAh, 2Ah 3.3V");
		return (struct dialog_reply){ .stay = true };
	}
	node_set_battery(ui_pane(u)->node, charge, volts);
	pane_stale(ui_pane(u));
	return DIALOG_CLOSED;
}

static const struct dialog battery_dialog = { .edited = ui_prompt_clear, .done = battery_done };

void ui_ask_battery(struct ui *u)
{
	const struct energy_report *r = node_energy_told(ui_pane(u)->node);
	char now[32] = "";

	if (!r) {
		ui_say(u, true, "no battery: neither a power meter nor a model; --power gives one");
		return;
	}
	if (r->battery_c > 0)
		snprintf(now, sizeof(now), "%.4gmAh", r->battery_c / HOUR * 1e3);
	prompt_open(&u->prompt, "Battery (220mAh, 2Ah 3.3V):", now, NULL);
	ui_open_dialog(u, &battery_dialog);
}
