#ifndef CONFIG_H
#define CONFIG_H
#define _GNU_SOURCE 1
#endif
