/*
 * The signatures of today's libdwarf (2.3.2), as far as core/image uses them: against this file and
 * against the installed header (20210528) tests/golden/test_libdwarf.sh compiles the DWARF reader.
 * Nothing is linked with it.
 */
#ifndef WSNTOP_TESTS_LIBDWARF_H
#define WSNTOP_TESTS_LIBDWARF_H

#define DW_LIBDWARF_VERSION "2.3.2"

#define DW_DLV_NO_ENTRY (-1)
#define DW_DLV_OK 0
#define DW_DLV_ERROR 1
#define DW_GROUPNUMBER_ANY 0
#define DW_DLA_STRING 0x01
#define DW_DLA_BLOCK 0x06
#define DW_DLA_DIE 0x08
#define DW_DLA_ATTR 0x0a
#define DW_DLA_LIST 0x0f

typedef unsigned long long Dwarf_Unsigned, Dwarf_Off, Dwarf_Addr;
typedef signed long long Dwarf_Signed;
typedef int Dwarf_Bool;
typedef unsigned short Dwarf_Half;
typedef unsigned char Dwarf_Small;
typedef void *Dwarf_Ptr;

typedef struct Dwarf_Error_s *Dwarf_Error;
typedef struct Dwarf_Debug_s *Dwarf_Debug;
typedef struct Dwarf_Die_s *Dwarf_Die;
typedef struct Dwarf_Line_s *Dwarf_Line;
typedef struct Dwarf_Line_Context_s *Dwarf_Line_Context;
typedef struct Dwarf_Attribute_s *Dwarf_Attribute;
typedef struct Dwarf_Rnglists_Head_s *Dwarf_Rnglists_Head;
typedef void (*Dwarf_Handler)(Dwarf_Error, Dwarf_Ptr);

typedef struct {
	char signature[8];
} Dwarf_Sig8;

typedef struct {
	unsigned char fd_data[16];
} Dwarf_Form_Data16;

typedef struct {
	Dwarf_Unsigned bl_len;
	Dwarf_Ptr bl_data;
	Dwarf_Small bl_from_loclist;
	Dwarf_Unsigned bl_section_offset;
} Dwarf_Block;

enum Dwarf_Ranges_Entry_Type { DW_RANGES_ENTRY, DW_RANGES_ADDRESS_SELECTION, DW_RANGES_END };

typedef struct {
	Dwarf_Addr dwr_addr1, dwr_addr2;
	enum Dwarf_Ranges_Entry_Type dwr_type;
} Dwarf_Ranges;

typedef struct {
	const char *as_name;
	Dwarf_Unsigned as_type, as_flags;
	Dwarf_Addr as_addr;
	Dwarf_Unsigned as_offset, as_size, as_link, as_info, as_addralign, as_entrysize;
} Dwarf_Obj_Access_Section_a;

typedef struct {
	int (*om_get_section_info)(void *, Dwarf_Unsigned, Dwarf_Obj_Access_Section_a *, int *);
	Dwarf_Small (*om_get_byte_order)(void *);
	Dwarf_Small (*om_get_length_size)(void *);
	Dwarf_Small (*om_get_pointer_size)(void *);
	Dwarf_Unsigned (*om_get_filesize)(void *);
	Dwarf_Unsigned (*om_get_section_count)(void *);
	int (*om_load_section)(void *, Dwarf_Unsigned, Dwarf_Small **, int *);
	int (*om_relocate_a_section)(void *, Dwarf_Unsigned, Dwarf_Debug, int *);
	int (*om_load_section_a)(void *, Dwarf_Unsigned, int *, Dwarf_Small **, Dwarf_Unsigned *,
				 Dwarf_Small **, Dwarf_Unsigned *, Dwarf_Unsigned *, int *);
	void (*om_finish)(void *);
} Dwarf_Obj_Access_Methods_a;

typedef struct {
	void *ai_object;
	const Dwarf_Obj_Access_Methods_a *ai_methods;
} Dwarf_Obj_Access_Interface_a;

