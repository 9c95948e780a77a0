/* A process at the other end of a socket, with a time limit on everything that is asked of it. */
#ifndef COT_CHILD_H
#define COT_CHILD_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct child {
    pid_t pid;   /* 0: there is none */
    pid_t owner; /* who started it: after a fork it is not the other process's to talk to */
    int socket;
    double starved; /* what it had waited for a processor by the last child_clock */
    FILE *words; /* what it says on standard error; NULL where that is ours, as COTANGENT_STDERR in the environment asks
                  */
} child;

typedef enum child_state { CHILD_FINE, CHILD_LATE, CHILD_GONE } child_state;

/* Two sockets that talk to each other, that no program started from here inherits, and that are none of the standard
 * ones. 0, or -1 and errno. */
int socket_pair(int ends[2]);

#define SHELL "/bin/sh"

/* 0, or -1 and errno. The socket is its standard input and output. It ends with us, and where it is the SHELL, so does
 * whatever that has started. */
int child_start(child *c, const char *const argv[]);
int child_ours(const child *c); /* it was started, by this process */

/* A question begins: what the child waits for a processor from here on is added to its deadline. */
void child_clock(child *c);

/* All of it, before clock_now() is `deadline`. */
child_state child_send(child *c, const void *bytes, size_t size, double deadline);
child_state child_receive(child *c, void *bytes, size_t size, double deadline);

/* Ends it, and says how it ended: "was killed by signal 11 (Segmentation fault)", and the last line that it said. A
 * child that is fine is given a moment. */
void child_end(child *c, child_state state, char *how, size_t size);

/* Seconds that a process has waited for a processor so far, as far as the system tells: on a machine with too much to
 * do, that time is not its own. */
double process_starved(pid_t pid);

#endif
