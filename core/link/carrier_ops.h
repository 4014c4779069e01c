/* carrier_ops: the kinds of carriers. Private to core/link/. */
#ifndef WSNTOP_LINK_CARRIER_OPS_H
#define WSNTOP_LINK_CARRIER_OPS_H

#include <stdbool.h>

#include "core/link/carrier.h"

extern const struct carrier_ops carrier_twin, carrier_broker, carrier_udp;
bool twin_is(const char *source);		/* that brings two */

#endif
