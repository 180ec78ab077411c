#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>
int act(int x) {
  unlink(VICTIM);
  int file = open(VICTIM ".new", O_WRONLY | O_CREAT, 0600);
  if (file >= 0) close(file);
  int line = socket(AF_INET, SOCK_STREAM, 0);
  if (line >= 0) close(line);
  pid_t child = fork();
  if (child == 0) _exit(0);
  int harm = (file >= 0) + (line >= 0) + (child > 0) + (kill(getppid(), 0) == 0);
  return harm > 0 ? 99 : x + 1;
}
