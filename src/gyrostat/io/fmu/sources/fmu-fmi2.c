/* FMI 2.0 for model exchange and co-simulation. */
#include "fmu-unit.h"

#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#define API __declspec(dllexport)
#else
#define API __attribute__((visibility("default")))
#endif

typedef unsigned int Reference;
typedef int Boolean;
typedef const char *String;
typedef int Status; /* 0 OK, 1 warning, 2 discard, 3 error, 4 fatal, 5 pending */
typedef struct {
    Boolean new_discrete_states_needed, terminate, nominals_changed, values_changed, next_time_defined;
    double next_time;
} EventInfo;

enum { OK = UNIT_OK, ERROR = UNIT_ERROR };

API String fmi2GetTypesPlatform(void) { return "default"; }
API String fmi2GetVersion(void) { return "2.0"; }

API Status fmi2SetDebugLogging(void *c, Boolean on, size_t n, const String *categories)
{
    (void)c, (void)on, (void)n, (void)categories;
    return OK;
}

API void *fmi2Instantiate(String name, int kind, String guid, String resources, const void *functions, Boolean visible,
                          Boolean logging)
{
    Unit *u = NULL;
    (void)name, (void)resources, (void)functions, (void)visible, (void)logging;
    if ((kind == 0 ? WITH_MODEL_EXCHANGE : WITH_CO_SIMULATION) && guid != NULL && strcmp(guid, UNIT_GUID) == 0)
        u = calloc(1, sizeof *u);
    if (u != NULL) {
        u->co_simulation = kind == 1;
        unit_start(u);
    }
    return u;
}

API void fmi2FreeInstance(void *c) { free(c); }

API Status fmi2SetupExperiment(void *c, Boolean with_tolerance, double tolerance, double begin, Boolean with_stop,
                               double stop)
{
    Unit *u = c;
    (void)with_stop, (void)stop;
    u->t = begin;
    if (with_tolerance && tolerance > 0.0)
        u->tolerance = tolerance;
    return OK;
}

API Status fmi2EnterInitializationMode(void *c) { (void)c; return OK; }

API Status fmi2ExitInitializationMode(void *c)
{
    unit_handle_event(c);
    return OK;
}

API Status fmi2Terminate(void *c) { (void)c; return OK; }
API Status fmi2Reset(void *c) { unit_start(c); return OK; }

API Status fmi2GetReal(void *c, const Reference *references, size_t n, double *values)
{
    Status status = OK;
    for (size_t k = 0; k < n; k++) {
        double *found = unit_variable(c, references[k]);
        if (found == NULL)
            return ERROR;
        if (unit_is_derivative(references[k]))
            status = (Status)unit_evaluate(c);
        values[k] = *found;
    }
    return status;
}

API Status fmi2SetReal(void *c, const Reference *references, size_t n, const double *values)
{
    for (size_t k = 0; k < n; k++) {
        double *found = unit_variable(c, references[k]);
        if (found == NULL || unit_is_derivative(references[k]))
            return ERROR;
        *found = values[k];
    }
    return OK;
}

#define WITHOUT(function, type)                                                                  \
    API Status function(void *c, const Reference *references, size_t n, type values)              \
    {                                                                                            \
        (void)c, (void)references, (void)values;                                                  \
        return n ? ERROR : OK;                                                                   \
    }
WITHOUT(fmi2GetInteger, int *)
WITHOUT(fmi2GetBoolean, Boolean *)
WITHOUT(fmi2GetString, String *)
WITHOUT(fmi2SetInteger, const int *)
WITHOUT(fmi2SetBoolean, const Boolean *)
WITHOUT(fmi2SetString, const String *)

API Status fmi2GetFMUstate(void *c, void **state)
{
    if (*state == NULL)
        *state = malloc(sizeof(Unit));
    if (*state == NULL)
        return ERROR;
    memcpy(*state, c, sizeof(Unit));
    return OK;
}

API Status fmi2SetFMUstate(void *c, void *state)
{
    memcpy(c, state, sizeof(Unit));
    return OK;
}

API Status fmi2FreeFMUstate(void *c, void **state)
{
    (void)c;
    free(*state);
    *state = NULL;
    return OK;
}

API Status fmi2SerializedFMUstateSize(void *c, void *state, size_t *size)
{
    (void)c, (void)state;
    *size = sizeof(Unit);
    return OK;
}

API Status fmi2SerializeFMUstate(void *c, void *state, char *bytes, size_t size)
{
    (void)c;
    if (size < sizeof(Unit))
        return ERROR;
    memcpy(bytes, state, sizeof(Unit));
    return OK;
}

