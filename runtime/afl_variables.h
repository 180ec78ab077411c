/* Restores the variables of a unit's shared objects between two calls, in a process that runs many inputs. */
#ifndef MOTIF_AFL_VARIABLES_H
#define MOTIF_AFL_VARIABLES_H

/* Adds the variables of the shared object at this address. */
void motif_variables_of(const void *address);
/* Saves their current values. */
void motif_variables_keep(void);
/* Restores the changed variables. If some of them point, or pointed, to heap memory, nothing is restored, as that
 * would leave dangling pointers, and the result is 0: the process cannot run another input. */
int motif_variables_put_back(void);

#endif
