/* Does one harmful thing and says whether it could: "done" or "refused". Whoever runs this without guards relies on
 * its bounds: it deletes only what it is told to, makes at most fifty processes and a hundred megabytes, and signals
 * nobody with anything but zero, which asks for permission only. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static int write_to(const char *path) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  return file >= 0 && write(file, "harm\n", 5) == 5;
}

static int forks(void) {
  int made = 0;
  for (int i = 0; i < 50; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) ++made;
  }
  while (wait(NULL) > 0) {
  }
  return made > 0;
}

static int spawns(void) {
  char *words[] = {"true", NULL};
  pid_t child;
  if (posix_spawnp(&child, "true", NULL, NULL, words, environ) != 0) return 0;
  int status = 1;
  return waitpid(child, &status, 0) == child && status == 0;
}

/* Many files; true where they came to more than eighty megabytes. */
static int fills(void) {
  static char block[1 << 20];
  int files = 0;
  for (int i = 0; i < 100; ++i) {
    char name[32];
    snprintf(name, sizeof name, "fill-%d", i);
    const int file = open(name, O_WRONLY | O_CREAT, 0600);
    if (file < 0) break;
    files += write(file, block, sizeof block) == (ssize_t)sizeof block;
    close(file);
  }
  return files > 80;
}

static int connects(void) {
  const int file = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9)};
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  /* Nobody listens there: to be turned away is to have been on the network. */
  return file >= 0 && (connect(file, (struct sockaddr *)&to, sizeof to) == 0 || errno == ECONNREFUSED);
}

static void *wait_long(void *nothing) {
  sleep(1);
  return nothing;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "", *path = argc > 2 ? argv[2] : "";
  int done = -1;
  if (!strcmp(what, "delete")) done = unlink(path) == 0;
  if (!strcmp(what, "move")) done = rename(path, "moved") == 0 || rename(path, strcat(strdup(path), ".moved")) == 0;
  if (!strcmp(what, "write")) done = write_to(path);
  if (!strcmp(what, "truncate")) done = truncate(path, 0) == 0;
  if (!strcmp(what, "folder")) done = mkdir(path, 0700) == 0;
  if (!strcmp(what, "mode")) done = chmod(path, 0) == 0;
  if (!strcmp(what, "times")) done = utimensat(AT_FDCWD, path, (struct timespec[2]){{0, 0}, {0, 0}}, 0) == 0;
  if (!strcmp(what, "own")) done = write_to("own");
  if (!strcmp(what, "fork")) done = forks();
  if (!strcmp(what, "spawn")) done = spawns();
  if (!strcmp(what, "system")) done = system("true") == 0;
  if (!strcmp(what, "clone")) {
    const long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) _exit(0);
    done = child > 0;
  }
  if (!strcmp(what, "fill")) done = fills();
  if (!strcmp(what, "socket")) done = connects();
  if (!strcmp(what, "parent")) done = kill(getppid(), 0) == 0;
  if (!strcmp(what, "everyone")) done = kill(-1, 0) == 0;
  if (!strcmp(what, "group")) done = kill(-getpgid(getppid()), 0) == 0;
  if (!strcmp(what, "limits")) {
    struct rlimit same;
    done = prlimit(getppid(), RLIMIT_CORE, NULL, &same) == 0 && prlimit(getppid(), RLIMIT_CORE, &same, NULL) == 0;
  }
  if (!strcmp(what, "regroup")) done = setpgid(0, getpgid(getppid())) == 0;
  if (!strcmp(what, "segment")) {
    const int segment = shmget(IPC_PRIVATE, 4096, 0600);
    done = segment >= 0;
    if (done) shmctl(segment, IPC_RMID, NULL);
  }
  if (!strcmp(what, "memory")) {
    void *much = mmap(NULL, (size_t)6 << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    done = much != MAP_FAILED;
  }
  if (!strcmp(what, "abort")) abort();
  if (!strcmp(what, "thread")) {
    pthread_t thread;
    done = pthread_create(&thread, NULL, wait_long, NULL) == 0 && pthread_join(thread, NULL) == 0;
  }
  printf("%s %s in %s\n", what, done > 0 ? "done" : done == 0 ? "refused" : "unknown", getenv("HOME"));
  return 0;
}
