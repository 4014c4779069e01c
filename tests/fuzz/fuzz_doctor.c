/*
 * Any bytes as an ELF, examined by the doctor.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/doctor/doctor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("image", MFD_CLOEXEC);
	struct err err = { 0 };
	struct doctor *d;
	char path[64];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		__builtin_trap();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	d = doctor_new(path, &err);
	if (!d && !err_is_set(&err))
		__builtin_trap();
	for (size_t i = 0; d && i < doctor_count(d); i++) {
		if (strpbrk(doctor_finding(d, i)->text, "\033\n\r\t"))
			__builtin_trap(); /* a name from the file reached the terminal as it was */
	}
	doctor_free(d);
	close(fd);
	return 0;
}