int dwarf_CU_dieoffset_given_die(Dwarf_Die, Dwarf_Off *, Dwarf_Error *);
int dwarf_attr(Dwarf_Die, Dwarf_Half, Dwarf_Attribute *, Dwarf_Error *);
int dwarf_attrlist(Dwarf_Die, Dwarf_Attribute **, Dwarf_Signed *, Dwarf_Error *);
int dwarf_child(Dwarf_Die, Dwarf_Die *, Dwarf_Error *);
void dwarf_dealloc(Dwarf_Debug, void *, Dwarf_Unsigned);
void dwarf_dealloc_error(Dwarf_Debug, Dwarf_Error);
void dwarf_dealloc_ranges(Dwarf_Debug, Dwarf_Ranges *, Dwarf_Signed);
void dwarf_dealloc_rnglists_head(Dwarf_Rnglists_Head);
int dwarf_debug_addr_index_to_addr(Dwarf_Die, Dwarf_Unsigned, Dwarf_Addr *, Dwarf_Error *);
int dwarf_diename(Dwarf_Die, char **, Dwarf_Error *);
int dwarf_dieoffset(Dwarf_Die, Dwarf_Off *, Dwarf_Error *);
int dwarf_formaddr(Dwarf_Attribute, Dwarf_Addr *, Dwarf_Error *);
int dwarf_formblock(Dwarf_Attribute, Dwarf_Block **, Dwarf_Error *);
int dwarf_formexprloc(Dwarf_Attribute, Dwarf_Unsigned *, Dwarf_Ptr *, Dwarf_Error *);
int dwarf_formflag(Dwarf_Attribute, Dwarf_Bool *, Dwarf_Error *);
int dwarf_formsdata(Dwarf_Attribute, Dwarf_Signed *, Dwarf_Error *);
int dwarf_formstring(Dwarf_Attribute, char **, Dwarf_Error *);
int dwarf_formudata(Dwarf_Attribute, Dwarf_Unsigned *, Dwarf_Error *);
int dwarf_get_ranges_b(Dwarf_Debug, Dwarf_Off, Dwarf_Die, Dwarf_Off *, Dwarf_Ranges **,
		       Dwarf_Signed *, Dwarf_Unsigned *, Dwarf_Error *);
int dwarf_get_rnglists_entry_fields_a(Dwarf_Rnglists_Head, Dwarf_Unsigned, unsigned int *,
				  unsigned int *, Dwarf_Unsigned *, Dwarf_Unsigned *, Dwarf_Bool *,
			Dwarf_Unsigned *,
				      Dwarf_Unsigned *, Dwarf_Error *);
int dwarf_global_formref(Dwarf_Attribute, Dwarf_Off *, Dwarf_Error *);
int dwarf_line_is_addr_set(Dwarf_Line, Dwarf_Bool *, Dwarf_Error *);
int dwarf_line_srcfileno(Dwarf_Line, Dwarf_Unsigned *, Dwarf_Error *);
int dwarf_lineaddr(Dwarf_Line, Dwarf_Addr *, Dwarf_Error *);
int dwarf_lineendsequence(Dwarf_Line, Dwarf_Bool *, Dwarf_Error *);
int dwarf_lineno(Dwarf_Line, Dwarf_Unsigned *, Dwarf_Error *);
int dwarf_next_cu_header_d(Dwarf_Debug, Dwarf_Bool, Dwarf_Unsigned *, Dwarf_Half *, Dwarf_Off *,
			   Dwarf_Half *, Dwarf_Half *, Dwarf_Half *, Dwarf_Sig8 *, Dwarf_Unsigned *,
			   Dwarf_Unsigned *, Dwarf_Half *, Dwarf_Error *);
int dwarf_object_finish(Dwarf_Debug);
int dwarf_object_init_b(Dwarf_Obj_Access_Interface_a *, Dwarf_Handler, Dwarf_Ptr, unsigned int,
			Dwarf_Debug *, Dwarf_Error *);
int dwarf_offdie_b(Dwarf_Debug, Dwarf_Off, Dwarf_Bool, Dwarf_Die *, Dwarf_Error *);
int dwarf_rnglists_get_rle_head(Dwarf_Attribute, Dwarf_Half, Dwarf_Unsigned,
				Dwarf_Rnglists_Head *, Dwarf_Unsigned *, Dwarf_Unsigned *,
			Dwarf_Error *);
int dwarf_siblingof_b(Dwarf_Debug, Dwarf_Die, Dwarf_Bool, Dwarf_Die *, Dwarf_Error *);
int dwarf_srclang(Dwarf_Die, Dwarf_Unsigned *, Dwarf_Error *);
int dwarf_srclines_b(Dwarf_Die, Dwarf_Unsigned *, Dwarf_Small *, Dwarf_Line_Context *,
		     Dwarf_Error *);
int dwarf_srclines_comp_dir(Dwarf_Line_Context, const char **, Dwarf_Error *);
void dwarf_srclines_dealloc_b(Dwarf_Line_Context);
int dwarf_srclines_files_data_b(Dwarf_Line_Context, Dwarf_Signed, const char **,
			Dwarf_Unsigned *, Dwarf_Unsigned *, Dwarf_Unsigned *, Dwarf_Form_Data16 **,
			Dwarf_Error *);
int dwarf_srclines_files_indexes(Dwarf_Line_Context, Dwarf_Signed *, Dwarf_Signed *,
				 Dwarf_Signed *, Dwarf_Error *);
int dwarf_srclines_from_linecontext(Dwarf_Line_Context, Dwarf_Line **, Dwarf_Signed *,
				    Dwarf_Error *);
int dwarf_srclines_include_dir_data(Dwarf_Line_Context, Dwarf_Signed, const char **,
				    Dwarf_Error *);
int dwarf_tag(Dwarf_Die, Dwarf_Half *, Dwarf_Error *);
int dwarf_whatattr(Dwarf_Attribute, Dwarf_Half *, Dwarf_Error *);
int dwarf_whatform(Dwarf_Attribute, Dwarf_Half *, Dwarf_Error *);

#endif
