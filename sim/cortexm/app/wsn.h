/* wsn: the parts of the sensor node. Deterministic: the same calls in the same order, always. */
#ifndef WSN_H
#define WSN_H

#include <stdint.h>

/* --- wsn_aes.c: AES-128 (FIPS 197), the S-box computed --- */

void aes_init(const uint8_t key[16]);
void aes_counter(uint8_t *data, int length, uint32_t nonce);	/* encrypts and decrypts */

/* --- wsn_sense.c: a noisy sensor and what is made of its samples --- */

void sense_init(void);
uint32_t sense_random(void);
void sense(void);
void sense_features(int32_t features[3]);
uint32_t sense_sum(void);

/* --- wsn_net.c: packets, routes, and a radio that hears itself --- */

void net_init(void);
void net_send(uint16_t target, const uint8_t *data, int length);
void net_poll(void);
void net_age(void);
uint32_t net_sum(void);

#endif
