#include <stddef.h>
#include <stdint.h>
struct sensor { int id; float gain; };
struct sensor *sensor_get(int which);
int uart_get(uint8_t *buf, size_t count);
int adc_block(uint16_t *dst, size_t nbytes);
int uart_put(const uint8_t *data, int len);
int on_tick(void (*called)(int), int period);
extern const int board_rev;
extern const float gains[3];
extern int tick;
void weak_hook(int n) __attribute__((weak));
extern __thread int own;
