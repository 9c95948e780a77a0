/* Which part of the work is this process's: I/N, as given or as a scheduler's variables say. */
#ifndef COT_SHARD_H
#define COT_SHARD_H

/* `part` is the value of `option`, or NULL: then the variables of a scheduler, and 1/1 without any; an
 * index whose count the scheduler leaves to its user is refused without it. 0, or an exit code,
 * and everything has been said. */
int shard_read(const char *part, const char *option, int *shard, int *shards);

#endif
