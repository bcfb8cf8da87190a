"""The C functions of FMI 2.0 for model exchange, over the functions of a C library."""

from __future__ import annotations

from collections.abc import Sequence

from gyrostat.io.c_library.files import Library
from gyrostat.io.fmu.switches import Switch


def interface_source(library: Library, switches: Sequence[Switch], guid: str) -> str:
    """Return the source of the functions of the interface."""
    outputs = [port.name for port in library.functions[0].graph.outputs]
    places = {"qdot": "m->d", "udot": "m->d + NQ", "zdot": "m->d + NQ + NU"}
    given = ", ".join(["m->t", "m->y", "m->y + NQ", "m->y + NQ + NU", "m->p", "m->in", *["m->mode"] * bool(switches)])
    replaced = {"@NAME@": library.name, "@GUID@": guid, "@GIVEN@": given}
    replaced |= {"@RATES@": ", ".join(places[output] for output in outputs), "@SWITCHES@": str(len(switches))}
    replaced["@WHOLE@"] = ", ".join(str(int(switch.whole)) for switch in switches)
    replaced["@AT_ZERO@"] = ", ".join(repr(switch.at_zero) for switch in switches)
    replaced |= {f"@{group}@": library.count(group) for group in library.names}
    text = _SOURCE
    for mark, value in replaced.items():
        text = text.replace(mark, value)
    return text


