/*
 * Any bytes as an ELF, examined by the doctor, and as the image by which `wsntop init` chooses
 * settings.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/doctor/doctor.h"
#include "core/kit/choice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Behind the head each line of the settings is blank, a directive or one whole comment. */
static void text_check(const char *text)
{
	const char *line = strstr(text, " */\n");

	for (line = line ? line + 4 : ""; *line; line += strcspn(line, "\n") + 1) {
		size_t n = strcspn(line, "\n");
		const char *end = strstr(line, "*/");

		if (n && *line != '#' && (memcmp(line, "/*", 2) != 0 || end != line + n - 2))
			__builtin_trap();
	}
}

static void settings_choose(const char *path)
{
	for (const struct layout *l = layouts; l->name; l++) {
		struct err err = { 0 };
		struct choices c;
		struct buf text = BUF_INIT;

		if (choices_make(&c, l, 0, path, 0, &err) == 0)
			choices_write(&c, l, &text);
		else if (!err_is_set(&err))
			__builtin_trap();
		text_check(buf_str(&text));
		buf_release(&text);
		choices_release(&c);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("image", MFD_CLOEXEC);
	struct err err = { 0 };
	struct doctor *d;
	char path[64];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		__builtin_trap();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	d = doctor_new(path, &err);
	if (!d && !err_is_set(&err))
		__builtin_trap();
	for (size_t i = 0; d && i < doctor_count(d); i++) {
		if (strpbrk(doctor_finding(d, i)->text, "\033\n\r\t"))
			__builtin_trap(); /* a name from the file reached the terminal as it was */
	}
	doctor_free(d);
	settings_choose(path);
	close(fd);
	return 0;
}
