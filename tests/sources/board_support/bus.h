#include <stddef.h>
#include <stdint.h>
typedef struct { uint16_t id; uint8_t data[4]; } frame_t;
uint16_t adc_read(uint8_t channel);
void gpio_write(uint8_t pin, int level);
int bus_send(const uint8_t *data, size_t length);
int bus_receive(uint8_t *data, size_t length);
int frame_get(frame_t *frame);
void *never_called(void);
extern volatile uint32_t ticks;
