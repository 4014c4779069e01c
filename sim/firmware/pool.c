/* pool: fixed blocks, a list of the free ones threaded through them. */
#include <stddef.h>
#include <string.h>

#include "app.h"

#define BLOCKS 10

union block {
	union block *next;
	uint8_t data[POOL_BLOCK];
};

static union block blocks[BLOCKS];
static union block *free_list;
static uint8_t free_count;

void pool_init(void)
{
	uint8_t i;

	free_list = NULL;
	free_count = 0;
	for (i = 0; i < BLOCKS; i++)
		pool_put(blocks[i].data);
}

uint8_t *pool_get(void)
{
	union block *b = free_list;

	if (!b)
		return NULL;
	free_list = b->next;
	free_count--;
	memset(b->data, 0, sizeof(b->data));
	return b->data;
}

void pool_put(uint8_t *block)
{
	union block *b = (union block *)block;

	b->next = free_list;
	free_list = b;
	free_count++;
}

uint8_t pool_free(void)
{
	return free_count;
}
