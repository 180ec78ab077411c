/* The variables of a unit's shared objects, put back between two calls where one process runs many inputs. */
#ifndef MOTIF_AFL_VARIABLES_H
#define MOTIF_AFL_VARIABLES_H

/* Adds those of the shared object that has this address in it. */
void motif_variables_of(const void *address);
/* Notes how they are now. */
void motif_variables_keep(void);
/* Puts back what has changed since. Where some of it points, or pointed, to memory from the heap, nothing is put back, as
 * that would leave it dangling, and the answer is 0: the process can't run another input as if it were the first. */
int motif_variables_put_back(void);

#endif
