/*
 * wsnprof_struct: declares a struct for C and for assembly at once. For the runtime's own files.
 *
 *	WSNPROF_STRUCT(ring)
 *		WSNPROF_MEMBER(ring, uint8_t, head)
 *		WSNPROF_ARRAY(ring, uint8_t, text, WSNPROF_RING)
 *	WSNPROF_STRUCT_END(ring)
 *
 * In C this declares struct wsnprof_ring. In assembly each member becomes a local symbol whose
 * value is its offset, .Lring_head, and .Lring_bytes is the size. WSNPROF_OFFSET(ring, head) is the
 * offset in both languages.
 *
 * Assembly adds the members' sizes, and does not know of padding. AVR never pads, which
 * WSNPROF_STRUCT_END asserts. On other chips a struct that assembly reads needs an assertion of its
 * own.
 */
#ifndef WSNPROF_STRUCT_H
#define WSNPROF_STRUCT_H

#ifdef __ASSEMBLER__

#define WSNPROF_SIZE_bool 1
#define WSNPROF_SIZE_uint8_t 1
#define WSNPROF_SIZE_uint16_t 2
#define WSNPROF_SIZE_int16_t 2
#define WSNPROF_SIZE_uint32_t 4
#ifdef __AVR__
#define WSNPROF_SIZE_pointer 2
#else
#define WSNPROF_SIZE_pointer 4
#endif

.macro	wsnprof_member offset, bytes:vararg
	.set	\offset, .Lwsnprof_at
	.set	.Lwsnprof_at, .Lwsnprof_at + (\bytes)
.endm

#define WSNPROF_STRUCT(s) .set .Lwsnprof_at, 0
#define WSNPROF_MEMBER(s, type, name) wsnprof_member .L##s##_##name, WSNPROF_SIZE_##type
#define WSNPROF_VOLATILE(s, type, name) WSNPROF_MEMBER(s, type, name)
#define WSNPROF_POINTER(s, type, name) WSNPROF_MEMBER(s, pointer, name)
#define WSNPROF_ARRAY(s, type, name, n) wsnprof_member .L##s##_##name, WSNPROF_SIZE_##type * (n)
#define WSNPROF_STRUCT_END(s) .set .L##s##_bytes, .Lwsnprof_at
#define WSNPROF_PACKED_END(s) WSNPROF_STRUCT_END(s)
#define WSNPROF_OFFSET(s, name) .L##s##_##name

#else

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WSNPROF_STRUCT(s) struct wsnprof_##s {
#define WSNPROF_MEMBER(s, type, name) type name;
#define WSNPROF_VOLATILE(s, type, name) volatile type name;
#define WSNPROF_POINTER(s, type, name) type *name;
#define WSNPROF_ARRAY(s, type, name, n) type name[n];
#if defined(__AVR__) && !defined(__cplusplus)
#define WSNPROF_STRUCT_END(s) \
	}; \
	_Static_assert(__alignof__(struct wsnprof_##s) == 1, "wsnprof_" #s " has no padding");
#else
#define WSNPROF_STRUCT_END(s) };
#endif
#define WSNPROF_PACKED_END(s) } __attribute__((packed));
#define WSNPROF_OFFSET(s, name) offsetof(struct wsnprof_##s, name)

#endif

/* What C and assembly must agree on: wsntop doctor compares wsnprof_built_c and _s. */
#define WSNPROF_BUILT ((WSNPROF_LEVEL) + 4 * (WSNPROF_TASKS) + 8 * (WSNPROF_STACK) + \
	4096 * (WSNPROF_SITES))

#endif
