/* FMI 3.0 for model exchange and co-simulation. */
#include "fmu-unit.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#define API __declspec(dllexport)
#else
#define API __attribute__((visibility("default")))
#endif

typedef uint32_t Reference;
typedef const char *String;
typedef int Status; /* 0 OK, 1 warning, 2 discard, 3 error, 4 fatal */

enum { OK = UNIT_OK, ERROR = UNIT_ERROR, FIRST_INDICATOR = 1 + 2 * N + NP + NI };

API String fmi3GetVersion(void) { return "3.0"; }

API Status fmi3SetDebugLogging(void *c, bool on, size_t n, const String *categories)
{
    (void)c, (void)on, (void)n, (void)categories;
    return OK;
}

static void *instantiate(String token, int possible, int co_simulation)
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

API void *fmi3InstantiateModelExchange(String name, String token, String resources, bool visible, bool logging,
                                       void *environment, const void *log)
{
    (void)name, (void)resources, (void)visible, (void)logging, (void)environment, (void)log;
    return instantiate(token, WITH_MODEL_EXCHANGE, 0);
}

API void *fmi3InstantiateCoSimulation(String name, String token, String resources, bool visible, bool logging,
                                      bool event_mode, bool early_return, const Reference *intermediate, size_t n,
                                      void *environment, const void *log, const void *update)
{
    (void)name, (void)resources, (void)visible, (void)logging, (void)early_return, (void)intermediate;
    (void)n, (void)environment, (void)log, (void)update;
    return instantiate(token, WITH_CO_SIMULATION && !event_mode, 1);
}

API void *fmi3InstantiateScheduledExecution(String name, String token, String resources, bool visible, bool logging,
                                            void *environment, const void *log, const void *update,
                                            const void *lock, const void *unlock)
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)environment, (void)log;
    (void)update, (void)lock, (void)unlock;
    return NULL;
}

API void fmi3FreeInstance(void *c) { free(c); }

API Status fmi3EnterInitializationMode(void *c, bool with_tolerance, double tolerance, double begin, bool with_stop,
                                       double stop)
{
    Unit *u = c;
    (void)with_stop, (void)stop;
    u->t = begin;
    if (with_tolerance && tolerance > 0.0)
        u->tolerance = tolerance;
    return OK;
}

API Status fmi3ExitInitializationMode(void *c)
{
    unit_handle_event(c);
    return OK;
}

API Status fmi3Terminate(void *c) { (void)c; return OK; }
API Status fmi3Reset(void *c) { unit_start(c); return OK; }
API Status fmi3EnterConfigurationMode(void *c) { (void)c; return ERROR; }
API Status fmi3ExitConfigurationMode(void *c) { (void)c; return ERROR; }

API Status fmi3GetFloat64(void *c, const Reference *references, size_t n, double *values, size_t size)
{
    Status status = OK;
    if (size != n)
        return ERROR;
    for (size_t k = 0; k < n; k++) {
        double *found = unit_variable(c, references[k]);
        if (found == NULL) {
            double indicators[N_SWITCHES + 1];
            if (references[k] < FIRST_INDICATOR || references[k] >= FIRST_INDICATOR + N_SWITCHES)
                return ERROR;
            unit_indicators(c, indicators);
            values[k] = indicators[references[k] - FIRST_INDICATOR];
            continue;
        }
        if (unit_is_derivative(references[k]))
            status = (Status)unit_evaluate(c);
        values[k] = *found;
    }
    return status;
}

API Status fmi3SetFloat64(void *c, const Reference *references, size_t n, const double *values, size_t size)
{
    if (size != n)
        return ERROR;
    for (size_t k = 0; k < n; k++) {
        double *found = unit_variable(c, references[k]);
        if (found == NULL || unit_is_derivative(references[k]))
            return ERROR;
        *found = values[k];
    }
    return OK;
}

/* All variables are of type Float64. */
#define WITHOUT(name, type)                                                                                     \
    API Status fmi3Get##name(void *c, const Reference *references, size_t n, type *values, size_t size)          \
    {                                                                                                           \
        (void)c, (void)references, (void)values, (void)size;                                                     \
        return n ? ERROR : OK;                                                                                  \
    }                                                                                                           \
    API Status fmi3Set##name(void *c, const Reference *references, size_t n, const type *values, size_t size)    \
    {                                                                                                           \
        (void)c, (void)references, (void)values, (void)size;                                                     \
        return n ? ERROR : OK;                                                                                  \
    }
