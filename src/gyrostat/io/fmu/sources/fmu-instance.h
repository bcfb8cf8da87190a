/* What the interfaces of FMI 2.0 and 3.0 have in common: instances, values by reference, states, derivatives. */
#ifndef FMU_INSTANCE_HEADER
#define FMU_INSTANCE_HEADER

#include "fmu-unit.h"

#if defined(_WIN32)
#define API __declspec(dllexport)
#else
#define API __attribute__((visibility("default")))
#endif

typedef unsigned int Reference;
typedef const char *String;
typedef int Status; /* 0 OK, 1 warning, 2 discard, 3 error, 4 fatal */

enum { OK = UNIT_OK, ERROR = UNIT_ERROR, FIRST_INDICATOR = 1 + 2 * N + NP + NI + NO };

/* A new instance; NULL where its kind is not possible or the token is another one. */
void *instance_new(String token, int possible, int co_simulation);
void instance_begin(Unit *u, int with_tolerance, double tolerance, double begin);

/* Values by reference; event indicators follow the variables. */
Status instance_get(Unit *u, const Reference *references, size_t n, double *values);
Status instance_set(Unit *u, const Reference *references, size_t n, const double *values);

/* Copies of whole instances. */
Status instance_copy(const Unit *u, void **state);
Status instance_restore(Unit *u, const void *state);
Status instance_discard(void **state);
Status instance_serialise(const void *state, void *bytes, size_t size);
Status instance_deserialise(const void *bytes, size_t size, void **state);

/* Model exchange. */
Status instance_set_states(Unit *u, const double *y, size_t n);
Status instance_get_states(const Unit *u, double *y, size_t n);
Status instance_derivatives(Unit *u, double *d, size_t n);
Status instance_nominals(double *nominals, size_t n);
Status instance_indicators(Unit *u, double *indicators, size_t n);
void instance_continue(Unit *u);

/* Co-simulation: first derivatives of outputs, states among them. */
Status instance_output_derivatives(Unit *u, const Reference *references, size_t n, const int *orders, double *values);

#endif
