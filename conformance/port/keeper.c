/* A process between us and a shell's command. The system can kill the child of a process that dies, but not the child's
 * children: a shell would be killed, and the program that it runs would compute for ever. */
#include "keeper.h"

#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

void end_with_parent(int number)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, number);
#endif
    (void)number;
}

/* As the child ended: with its status, or by its signal, which leaves no second core. */
static void end_like(int status)
{
    if (WIFSIGNALED(status)) {
        sigset_t all;
        sigfillset(&all);
        setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
        sigprocmask(SIG_UNBLOCK, &all, NULL);
    }
    _exit(WEXITSTATUS(status));
}

static void keep(pid_t pid, pid_t parent, const sigset_t *heard)
{
    int number = 0, status;
    for (int fd = 0; fd <= STDERR_FILENO; fd++) /* the child's end of the socket is the child's alone */
        close(fd);
    while (getppid() == parent && number != SIGTERM) {
        if (waitpid(pid, &status, WNOHANG) == pid)
            end_like(status);
        sigwait(heard, &number);
    }
    kill(0, SIGKILL);
}

void keep_group(pid_t parent)
{
    sigset_t heard, before;
    sigemptyset(&heard);
    sigaddset(&heard, SIGCHLD);
    sigaddset(&heard, SIGTERM);
    sigprocmask(SIG_BLOCK, &heard, &before);
    end_with_parent(SIGTERM);
    pid_t pid = fork();
    if (pid > 0)
        keep(pid, parent, &heard);
    if (pid < 0)
        _exit(127);
    sigprocmask(SIG_SETMASK, &before, NULL);
}
