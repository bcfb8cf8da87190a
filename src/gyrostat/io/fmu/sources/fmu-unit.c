/* Variables, equations and events of an instance. */
#include "fmu-unit.h"

#include <math.h>
#include <string.h>

#if N_SWITCHES > 0
/* How far a switching function passes its switch before an indicator changes its sign, so that a function that begins
   at its switch is noticed. */
static const double hysteresis = 1e-10;

static const int whole[] = SWITCH_WHOLE;
static const double at_zero[] = SWITCH_AT_ZERO;

static void switches(Unit *u)
{
    double rates[N_SWITCHES];
    UNIT_SWITCHES(u, u->s, rates);
}

/* Set modes by the switching functions, which may depend on other modes. */
static void update(Unit *u)
{
    for (int round = 0; round <= N_SWITCHES; round++) {
        int changed = 0;
        switches(u);
        for (int i = 0; i < N_SWITCHES; i++) {
            double s = u->s[i], mode = whole[i] ? floor(s) : s > 0 ? 1.0 : s < 0 ? 0.0 : at_zero[i];
            changed = changed || mode != u->mode[i];
            u->mode[i] = mode;
        }
        if (!changed)
            return;
    }
}
#else
static void update(Unit *u) { (void)u; }
#endif

int unit_handle_event(Unit *u)
{
    int changed = 0;
    if (u->begun && unit_has_drifted(u)) {
        unit_project(u);
        changed = 1;
    }
    update(u);
#if N_RESETS > 0
    static const int places[] = RESET_PLACES, functions[] = RESET_SWITCHES;
    static const double modes[] = RESET_MODES;
    double values[N_RESETS];
    UNIT_RESETS(u, values);
    for (int k = 0; k < N_RESETS; k++) {
        int i = functions[k];
        int is_new = u->begun ? u->before[i] != modes[k] : u->s[i] == 0.0;
        if (u->mode[i] == modes[k] && is_new) {
            changed = changed || u->y[places[k]] != values[k];
            u->y[places[k]] = values[k];
        }
    }
#endif
    memcpy(u->before, u->mode, sizeof u->before);
    u->begun = 1;
    return changed;
}

void unit_start(Unit *u)
{
    int co_simulation = u->co_simulation;
    memset(u, 0, sizeof *u);
    u->co_simulation = co_simulation;
    u->tolerance = RELATIVE_TOLERANCE;
    UNIT_INITIAL(u);
}

UnitStatus unit_evaluate(Unit *u)
{
    if (!u->held)
        update(u);
    UNIT_RATES(u, u->d);
    for (int i = 0; i < N; i++)
        if (!isfinite(u->d[i]))
            return UNIT_DISCARD;
    return UNIT_OK;
}

UnitStatus unit_evaluate_outputs(Unit *u)
{
#if NO > 0
    if (!u->held)
        update(u);
    UNIT_OUTPUTS(u, u->out);
    for (int i = 0; i < NO; i++)
        if (!isfinite(u->out[i]))
            return UNIT_DISCARD;
#else
    (void)u;
#endif
    return UNIT_OK;
}

void unit_rates_of_outputs(Unit *u, double *rates)
{
#if NO > 0
    double still[N + 1] = {0}, by_inputs[NO];
    if (!u->held)
        update(u);
    UNIT_OUTPUT_RATES(u, rates);
    UNIT_OUTPUTS_ALONG(u, still, u->in_rate, by_inputs);
    for (int i = 0; i < NO; i++)
        rates[i] += by_inputs[i];
#else
    (void)u, (void)rates;
#endif
}

void unit_indicators(Unit *u, double *indicators)
{
#if N_SWITCHES > 0
    switches(u);
    for (int i = 0; i < N_SWITCHES; i++) {
        double s = u->s[i], mode = u->mode[i];
        if (whole[i])
            indicators[i] = (s - mode + hysteresis) * (mode + 1.0 - s + hysteresis);
        else
            indicators[i] = mode > 0.5 ? s + hysteresis : s - hysteresis;
    }
#else
    (void)u, (void)indicators;
#endif
}

double *unit_variable(Unit *u, unsigned int reference)
{
    long i = (long)reference - 1;
    if (reference == 0)
        return &u->t;
    if (i < 2 * N)
        return i < N ? u->y + i : u->d + (i - N);
    i -= 2 * N;
    if (i < NP)
        return u->p + i;
    i -= NP;
    if (i < NI)
        return u->in + i;
    i -= NI;
    return i < NO ? u->out + i : NULL;
}

int unit_is_derivative(unsigned int reference) { return reference > N && reference <= 2 * N; }

int unit_is_output(unsigned int reference)
{
    const unsigned int last = 2 * N + NP + NI;
    return reference > last && reference <= last + NO;
}

void unit_derivatives_along(Unit *u, const double *states, const double *inputs, double *found)
{
    UNIT_ALONG(u, states, found);
#if NI > 0
    double by_inputs[N + 1];
    UNIT_BY_INPUTS(u, inputs, by_inputs);
    for (int i = 0; i < N; i++)
        found[i] += by_inputs[i];
#else
    (void)inputs;
#endif
}

UnitStatus unit_directional(Unit *u, const unsigned int *unknown, size_t n, const unsigned int *known, size_t m,
                            const double *seed, double *found)
{
    double states[N + 1] = {0}, inputs[NI + 1] = {0}, rates[N + 1], outputs[NO + 1] = {0};
    for (size_t k = 0; k < m; k++) {
        double *place = unit_variable(u, known[k]);
        if (place >= u->y && place < u->y + N)
            states[place - u->y] = seed[k];
        else if (place >= u->in && place < u->in + NI)
            inputs[place - u->in] = seed[k];
        else
            return UNIT_ERROR;
    }
    if (!u->held)
        update(u);
    unit_derivatives_along(u, states, inputs, rates);
#if NO > 0
    UNIT_OUTPUTS_ALONG(u, states, inputs, outputs);
#endif
    for (size_t k = 0; k < n; k++) {
        double *place = unit_variable(u, unknown[k]);
        if (place >= u->y && place < u->y + N)
            found[k] = states[place - u->y];
        else if (place >= u->d && place < u->d + N)
            found[k] = rates[place - u->d];
        else if (place >= u->out && place < u->out + NO)
            found[k] = outputs[place - u->out];
        else
            return UNIT_ERROR;
    }
    return UNIT_OK;
}
