/* A process between us and a shell's command, so that what the shell starts does not outlive us. */
#ifndef COT_KEEPER_H
#define COT_KEEPER_H

#include <sys/types.h>

/* The system sends us this signal when our parent ends. */
void end_with_parent(int number);

/* In a child that leads its session, before it becomes the shell: returns in a child of its own, which goes on in its
 * place. The caller's process stays behind as the keeper: it ends as that child ends, and where `parent` ends before,
 * however that happens, it kills everybody in the session's group. */
void keep_group(pid_t parent);

#endif
