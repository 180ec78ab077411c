#ifndef Handle
typedef struct Handle_t Handle;
#endif
extern "C" Handle *handle_create(int size);
