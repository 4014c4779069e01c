/*
 * broker: mqtt://BROKER/SITE/NODE, NODE an id of 8 hex digits or + for all: the nodes that relays
 * publish there (core/mqtt/topic.h), each a link. Its bytes: a keyframe first, then all behind it,
 * for as long as a lease is held. What is lost between is the decoder's to see: a gap in the
 * frames' numbers, which the running totals close. Private to core/link/.
 */
#ifndef WSNTOP_LINK_BROKER_H
#define WSNTOP_LINK_BROKER_H

struct broker_node;		/* link_options.channel: what a carrier and a node's link share */

#endif
