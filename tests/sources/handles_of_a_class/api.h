#pragma once
typedef struct handle_t handle_t;
handle_t *handle_open(int size);
int handle_run(handle_t *handle, int a);