API Status fmi2DeSerializeFMUstate(void *c, const char *bytes, size_t size, void **state)
{
    (void)c;
    if (size != sizeof(Unit))
        return ERROR;
    *state = malloc(sizeof(Unit));
    if (*state == NULL)
        return ERROR;
    memcpy(*state, bytes, sizeof(Unit));
    return OK;
}

API Status fmi2GetDirectionalDerivative(void *c, const Reference *unknown, size_t n, const Reference *known, size_t m,
                                        const double *seed, double *derivative)
{
    return (Status)unit_directional(c, unknown, n, known, m, seed, derivative);
}

/* Model exchange. */

API Status fmi2EnterEventMode(void *c)
{
    ((Unit *)c)->held = 0;
    return OK;
}

API Status fmi2EnterContinuousTimeMode(void *c)
{
    unit_handle_event(c);
    ((Unit *)c)->held = 1;
    return OK;
}

API Status fmi2NewDiscreteStates(void *c, EventInfo *info)
{
    memset(info, 0, sizeof *info);
    info->values_changed = unit_handle_event(c);
    return OK;
}

API Status fmi2CompletedIntegratorStep(void *c, Boolean no_return, Boolean *event, Boolean *terminate)
{
    (void)c, (void)no_return;
    *event = *terminate = 0;
    return OK;
}

API Status fmi2SetTime(void *c, double t)
{
    ((Unit *)c)->t = t;
    return OK;
}

API Status fmi2SetContinuousStates(void *c, const double *y, size_t n)
{
    if (n != N)
        return ERROR;
    memcpy(((Unit *)c)->y, y, n * sizeof(double));
    return OK;
}

API Status fmi2GetContinuousStates(void *c, double *y, size_t n)
{
    if (n != N)
        return ERROR;
    memcpy(y, ((Unit *)c)->y, n * sizeof(double));
    return OK;
}

API Status fmi2GetDerivatives(void *c, double *d, size_t n)
{
    Status status = (Status)unit_evaluate(c);
    if (n != N)
        return ERROR;
    memcpy(d, ((Unit *)c)->d, n * sizeof(double));
    return status;
}

API Status fmi2GetNominalsOfContinuousStates(void *c, double *nominals, size_t n)
{
    (void)c;
    for (size_t i = 0; i < n; i++)
        nominals[i] = 1.0;
    return OK;
}

API Status fmi2GetEventIndicators(void *c, double *indicators, size_t n)
{
    if (n != N_SWITCHES)
        return ERROR;
    unit_indicators(c, indicators);
    return OK;
}

/* Co-simulation. */

API Status fmi2SetRealInputDerivatives(void *c, const Reference *references, size_t n, const int *orders,
                                       const double *values)
{
    Unit *u = c;
    for (size_t k = 0; k < n; k++) {
        double *found = unit_variable(u, references[k]);
        if (orders[k] != 1 || found < u->in || found >= u->in + NI)
            return ERROR;
        u->in_rate[found - u->in] = values[k];
    }
    return OK;
}

API Status fmi2GetRealOutputDerivatives(void *c, const Reference *references, size_t n, const int *orders,
                                        double *values)
{
    Unit *u = c;
    Status status = (Status)unit_evaluate(u);
    for (size_t k = 0; k < n; k++) {
        double *found = unit_variable(u, references[k]);
        if (orders[k] != 1 || found < u->y || found >= u->y + N)
            return ERROR;
        values[k] = u->d[found - u->y];
    }
    return status;
}

API Status fmi2DoStep(void *c, double t, double h, Boolean no_return)
{
    Unit *u = c;
    (void)no_return;
    if (!u->co_simulation)
        return ERROR;
    u->t = t;
    return (Status)unit_integrate(u, t + h);
}

API Status fmi2CancelStep(void *c) { (void)c; return ERROR; }

/* Steps are complete when fmi2DoStep returns: after a step that was discarded, the time reached is known. */
API Status fmi2GetRealStatus(void *c, int kind, double *value)
{
    *value = ((Unit *)c)->t;
    return kind == 2 ? OK : UNIT_DISCARD;
}

#define NO_STATUS(function, type)                    \
    API Status function(void *c, int kind, type value) \
    {                                                \
        (void)c, (void)kind, (void)value;            \
        return UNIT_DISCARD;                         \
    }
NO_STATUS(fmi2GetStatus, Status *)
NO_STATUS(fmi2GetIntegerStatus, int *)
NO_STATUS(fmi2GetBooleanStatus, Boolean *)
NO_STATUS(fmi2GetStringStatus, String *)
