#ifndef NEW_GAUGE_H
#define NEW_GAUGE_H

extern const long *gauge_new_values;
long gauge_read(long place);
long gauge_scan_all(const char *text, long place);

#endif
