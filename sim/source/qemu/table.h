/* table: what wsntop-qemu writes for its plugin, which reads no ELF: rows of three words. */
#ifndef WSNTOP_SIM_SOURCE_QEMU_TABLE_H
#define WSNTOP_SIM_SOURCE_QEMU_TABLE_H

enum {
	TABLE_FUNCTION,			/* address, size */
	TABLE_HANDLER,			/* likewise */
	TABLE_MARK,			/* address, number (core/image/marks.h) */
};

#endif
