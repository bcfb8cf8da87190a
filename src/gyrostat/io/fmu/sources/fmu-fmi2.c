/* FMI 2.0 for model exchange and co-simulation. */
#include "fmu-instance.h"

#include <stdlib.h>
#include <string.h>

typedef int Boolean;
typedef char Byte;
#define FMI(name) fmi2##name
#define STATE(before, after) fmi2##before##FMUstate##after
#include "fmu-common.h"

typedef struct {
    Boolean new_discrete_states_needed, terminate, nominals_changed, values_changed, next_time_defined;
    double next_time;
} EventInfo;

API String fmi2GetTypesPlatform(void) { return "default"; }
API String fmi2GetVersion(void) { return "2.0"; }

API void *fmi2Instantiate(String name, int kind, String guid, String resources, const void *functions, Boolean visible,
                          Boolean logging)
{
    (void)name, (void)resources, (void)functions, (void)visible, (void)logging;
    return instance_new(guid, kind == 0 ? WITH_MODEL_EXCHANGE : WITH_CO_SIMULATION, kind == 1);
}

API Status fmi2SetupExperiment(void *c, Boolean with_tolerance, double tolerance, double begin, Boolean with_stop,
                               double stop)
{
    (void)with_stop, (void)stop;
    instance_begin(c, with_tolerance, tolerance, begin);
    return OK;
}

API Status fmi2EnterInitializationMode(void *c) { (void)c; return OK; }

API Status fmi2GetReal(void *c, const Reference *references, size_t n, double *values)
{
    return instance_get(c, references, n, values);
}

API Status fmi2SetReal(void *c, const Reference *references, size_t n, const double *values)
{
    return instance_set(c, references, n, values);
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

API Status fmi2GetDirectionalDerivative(void *c, const Reference *unknown, size_t n, const Reference *known, size_t m,
                                        const double *seed, double *derivative)
{
    return (Status)unit_directional(c, unknown, n, known, m, seed, derivative);
}

/* Model exchange. */

API Status fmi2NewDiscreteStates(void *c, EventInfo *info)
{
    memset(info, 0, sizeof *info);
    info->values_changed = unit_handle_event(c);
    return OK;
}

API Status fmi2GetDerivatives(void *c, double *d, size_t n)
{
    return instance_derivatives(c, d, n);
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
    return instance_output_derivatives(c, references, n, orders, values);
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
