/*
 * resync: the next whole chunk of a recording, behind damage.
 *
 * Any byte may begin one: its head must be possible and its check right. A chunk's check is made
 * of the checks of all bytes before its begin and before its end, so that it costs the same however
 * long the chunk is said to be: a file full of false heads is searched as fast as any other.
 */
#ifndef WSNTOP_LINK_RESYNC_H
#define WSNTOP_LINK_RESYNC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct resync;

struct resync *resync_new(size_t most);	/* for a buffer of so many bytes; NULL: no memory */
void resync_free(struct resync *s);	/* NULL is fine */
void resync_forget(struct resync *s);	/* the buffer's bytes are others now. NULL is fine */

/* Whether the check of the chunk of `size` bytes at buffer[from] is right. */
bool resync_is_whole(struct resync *s, const uint8_t *buffer, size_t from, size_t size);

/*
 * Where in buffer[from..end) the first whole chunk begins: true. False: none does; at *at begins
 * what may be one that `end` cuts, or it is `end`.
 */
bool resync_find(struct resync *s, const uint8_t *buffer, size_t from, size_t end, size_t *at);

#endif
