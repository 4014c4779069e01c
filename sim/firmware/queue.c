/* queue: a ring of pointers. */
#include <stddef.h>

#include "app.h"

static uint8_t wrap(uint8_t i)
{
	return i >= QUEUE_LENGTH ? i - QUEUE_LENGTH : i;
}

void queue_init(struct queue *q)
{
	q->first = 0;
	q->count = 0;
}

bool queue_push(struct queue *q, uint8_t *item)
{
	if (q->count == QUEUE_LENGTH)
		return false;
	q->item[wrap(q->first + q->count)] = item;
	q->count++;
	return true;
}

uint8_t *queue_pop(struct queue *q)
{
	uint8_t *item;

	if (!q->count)
		return NULL;
	item = q->item[q->first];
	q->first = wrap(q->first + 1);
	q->count--;
	return item;
}
