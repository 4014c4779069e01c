/*
 * operand: what stands on the command line without an option. By what it is: an ELF file is the
 * image, anything else that can be read is a source.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tui/config/options.h"

static bool is_elf(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char magic[4];
	bool is = fd >= 0 && read(fd, magic, sizeof(magic)) == (ssize_t)sizeof(magic) &&
		  !memcmp(magic, "\177ELF", sizeof(magic));

	if (fd >= 0)
		close(fd);
	return is;
}

static int add(struct option_list *l, const char *word, struct err *err)
{
	if (l->count == OPTIONS_SOURCES)
		return err_set(err, ERR_USAGE, "%s: more than %d are given", word, OPTIONS_SOURCES);
	l->items[l->count++] = word;
	return 0;
}

int options_operand(struct options *o, const char *word, struct err *err)
{
	struct stat st;

	if (stat(word, &st) < 0) {
		if (strncmp(word, "tcp:", 4) == 0 || strncmp(word, "unix:", 5) == 0 ||
		    strncmp(word, "file:", 5) == 0 || strncmp(word, "serial:", 7) == 0)
			return add(&o->ports, word, err);
		return err_set(err, ERR_USAGE, "%s: not an option, and %s; a source is given with -p, "
			       "an image with -e", word,
			       errno == ENOENT ? "no such file" : strerror(errno));
	}
	if (S_ISDIR(st.st_mode))
		return err_set(err, ERR_USAGE, "%s: a folder; give an ELF file, a recording or a port",
			       word);
	if (!S_ISREG(st.st_mode) || !is_elf(word))
		return add(&o->ports, word, err);
	o->seek = true;
	return add(&o->elfs, word, err);
}
