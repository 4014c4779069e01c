/*
 * wsnprof_protocol: the wsn protocol's numbers, the node's side. docs/PROTOCOL.md explains them; a
 * test on the host compares this file with it.
 */
#ifndef WSNPROF_PROTOCOL_H
#define WSNPROF_PROTOCOL_H

#define WSNPROF_VERSION 1

/* Types, bits 0-4 of a frame's head. Bits 5-7: the epoch modulo 8. */
#define WSNPROF_HELLO 1
#define WSNPROF_STATUS 2
#define WSNPROF_TYPE_SITES 3
#define WSNPROF_TYPE_ARCS 4
#define WSNPROF_TYPE_PCS 5
#define WSNPROF_CLOSED_ARCS 6
#define WSNPROF_CLOSED_PCS 7
#define WSNPROF_NODE_NAME 8
#define WSNPROF_LOST 9
#define WSNPROF_NODE_IDENTITY 10
#define WSNPROF_TYPE_TRACE 11
#define WSNPROF_TRACING 12

#define WSNPROF_CMD_START 16
#define WSNPROF_CMD_STOP 17
#define WSNPROF_CMD_RESET 18
#define WSNPROF_CMD_ALL 19
#define WSNPROF_CMD_HZ 20
#define WSNPROF_CMD_SELECT 21
#define WSNPROF_CMD_PERIOD 22
#define WSNPROF_CMD_REPORT 23

/* HELLO's features. */
#define WSNPROF_F_TIMED 0x001
#define WSNPROF_F_MINMAX 0x002
#define WSNPROF_F_HISTOGRAM 0x004
#define WSNPROF_F_CODED 0x008
#define WSNPROF_F_TAKEN_BACK 0x010
#define WSNPROF_F_ARCS 0x020
#define WSNPROF_F_PCS 0x040
#define WSNPROF_F_RECEIVE 0x080
#define WSNPROF_F_RUNNING 0x100
#define WSNPROF_F_ISR 0x200
#define WSNPROF_F_SITES 0x400
#define WSNPROF_F_OWN_ISR 0x800
#define WSNPROF_F_MISSED 0x1000
#define WSNPROF_F_TRACE 0x2000

#define WSNPROF_ARCH_AVR 1
#define WSNPROF_ARCH_AVR22 2
#define WSNPROF_ARCH_ARMV6M 3
#define WSNPROF_ARCH_ARMV7M 4

#define WSNPROF_IDENTITY_NONE 0
#define WSNPROF_IDENTITY_SUM 1
#define WSNPROF_IDENTITY_BUILD_ID 2

#define WSNPROF_CRC_INIT 0xffff		/* CRC-16/IBM-3740 */

#endif
