/* An instance of a unit: its variables, equations and events, and its own integration for co-simulation. */
#ifndef FMU_UNIT_HEADER
#define FMU_UNIT_HEADER

#include "fmu-settings.h"

enum { N = NQ + NU + NZ };

/* What a computation gives. The values are those of the status in FMI 2.0 and 3.0. */
typedef enum { UNIT_OK = 0, UNIT_DISCARD = 2, UNIT_ERROR = 3 } UnitStatus;

typedef struct {
    double t;
    double y[N + 1];       /* states q, u, z */
    double d[N + 1];       /* their derivatives */
    double p[NP + 1];      /* parameters */
    double in[NI + 1];     /* inputs */
    double out[NO + 1];    /* outputs beside the states */
    double in_rate[NI + 1]; /* derivatives of inputs during the next step of co-simulation */
    double s[N_SWITCHES + 1];
    double mode[N_SWITCHES + 1];   /* of switching functions; held in continuous time */
    double before[N_SWITCHES + 1]; /* modes at the last event */
    int held;
    int begun;        /* whether `before` is known */
    double tolerance; /* relative, of co-simulation */
    double h;         /* the step of co-simulation that is tried next; zero before the first */
    int co_simulation;
} Unit;

void unit_start(Unit *u);
UnitStatus unit_evaluate(Unit *u);
UnitStatus unit_evaluate_outputs(Unit *u);

/* Move the state onto the constraints where it has drifted, and set modes and states that jump, as at an event; return
   whether states have changed. */
int unit_handle_event(Unit *u);
void unit_indicators(Unit *u, double *indicators);

/* Value references: time, states, their derivatives, parameters, inputs, outputs. NULL if there is none. */
double *unit_variable(Unit *u, unsigned int reference);
int unit_is_derivative(unsigned int reference);
int unit_is_output(unsigned int reference);

/* The derivatives of the rates along a direction in states and inputs. */
void unit_derivatives_along(Unit *u, const double *states, const double *inputs, double *found);

/* The rates of the outputs beside the states, while inputs change at their rates. */
void unit_rates_of_outputs(Unit *u, double *rates);

/* The directional derivative of unknowns (states, their derivatives, outputs) by knowns (states, inputs). */
UnitStatus unit_directional(Unit *u, const unsigned int *unknown, size_t n, const unsigned int *known, size_t m,
                            const double *seed, double *found);

/* Move the state onto the constraints; return how far it was from them, relative to 1 + its size. */
double unit_project(Unit *u);

/* Whether the state is so far from the constraints that it should be moved at an event. */
int unit_has_drifted(Unit *u);

/* Integrate to a time, inputs changing at their rates, events included. */
UnitStatus unit_integrate(Unit *u, double end);

#endif
