/* FMI 3.0 for model exchange and co-simulation. */
#include "fmu-instance.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef bool Boolean;
typedef uint8_t Byte;
#define FMI(name) fmi3##name
#define STATE(before, after) fmi3##before##FMUState##after
#define fmi3DeSerializeFMUState fmi3DeserializeFMUState
#include "fmu-common.h"

API String fmi3GetVersion(void) { return "3.0"; }

API void *fmi3InstantiateModelExchange(String name, String token, String resources, bool visible, bool logging,
                                       void *environment, const void *log)
{
    (void)name, (void)resources, (void)visible, (void)logging, (void)environment, (void)log;
    return instance_new(token, WITH_MODEL_EXCHANGE, 0);
}

API void *fmi3InstantiateCoSimulation(String name, String token, String resources, bool visible, bool logging,
                                      bool event_mode, bool early_return, const Reference *intermediate, size_t n,
                                      void *environment, const void *log, const void *update)
{
    (void)name, (void)resources, (void)visible, (void)logging, (void)early_return, (void)intermediate;
    (void)n, (void)environment, (void)log, (void)update;
    return instance_new(token, WITH_CO_SIMULATION && !event_mode, 1);
}

API void *fmi3InstantiateScheduledExecution(String name, String token, String resources, bool visible, bool logging,
                                            void *environment, const void *log, const void *update,
                                            const void *lock, const void *unlock)
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)environment, (void)log;
    (void)update, (void)lock, (void)unlock;
    return NULL;
}

API Status fmi3EnterInitializationMode(void *c, bool with_tolerance, double tolerance, double begin, bool with_stop,
                                       double stop)
{
    (void)with_stop, (void)stop;
    instance_begin(c, with_tolerance, tolerance, begin);
    return OK;
}

API Status fmi3EnterConfigurationMode(void *c) { (void)c; return ERROR; }
API Status fmi3ExitConfigurationMode(void *c) { (void)c; return ERROR; }

API Status fmi3GetFloat64(void *c, const Reference *references, size_t n, double *values, size_t size)
{
    return size == n ? instance_get(c, references, n, values) : ERROR;
}

API Status fmi3SetFloat64(void *c, const Reference *references, size_t n, const double *values, size_t size)
{
    return size == n ? instance_set(c, references, n, values) : ERROR;
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

API Status fmi3EvaluateDiscreteStates(void *c) { (void)c; return OK; }

API Status fmi3UpdateDiscreteStates(void *c, bool *needed, bool *terminate, bool *nominals, bool *values,
                                    bool *with_next, double *next)
{
    *needed = *terminate = *nominals = *with_next = false;
    *next = 0.0;
    *values = unit_handle_event(c) != 0;
    return OK;
}

API Status fmi3GetContinuousStateDerivatives(void *c, double *d, size_t n)
{
    return instance_derivatives(c, d, n);
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
    return size == n ? instance_output_derivatives(c, references, n, (const int *)orders, values) : ERROR;
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