_SOURCE = r"""/* FMI 2.0 for model exchange. */
#include "@NAME@.h"

#include <math.h>
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
typedef enum { OK, WARNING, DISCARD, ERROR, FATAL, PENDING } Status;
typedef struct {
    Boolean new_discrete_states_needed, terminate, nominals_changed, values_changed, next_time_defined;
    double next_time;
} EventInfo;

enum { NQ = @q@, NU = @u@, NZ = @z@, NP = @parameters@, NI = @inputs@, N = NQ + NU + NZ };

/* The number of switching functions s. Their modes are held in continuous time. */
#define N_SWITCHES @SWITCHES@

typedef struct {
    double t, y[N + 1], d[N + 1], p[NP + 1], in[NI + 1], s[N_SWITCHES + 1], mode[N_SWITCHES + 1];
    Boolean held;
} Model;

#if N_SWITCHES > 0
static const int whole[] = {@WHOLE@};
static const double at_zero[] = {@AT_ZERO@};

/* How far a switching function passes its switch before an indicator changes its sign, so that a function that begins
   at its switch is noticed. */
static const double hysteresis = 1e-10;

static void switches(Model *m)
{
    double rates[N_SWITCHES];
    @NAME@_switches(@GIVEN@, m->s, rates);
}

/* Set modes by the switching functions, which may depend on other modes. */
static void update(Model *m)
{
    for (int round = 0; round <= N_SWITCHES; round++) {
        Boolean changed = 0;
        switches(m);
        for (int i = 0; i < N_SWITCHES; i++) {
            double s = m->s[i], mode = whole[i] ? floor(s) : s > 0 ? 1.0 : s < 0 ? 0.0 : at_zero[i];
            changed = changed || mode != m->mode[i];
            m->mode[i] = mode;
        }
        if (!changed)
            return;
    }
}
#else
static void update(Model *m) { (void)m; }
#endif

static void start(Model *m)
{
    memset(m, 0, sizeof *m);
    @NAME@_initial(m->y, m->y + NQ, m->y + NQ + NU, m->p);
}

static Status evaluate(Model *m)
{
    if (!m->held)
        update(m);
    @NAME@_rates(@GIVEN@, @RATES@);
    for (int i = 0; i < N; i++)
        if (!isfinite(m->d[i]))
            return DISCARD;
    return OK;
}

/* Value references: time, states, their derivatives, parameters, inputs. */
static double *variable(Model *m, Reference reference)
{
    long i = (long)reference - 1;
    if (reference == 0)
        return &m->t;
    if (i < 2 * N)
        return i < N ? m->y + i : m->d + (i - N);
    i -= 2 * N;
    if (i < NP)
        return m->p + i;
    i -= NP;
    return i < NI ? m->in + i : NULL;
}

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
    Model *m = NULL;
    (void)name, (void)resources, (void)functions, (void)visible, (void)logging;
    if (kind == 0 && guid != NULL && strcmp(guid, "@GUID@") == 0)
        m = malloc(sizeof *m);
    if (m != NULL)
        start(m);
    return m;
}

API void fmi2FreeInstance(void *c) { free(c); }

API Status fmi2SetupExperiment(void *c, Boolean with_tolerance, double tolerance, double begin, Boolean with_stop,
                               double stop)
{
    (void)with_tolerance, (void)tolerance, (void)with_stop, (void)stop;
    ((Model *)c)->t = begin;
    return OK;
}

API Status fmi2EnterInitializationMode(void *c) { (void)c; return OK; }
API Status fmi2ExitInitializationMode(void *c) { (void)c; return OK; }
API Status fmi2Terminate(void *c) { (void)c; return OK; }
API Status fmi2Reset(void *c) { start(c); return OK; }

API Status fmi2GetReal(void *c, const Reference *references, size_t n, double *values)
{
    Status status = OK;
    for (size_t k = 0; k < n; k++) {
        double *found = variable(c, references[k]);
        if (found == NULL)
            return ERROR;
        if (references[k] > N && references[k] <= 2 * N)
            status = evaluate(c);
        values[k] = *found;
    }
    return status;
}

API Status fmi2SetReal(void *c, const Reference *references, size_t n, const double *values)
{
    for (size_t k = 0; k < n; k++) {
        double *found = variable(c, references[k]);
        if (found == NULL || (references[k] > N && references[k] <= 2 * N))
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
        *state = malloc(sizeof(Model));
    if (*state == NULL)
        return ERROR;
    memcpy(*state, c, sizeof(Model));
    return OK;
}

API Status fmi2SetFMUstate(void *c, void *state)
{
    memcpy(c, state, sizeof(Model));
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
    *size = sizeof(Model);
    return OK;
}

API Status fmi2SerializeFMUstate(void *c, void *state, char *bytes, size_t size)
{
    (void)c;
    if (size < sizeof(Model))
        return ERROR;
    memcpy(bytes, state, sizeof(Model));
    return OK;
}

API Status fmi2DeSerializeFMUstate(void *c, const char *bytes, size_t size, void **state)
{
    (void)c;
    if (size != sizeof(Model))
        return ERROR;
    *state = malloc(sizeof(Model));
    if (*state == NULL)
        return ERROR;
    memcpy(*state, bytes, sizeof(Model));
    return OK;
}

API Status fmi2GetDirectionalDerivative(void *c, const Reference *unknown, size_t n, const Reference *known, size_t m,
                                        const double *seed, double *derivative)
{
    (void)c, (void)unknown, (void)n, (void)known, (void)m, (void)seed, (void)derivative;
    return ERROR;
}

API Status fmi2EnterEventMode(void *c)
{
    ((Model *)c)->held = 0;
    return OK;
}

API Status fmi2EnterContinuousTimeMode(void *c)
{
    update(c);
    ((Model *)c)->held = 1;
    return OK;
}

API Status fmi2NewDiscreteStates(void *c, EventInfo *info)
{
    (void)c;
    memset(info, 0, sizeof *info);
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
    ((Model *)c)->t = t;
    return OK;
}

API Status fmi2SetContinuousStates(void *c, const double *y, size_t n)
{
    if (n != N)
        return ERROR;
    memcpy(((Model *)c)->y, y, n * sizeof(double));
    return OK;
}

API Status fmi2GetContinuousStates(void *c, double *y, size_t n)
{
    if (n != N)
        return ERROR;
    memcpy(y, ((Model *)c)->y, n * sizeof(double));
    return OK;
}

API Status fmi2GetDerivatives(void *c, double *d, size_t n)
{
    Status status = evaluate(c);
    if (n != N)
        return ERROR;
    memcpy(d, ((Model *)c)->d, n * sizeof(double));
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
#if N_SWITCHES > 0
    Model *m = c;
    switches(m);
    for (int i = 0; i < N_SWITCHES; i++) {
        double s = m->s[i], mode = m->mode[i];
        if (whole[i])
            indicators[i] = (s - mode + hysteresis) * (mode + 1.0 - s + hysteresis);
        else
            indicators[i] = mode > 0.5 ? s + hysteresis : s - hysteresis;
    }
#else
    (void)c, (void)indicators;
#endif
    return OK;
}
"""
