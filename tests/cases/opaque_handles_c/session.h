#ifndef SESSION_H
#define SESSION_H
/* What users see: a handle, whose structure nobody defines. */
typedef struct hidden_session *session_handle;

session_handle session_open(int level);
void session_close(session_handle handle);
int session_set(session_handle handle, int place, int value);
#endif
