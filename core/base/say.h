/* say: lines of what runs for long, to whoever runs it: who connected, what was refused. */
#ifndef WSNTOP_BASE_SAY_H
#define WSNTOP_BASE_SAY_H

struct say {
	void (*line)(void *ctx, const char *line);
	void *ctx;
};

/* Longer ones than 1,023 bytes are cut. */
void say_line(const struct say *to, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
