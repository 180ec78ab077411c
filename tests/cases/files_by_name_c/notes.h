#ifndef NOTES_H
#define NOTES_H
int notes_save(const char *path, int count);
int notes_sum(const char *file_name);
int notes_create(const char *path);
int notes_is_hidden(const char *path);
#endif
