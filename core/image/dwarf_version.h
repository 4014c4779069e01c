/*
 * dwarf_version: the only file that knows that there are two libdwarfs: the last of the dated
 * versions, 20210528 (Debian 12), and the numbered ones, 0.1 to 2.x, which name their version by
 * DW_LIBDWARF_VERSION. The object interface and some calls have other names there; the
 * calls that the rest of the reader makes have the same signature in both.
 *
 * tests/golden/test_libdwarf.sh compiles the reader against the signatures of both.
 */
#ifndef WSNTOP_IMAGE_DWARF_VERSION_H
#define WSNTOP_IMAGE_DWARF_VERSION_H

#include <stddef.h>

#include <dwarf.h>
#include <libdwarf.h>

#ifdef DW_LIBDWARF_VERSION

typedef Dwarf_Unsigned dwarf_section_index;
typedef Dwarf_Obj_Access_Section_a dwarf_section_info;
typedef Dwarf_Obj_Access_Methods_a dwarf_methods;
typedef Dwarf_Obj_Access_Interface_a dwarf_object;
typedef Dwarf_Small dwarf_byte_order;

#define DWARF_BIG DW_END_big
#define DWARF_LITTLE DW_END_little
#define DWARF_INFO(field) as_##field		/* of a section_info */
#define DWARF_METHOD(method) om_##method
#define DWARF_OBJECT(it, table) { .ai_object = (it), .ai_methods = (table) }
#define DWARF_HAS_FILE_SIZE 1			/* a method more */

#define dwarf_version_free_ranges dwarf_dealloc_ranges

static inline void dwarf_version_finish(Dwarf_Debug dbg)
{
	dwarf_object_finish(dbg);
}

#else

typedef Dwarf_Half dwarf_section_index;
typedef Dwarf_Obj_Access_Section dwarf_section_info;
typedef Dwarf_Obj_Access_Methods dwarf_methods;
typedef Dwarf_Obj_Access_Interface dwarf_object;
typedef Dwarf_Endianness dwarf_byte_order;

#define DWARF_BIG DW_OBJECT_MSB
#define DWARF_LITTLE DW_OBJECT_LSB
#define DWARF_INFO(field) field
#define DWARF_METHOD(method) method
#define DWARF_OBJECT(it, table) { .object = (it), .methods = (table) }
#define DWARF_HAS_FILE_SIZE 0

#define dwarf_version_free_ranges dwarf_ranges_dealloc

static inline void dwarf_version_finish(Dwarf_Debug dbg)
{
	Dwarf_Error error = NULL;

	dwarf_object_finish(dbg, &error);
}

#endif

#endif
