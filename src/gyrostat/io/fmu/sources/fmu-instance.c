/* What the interfaces of FMI 2.0 and 3.0 have in common. */
#include "fmu-instance.h"

#include <stdlib.h>
#include <string.h>

void *instance_new(String token, int possible, int co_simulation)
{
    Unit *u = NULL;
    if (possible && token != NULL && strcmp(token, UNIT_GUID) == 0)
        u = calloc(1, sizeof *u);
    if (u != NULL) {
        u->co_simulation = co_simulation;
        unit_start(u);
    }
    return u;
}

void instance_begin(Unit *u, int with_tolerance, double tolerance, double begin)
{
    u->t = begin;
    if (with_tolerance && tolerance > 0.0)
        u->tolerance = tolerance;
}

Status instance_get(Unit *u, const Reference *references, size_t n, double *values)
{
    Status status = OK;
    int with_rates = 0, with_outputs = 0;
    for (size_t k = 0; k < n; k++) {
        with_rates = with_rates || unit_is_derivative(references[k]);
        with_outputs = with_outputs || unit_is_output(references[k]);
    }
    if (with_rates)
        status = (Status)unit_evaluate(u);
    if (with_outputs && status == OK)
        status = (Status)unit_evaluate_outputs(u);
    for (size_t k = 0; k < n; k++) {
        double *found = unit_variable(u, references[k]);
        if (found == NULL) {
            double indicators[N_SWITCHES + 1];
            if (references[k] < FIRST_INDICATOR || references[k] >= FIRST_INDICATOR + N_SWITCHES)
                return ERROR;
            unit_indicators(u, indicators);
            values[k] = indicators[references[k] - FIRST_INDICATOR];
            continue;
        }
        values[k] = *found;
    }
    return status;
}

Status instance_set(Unit *u, const Reference *references, size_t n, const double *values)
{
    for (size_t k = 0; k < n; k++) {
        double *found = unit_variable(u, references[k]);
        if (found == NULL || unit_is_derivative(references[k]) || unit_is_output(references[k]))
            return ERROR;
        *found = values[k];
    }
    return OK;
}

Status instance_copy(const Unit *u, void **state)
{
    if (*state == NULL)
        *state = malloc(sizeof(Unit));
    if (*state == NULL)
        return ERROR;
    memcpy(*state, u, sizeof(Unit));
    return OK;
}

Status instance_restore(Unit *u, const void *state)
{
    memcpy(u, state, sizeof(Unit));
    return OK;
}

Status instance_discard(void **state)
{
    free(*state);
    *state = NULL;
    return OK;
}

Status instance_serialise(const void *state, void *bytes, size_t size)
{
    if (size < sizeof(Unit))
        return ERROR;
    memcpy(bytes, state, sizeof(Unit));
    return OK;
}

Status instance_deserialise(const void *bytes, size_t size, void **state)
{
    if (size != sizeof(Unit))
        return ERROR;
    *state = NULL;
    return instance_copy(bytes, state);
}

Status instance_set_states(Unit *u, const double *y, size_t n)
{
    if (n != N)
        return ERROR;
    memcpy(u->y, y, n * sizeof(double));
    return OK;
}

Status instance_get_states(const Unit *u, double *y, size_t n)
{
    if (n != N)
        return ERROR;
    memcpy(y, u->y, n * sizeof(double));
    return OK;
}

Status instance_derivatives(Unit *u, double *d, size_t n)
{
    Status status = (Status)unit_evaluate(u);
    if (n != N)
        return ERROR;
    memcpy(d, u->d, n * sizeof(double));
    return status;
}

Status instance_nominals(double *nominals, size_t n)
{
    for (size_t i = 0; i < n; i++)
        nominals[i] = 1.0;
    return OK;
}

Status instance_indicators(Unit *u, double *indicators, size_t n)
{
    if (n != N_SWITCHES)
        return ERROR;
    unit_indicators(u, indicators);
    return OK;
}

void instance_continue(Unit *u)
{
    unit_handle_event(u);
    u->held = 1;
}

Status instance_output_derivatives(Unit *u, const Reference *references, size_t n, const int *orders, double *values)
{
    Status status = (Status)unit_evaluate(u);
    double rates[NO + 1] = {0};
    unit_rates_of_outputs(u, rates);
    for (size_t k = 0; k < n; k++) {
        double *found = unit_variable(u, references[k]);
        if (orders[k] == 1 && found >= u->y && found < u->y + N)
            values[k] = u->d[found - u->y];
        else if (orders[k] == 1 && found >= u->out && found < u->out + NO)
            values[k] = rates[found - u->out];
        else
            return ERROR;
    }
    return status;
}