WITHOUT(Float32, float)
WITHOUT(Int8, int8_t)
WITHOUT(UInt8, uint8_t)
WITHOUT(Int16, int16_t)
WITHOUT(UInt16, uint16_t)
WITHOUT(Int32, int32_t)
WITHOUT(UInt32, uint32_t)
WITHOUT(Int64, int64_t)
WITHOUT(UInt64, uint64_t)
WITHOUT(Boolean, bool)
WITHOUT(String, String)

API Status fmi3GetBinary(void *c, const Reference *references, size_t n, size_t *sizes, const uint8_t **values,
                         size_t size)
{
    (void)c, (void)references, (void)sizes, (void)values, (void)size;
    return n ? ERROR : OK;
}

API Status fmi3SetBinary(void *c, const Reference *references, size_t n, const size_t *sizes,
                         const uint8_t *const *values, size_t size)
{
    (void)c, (void)references, (void)sizes, (void)values, (void)size;
    return n ? ERROR : OK;
}

API Status fmi3GetClock(void *c, const Reference *references, size_t n, bool *values)
{
    (void)c, (void)references, (void)values;
    return n ? ERROR : OK;
}

API Status fmi3SetClock(void *c, const Reference *references, size_t n, const bool *values)
{
    (void)c, (void)references, (void)values;
    return n ? ERROR : OK;
}

/* There are no clocks. */
#define OF_CLOCKS(name, first, second)                                                                  \
    API Status name(void *c, const Reference *references, size_t n, first one, second two)               \
    {                                                                                                   \
        (void)c, (void)references, (void)one, (void)two;                                                 \
        return n ? ERROR : OK;                                                                          \
    }
#define OF_CLOCKS_3(name, first, second, third)                                                         \
    API Status name(void *c, const Reference *references, size_t n, first one, second two, third three)  \
    {                                                                                                   \
        (void)c, (void)references, (void)one, (void)two, (void)three;                                    \
        return n ? ERROR : OK;                                                                          \
    }
OF_CLOCKS(fmi3GetIntervalDecimal, double *, int *)
OF_CLOCKS_3(fmi3GetIntervalFraction, uint64_t *, uint64_t *, int *)
OF_CLOCKS(fmi3GetShiftFraction, uint64_t *, uint64_t *)
OF_CLOCKS(fmi3SetIntervalFraction, const uint64_t *, const uint64_t *)
OF_CLOCKS(fmi3SetShiftFraction, const uint64_t *, const uint64_t *)

API Status fmi3GetShiftDecimal(void *c, const Reference *references, size_t n, double *shifts)
{
    (void)c, (void)references, (void)shifts;
    return n ? ERROR : OK;
}

API Status fmi3SetIntervalDecimal(void *c, const Reference *references, size_t n, const double *intervals)
{
    (void)c, (void)references, (void)intervals;
    return n ? ERROR : OK;
}

API Status fmi3SetShiftDecimal(void *c, const Reference *references, size_t n, const double *shifts)
{
    (void)c, (void)references, (void)shifts;
    return n ? ERROR : OK;
}

API Status fmi3ActivateModelPartition(void *c, Reference clock, double t)
{
    (void)c, (void)clock, (void)t;
    return ERROR;
}

API Status fmi3GetNumberOfVariableDependencies(void *c, Reference variable, size_t *count)
{
    (void)c, (void)variable, (void)count;
    return ERROR;
}

API Status fmi3GetVariableDependencies(void *c, Reference dependent, size_t *of_dependent, Reference *independent,
                                       size_t *of_independent, int *kinds, size_t n)
{
    (void)c, (void)dependent, (void)of_dependent, (void)independent, (void)of_independent, (void)kinds, (void)n;
    return ERROR;
}

API Status fmi3GetFMUState(void *c, void **state)
{
    if (*state == NULL)
        *state = malloc(sizeof(Unit));
    if (*state == NULL)
        return ERROR;
    memcpy(*state, c, sizeof(Unit));
    return OK;
}

API Status fmi3SetFMUState(void *c, void *state)
{
    memcpy(c, state, sizeof(Unit));
    return OK;
}

API Status fmi3FreeFMUState(void *c, void **state)
{
    (void)c;
    free(*state);
    *state = NULL;
    return OK;
}

API Status fmi3SerializedFMUStateSize(void *c, void *state, size_t *size)
{
    (void)c, (void)state;
    *size = sizeof(Unit);
    return OK;
}

