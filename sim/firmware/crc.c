/* crc: CRC-16-CCITT (X.25), bit by bit, as nodes without room for a table do it. */
#include "app.h"

uint16_t crc16_add(uint16_t crc, uint8_t byte)
{
	uint8_t bit;

	crc ^= byte;
	for (bit = 0; bit < 8; bit++)
		crc = crc & 1 ? crc >> 1 ^ 0x8408 : crc >> 1;
	return crc;
}

uint16_t crc16(const uint8_t *data, uint8_t length)
{
	uint16_t crc = 0xffff;

	while (length--)
		crc = crc16_add(crc, *data++);
	return crc ^ 0xffff;
}
