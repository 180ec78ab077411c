/* A resident compiler or linker: three quarters of the cost of compiling a small file is loading the program, so it is
 * loaded once and forks for every call.

 * Preloaded into the program that MOTIF_WARM_PROGRAM names, this library replaces main(). It reads requests from
 * standard input, which is a socket, and runs the real main() with their arguments in a child for each, one after
 * another. It ends when the socket is closed. In any other program (a wrapper script and its children) it does
 * nothing. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int (*main_function)(int, char **, char **);

/* The reply, sent twice per request: the process id, and how it ended. */
struct reply {
    int32_t process;
    int32_t status;
    uint64_t microseconds; /* CPU time of the process, and of starting it */
};

static main_function program;

static uint64_t used(int who) {
    struct rusage usage;
    if (getrusage(who, &usage)) return 0;
    return (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000u +
           (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* Without a reader, the process ends. */
static void send_back(int connection, struct reply reply) {
    if (send(connection, &reply, sizeof reply, MSG_NOSIGNAL) != sizeof reply) _exit(0);
}

static void receive(int connection, void *into, size_t size) {
    char *at = into;
    while (size) {
        ssize_t got = recv(connection, at, size, 0);
        if (got <= 0) _exit(0);
        at += got;
        size -= (size_t)got;
    }
}

/* Restores the environment from before the preload. */
static void clean(void) {
    const char *before = getenv("MOTIF_WARM_PRELOAD");
    if (before && *before) {
        setenv("LD_PRELOAD", before, 1);
    } else {
        unsetenv("LD_PRELOAD");
    }
    unsetenv("MOTIF_WARM_PRELOAD");
    unsetenv("MOTIF_WARM_PROGRAM");
}

/* In the child: `words` are the folder and the program's arguments, each NUL-terminated. */
static int begin(int connection, char *words, uint32_t size) {
    char *end = words + size;
    int count = 0;
    for (char *at = words; at < end; at++) count += !*at;
    char **argv = calloc((size_t)count + 1, sizeof *argv);
    if (!argv) _exit(126);
    char *at = words + strlen(words) + 1;
    for (int number = 0; number + 1 < count; number++, at += strlen(at) + 1) argv[number] = at;
    close(connection);
    setpgid(0, 0);
    /* If the server is gone, so is the caller. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (*words && chdir(words)) {
        perror(words);
        _exit(126);
    }
    return program(count - 1, argv, environ);
}

static int serve(int count, char **words, char **environment) {
    (void)count, (void)words, (void)environment;
    int connection = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 64);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (connection < 0 || nothing < 0 || dup2(nothing, STDIN_FILENO) < 0) _exit(126);
    clean();
    uint64_t own = used(RUSAGE_SELF);
    send_back(connection, (struct reply){getpid(), 0, own});
    for (;;) {
        uint32_t size;
        receive(connection, &size, sizeof size);
        char *request = malloc(size ? size : 1);
        if (!request || !size) _exit(126);
        receive(connection, request, size);
        request[size - 1] = 0;
        pid_t child = fork();
        if (child < 0) _exit(126);
        if (!child) return begin(connection, request, size);
        setpgid(child, child);
        send_back(connection, (struct reply){child, 0, 0});
        int status = 0;
        uint64_t before = used(RUSAGE_CHILDREN);
        if (waitpid(child, &status, 0) != child) _exit(126);
        uint64_t spent = used(RUSAGE_CHILDREN) - before + used(RUSAGE_SELF) - own;
        own = used(RUSAGE_SELF);
        send_back(connection, (struct reply){child, status, spent});
        free(request);
    }
}

/* The C library calls main() through this. */
int __libc_start_main(main_function main, int count, char **words, void (*begin_all)(void), void (*end_all)(void),
                      void (*end_loader)(void), void *stack);

int __libc_start_main(main_function main, int count, char **words, void (*begin_all)(void), void (*end_all)(void),
                      void (*end_loader)(void), void *stack) {
    typedef int (*start_function)(main_function, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
    start_function start;
    *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
    if (!start) _exit(126);
    const char *wanted = getenv("MOTIF_WARM_PROGRAM");
    char own[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    program = main;
    if (wanted && length > 0) {
        own[length] = 0;
        if (!strcmp(own, wanted)) main = serve;
    }
    return start(main, count, words, begin_all, end_all, end_loader, stack);
}
