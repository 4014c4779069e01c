/* What crowd*.c share: a keyframe as it was read, and the crowd itself. Private to them. */
#ifndef WSNTOP_FLEET_CROWD_OWN_H
#define WSNTOP_FLEET_CROWD_OWN_H

#include "core/base/texts.h"
#include "core/fleet/crowd.h"

/* A row of the payload that is read. */
struct heard_row {
	uint64_t key;			/* from << 32 | to */
	enum wire_total_kind kind;
	uint32_t site;			/* of the build; once it is known to be wanted */
	uint64_t calls, total;
};

/* A payload, read. */
struct heard_all {
	struct crowd *crowd;
	struct wire *wire;
	struct wire_hello hello;
	struct wire_status status;
	bool greeted, foreign, told, full;
	char name[CROWD_NAME];
	uint32_t id;
	uint32_t build;
	struct heard_row *rows;
	size_t count, cap;
	struct index index[TOTAL_PC + 1];
};

struct crowd {
	struct crowd_limits limits;
	struct crowd_node **nodes;
	size_t count, cap;
	struct index index;		/* by place and id */
	struct build **builds;
	size_t build_count, build_cap;
	struct texts places;
	size_t bytes;			/* of nodes and their tables */
	struct quota own;		/* where the limits name none */
	struct quota_part part;
	struct heard_all heard;		/* kept for its memory */
	struct crowd_tally tally;
};

/* crowd_heard.c */
void heard_read(struct heard_all *h, const void *data, size_t n, const struct codemap *code);
void heard_take_model(struct heard_all *h, const struct crowd_model *model);
uint64_t heard_sum(const struct heard_all *h);	/* of all that was counted */
size_t heard_memory(const struct heard_all *h);
void heard_release(struct heard_all *h);

/* crowd_take.c: into a node of the crowd, if it is newer than what is known of it. */
enum crowd_result crowd_take(struct crowd *c, struct crowd_node *n, struct heard_all *h,
			     const struct crowd_heard *at);

/* crowd.c: so many bytes more; what takes no more than it has always finds room. */
bool crowd_room(struct crowd *c, size_t bytes);

#endif