API Status fmi3SerializeFMUState(void *c, void *state, uint8_t *bytes, size_t size)
{
    (void)c;
    if (size < sizeof(Unit))
        return ERROR;
    memcpy(bytes, state, sizeof(Unit));
    return OK;
}

API Status fmi3DeserializeFMUState(void *c, const uint8_t *bytes, size_t size, void **state)
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

API Status fmi3GetDirectionalDerivative(void *c, const Reference *unknown, size_t n, const Reference *known, size_t m,
                                        const double *seed, size_t n_seed, double *derivative, size_t n_derivative)
{
    if (n_seed != m || n_derivative != n)
        return ERROR;
    return (Status)unit_directional(c, unknown, n, known, m, seed, derivative);
}

API Status fmi3GetAdjointDerivative(void *c, const Reference *unknown, size_t n, const Reference *known, size_t m,
                                    const double *seed, size_t n_seed, double *derivative, size_t n_derivative)
{
    (void)c, (void)unknown, (void)n, (void)known, (void)m, (void)seed, (void)n_seed, (void)derivative;
    (void)n_derivative;
    return ERROR;
}

/* Model exchange. */

API Status fmi3EnterEventMode(void *c)
{
    ((Unit *)c)->held = 0;
    return OK;
}

API Status fmi3EvaluateDiscreteStates(void *c) { (void)c; return OK; }

API Status fmi3UpdateDiscreteStates(void *c, bool *needed, bool *terminate, bool *nominals, bool *values,
                                    bool *with_next, double *next)
{
    *needed = *terminate = *nominals = *with_next = false;
    *next = 0.0;
    *values = unit_handle_event(c) != 0;
    return OK;
}

API Status fmi3EnterContinuousTimeMode(void *c)
{
    unit_handle_event(c);
    ((Unit *)c)->held = 1;
    return OK;
}

API Status fmi3CompletedIntegratorStep(void *c, bool no_return, bool *event, bool *terminate)
{
    (void)c, (void)no_return;
    *event = *terminate = false;
    return OK;
}

API Status fmi3SetTime(void *c, double t)
{
    ((Unit *)c)->t = t;
    return OK;
}

API Status fmi3SetContinuousStates(void *c, const double *y, size_t n)
{
    if (n != N)
        return ERROR;
    memcpy(((Unit *)c)->y, y, n * sizeof(double));
    return OK;
}

API Status fmi3GetContinuousStates(void *c, double *y, size_t n)
{
    if (n != N)
        return ERROR;
    memcpy(y, ((Unit *)c)->y, n * sizeof(double));
    return OK;
}

API Status fmi3GetContinuousStateDerivatives(void *c, double *d, size_t n)
{
    Status status = (Status)unit_evaluate(c);
    if (n != N)
        return ERROR;
    memcpy(d, ((Unit *)c)->d, n * sizeof(double));
    return status;
}

API Status fmi3GetNominalsOfContinuousStates(void *c, double *nominals, size_t n)
{
    (void)c;
    for (size_t i = 0; i < n; i++)
        nominals[i] = 1.0;
    return OK;
}

API Status fmi3GetEventIndicators(void *c, double *indicators, size_t n)
{
    if (n != N_SWITCHES)
        return ERROR;
    unit_indicators(c, indicators);
    return OK;
}

API Status fmi3GetNumberOfEventIndicators(void *c, size_t *count)
{
    (void)c;
    *count = N_SWITCHES;
    return OK;
}

API Status fmi3GetNumberOfContinuousStates(void *c, size_t *count)
{
    (void)c;
    *count = N;
    return OK;
}

/* Co-simulation. */

API Status fmi3EnterStepMode(void *c) { (void)c; return OK; }

API Status fmi3GetOutputDerivatives(void *c, const Reference *references, size_t n, const int32_t *orders,
                                    double *values, size_t size)
{
    Unit *u = c;
    Status status = (Status)unit_evaluate(u);
    if (size != n)
        return ERROR;
    for (size_t k = 0; k < n; k++) {
        double *found = unit_variable(u, references[k]);
        if (orders[k] != 1 || found < u->y || found >= u->y + N)
            return ERROR;
        values[k] = u->d[found - u->y];
    }
    return status;
}

API Status fmi3DoStep(void *c, double t, double h, bool no_return, bool *event, bool *terminate, bool *early,
                      double *reached)
{
    Unit *u = c;
    Status status;
    (void)no_return;
    *event = *terminate = *early = false;
    if (!u->co_simulation)
        return ERROR;
    u->t = t;
    status = (Status)unit_integrate(u, t + h);
    *reached = u->t;
    return status;
}
