#ifndef OLD_GAUGE_H
#define OLD_GAUGE_H

extern const int *gauge_old_values;
int gauge_read(int place);
int gauge_scan_one(const char *text, int place);

#endif
