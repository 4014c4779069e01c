#include "wsn.h"

enum { ROUNDS = 10 };

static uint8_t sbox[256];
static uint8_t round_keys[16 * (ROUNDS + 1)];

static uint8_t aes_double(uint8_t x)
{
	return (uint8_t)(x << 1 ^ (x >> 7) * 0x1b);
}

static uint8_t aes_rotate(uint8_t x, int by)
{
	return (uint8_t)(x << by | x >> (8 - by));
}

/* p goes through all of the field but 0 (times 3), q through the inverses (divided by 3). */
static void aes_sbox(void)
{
	uint8_t p = 1, q = 1;

	do {
		p ^= aes_double(p);
		q ^= q << 1;
		q ^= q << 2;
		q ^= q << 4;
		if (q & 0x80)
			q ^= 9;
		sbox[p] = q ^ aes_rotate(q, 1) ^ aes_rotate(q, 2) ^ aes_rotate(q, 3) ^
			  aes_rotate(q, 4) ^ 0x63;
	} while (p != 1);
	sbox[0] = 0x63;
}

static void aes_key_word(uint8_t *word, int i, uint8_t *constant)
{
	uint8_t first = word[-4];

	if (i % 16) {
		for (int j = 0; j < 4; j++)
			word[j] = word[j - 16] ^ word[j - 4];
		return;
	}
	for (int j = 0; j < 4; j++)
		word[j] = word[j - 16] ^ sbox[j < 3 ? word[j - 3] : first];
	word[0] ^= *constant;
	*constant = aes_double(*constant);
}

void aes_init(const uint8_t key[16])
{
	uint8_t constant = 1;

	aes_sbox();
	for (int i = 0; i < 16; i++)
		round_keys[i] = key[i];
	for (int i = 16; i < 16 * (ROUNDS + 1); i += 4)
		aes_key_word(round_keys + i, i, &constant);
}

static void aes_add_key(uint8_t *state, int round)
{
	for (int i = 0; i < 16; i++)
		state[i] ^= round_keys[16 * round + i];
}

static void aes_substitute(uint8_t *state)
{
	for (int i = 0; i < 16; i++)
		state[i] = sbox[state[i]];
}

static void aes_shift_rows(uint8_t *state)
{
	uint8_t old[16];

	for (int i = 0; i < 16; i++)
		old[i] = state[i];
	for (int i = 0; i < 16; i++)
		state[i] = old[i * 5 & 15];
}

static void aes_mix_column(uint8_t *c)
{
	uint8_t first = c[0], all = c[0] ^ c[1] ^ c[2] ^ c[3];

	for (int i = 0; i < 4; i++)
		c[i] ^= all ^ aes_double(c[i] ^ (i == 3 ? first : c[i + 1]));
}

static void aes_mix_columns(uint8_t *state)
{
	for (int i = 0; i < 16; i += 4)
		aes_mix_column(state + i);
}

static void aes_block(uint8_t *state)
{
	aes_add_key(state, 0);
	for (int round = 1; round < ROUNDS; round++) {
		aes_substitute(state);
		aes_shift_rows(state);
		aes_mix_columns(state);
		aes_add_key(state, round);
	}
	aes_substitute(state);
	aes_shift_rows(state);
	aes_add_key(state, ROUNDS);
}

void aes_counter(uint8_t *data, int length, uint32_t nonce)
{
	for (int at = 0; at < length; at += 16) {
		uint8_t block[16];

		for (int i = 0; i < 16; i++)
			block[i] = (uint8_t)(nonce >> 8 * (i & 3)) ^ (uint8_t)(i ^ at);
		aes_block(block);
		for (int i = 0; i < 16 && at + i < length; i++)
			data[at + i] ^= block[i];
	}
}
