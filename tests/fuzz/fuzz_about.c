/*
 * about: any lines: what is read is written again as what it was, and fits into its chunk.
 */
#include <stdlib.h>
#include <string.h>

#include "core/link/record.h"
#include "core/node/about.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct about a, again;
	struct buf text = BUF_INIT, second = BUF_INIT;
	char *copy = malloc(n + 1);

	if (!copy)
		abort();
	memcpy(copy, data, n);
	copy[n] = '\0';
	about_read(&a, copy);
	about_write(&a, &text);
	about_read(&again, buf_str(&text));
	about_write(&again, &second);
	if (strcmp(buf_str(&text), buf_str(&second)) != 0 || text.len > RECORD_ABOUT_MAX)
		abort();
	buf_release(&text);
	buf_release(&second);
	free(copy);
	return 0;
}
