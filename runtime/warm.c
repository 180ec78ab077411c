/* A resident program: most of the cost of compiling a small file, or of running a short test, is starting the program.
 * So it is started once and forks for every call.

 * Preloaded into the program that MOTIF_WARM_PROGRAM names, this library replaces main(). It reads requests from
 * standard input, which is a socket, and runs the real main() with their arguments in a child for each, one after
 * another. It ends when the socket is closed. In any other program (a wrapper script and its children) it does
 * nothing.

 * A program that is confined takes the last step in each child (confine.h, which stands before this text), and the
 * folder that MOTIF_WARM_FOLDER names is emptied after each. */
#include <dlfcn.h>
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

typedef int (*main_function)(int, char **, char **);

/* The reply, sent twice per request: the process id, and how it ended. */
struct reply {
    int32_t process;
    int32_t status;
    uint64_t microseconds; /* CPU time of the process, and of starting it */
};

static main_function program;
static char folder[PATH_MAX];
/* What is open before the program begins. */
static int files;

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
    const char *own = getenv("MOTIF_WARM_FOLDER");
    if (own && strlen(own) < sizeof folder) strcpy(folder, own);
    unsetenv("MOTIF_WARM_FOLDER");
}

/* The names in a folder, `.` and `..` included, as far as 4 KiB tell. Nothing here takes memory of the heap: a child is
 * to find it as main() does. */
static int names_in(const char *path) {
    static char names[4096];
    const int open_folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (open_folder < 0) return -1;
    const long size = syscall(SYS_getdents64, open_folder, names, sizeof names);
    close(open_folder);
    int count = 0;
    /* The length of an entry stands behind two numbers of 8 bytes. */
    for (long at = 0; at < size; count++) {
        unsigned short length;
        memcpy(&length, names + at + 16, sizeof length);
        at += length;
    }
    return count;
}

static int removed(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind;
    return place->level && remove(path);
}

/* What one call leaves behind is not there for the next. (Walking a folder takes memory of the heap.) */
static void empty_folder(void) {
    if (!*folder || names_in(folder) == 2) return;
    const pid_t child = fork();
    if (!child) _exit(nftw(folder, removed, 16, FTW_DEPTH | FTW_PHYS) ? 1 : 0);
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) != child || status) _exit(126);
}

/* A program that is confined starts no other one, before main() either. */
static void forbid_exec(void) {
    if (!getenv(MOTIF_LAST_STEP)) return;
    struct sock_filter steps[] = {
        {BPF_LD | BPF_W | BPF_ABS, 0, 0, 0},
        {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, SYS_execve},
        {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_execveat},
        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EACCES},
        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
    };
    const struct sock_fprog filter = {sizeof steps / sizeof *steps, steps};
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter)) _exit(126);
}

static void *pages(size_t size) {
    void *made = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED) _exit(126);
    return made;
}

/* In the child: `words` are the folder, assignments to variables of the environment, an empty word, and the program's
 * arguments, each NUL-terminated. */
static int begin(int connection, char *words, uint32_t size) {
    char *end = words + size;
    int count = 0;
    for (char *at = words; at < end; at++) count += !*at;
    char **argv = pages(((size_t)count + 1) * sizeof *argv);
    char *at = words + strlen(words) + 1;
    for (; at < end && *at; at += strlen(at) + 1) putenv(at);
    int arguments = 0;
    for (at++; at < end; at += strlen(at) + 1) argv[arguments++] = at;
    close(connection);
    setpgid(0, 0);
    /* If the server is gone, so is the caller. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (*words && chdir(words)) {
        perror(words);
        _exit(126);
    }
    motif_take_last_step();
    return program(arguments, argv, environ);
}

static int serve(int count, char **words, char **environment) {
    (void)count, (void)words, (void)environment;
    int connection = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 64);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (connection < 0 || nothing < 0 || dup2(nothing, STDIN_FILENO) < 0) _exit(126);
    close(nothing);
    clean();
    motif_read_last_step();
    /* A child has none of the threads that were started before main(), and shares the files that were opened there. */
    if (names_in("/proc/self/task") != 3) _exit(126);
    if (*folder && (names_in(folder) != 2 || names_in("/proc/self/fd") != files + 1)) _exit(126);
    uint64_t own = used(RUSAGE_SELF);
    send_back(connection, (struct reply){getpid(), 0, own});
    for (;;) {
        uint32_t size;
        receive(connection, &size, sizeof size);
        if (!size) _exit(126);
        char *request = pages(size);
        receive(connection, request, size);
        request[size - 1] = 0;
        pid_t child = fork();
        if (child < 0) _exit(126);
        if (!child) return begin(connection, request, size);
        setpgid(child, child);
        send_back(connection, (struct reply){child, 0, 0});
        int status = 0;
        uint64_t before = used(RUSAGE_CHILDREN);
        /* Its number stays its own until the caller is about to hear of its end. */
        siginfo_t ended;
        if (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT)) _exit(126);
        empty_folder();
        if (waitpid(child, &status, 0) != child) _exit(126);
        uint64_t spent = used(RUSAGE_CHILDREN) - before + used(RUSAGE_SELF) - own;
        own = used(RUSAGE_SELF);
        send_back(connection, (struct reply){child, status, spent});
        munmap(request, size);
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
        if (!strcmp(own, wanted)) {
            main = serve;
            forbid_exec();
            files = names_in("/proc/self/fd");
        }
    }
    return start(main, count, words, begin_all, end_all, end_loader, stack);
}
