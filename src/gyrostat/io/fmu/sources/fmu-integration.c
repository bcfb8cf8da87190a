/* Integration of an instance with step control, for co-simulation. */
#include "fmu-unit.h"

#include <math.h>
#include <string.h>

/* The state at the start of a step, and the inputs at the start of the integration. */
typedef struct {
    double t, begin;
    double y[N + 1], in[NI + 1];
} Start;

static const double weight_a[STAGES][STAGES] = METHOD_A;
static const double weight_b[STAGES] = METHOD_B;
static const double node[STAGES] = METHOD_C;

/* Evaluate the derivatives at a time and a state. */
static UnitStatus evaluate_at(Unit *u, const Start *from, double t, const double *y)
{
    u->t = t;
    memcpy(u->y, y, N * sizeof(double));
    for (int i = 0; i < NI; i++)
        u->in[i] = from->in[i] + u->in_rate[i] * (t - from->begin);
    return unit_evaluate(u);
}

static double norm(const Unit *u, const double *error, const double *y0, const double *y1)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++) {
        double scale = ABSOLUTE_TOLERANCE / RELATIVE_TOLERANCE * u->tolerance + u->tolerance * fmax(fabs(y0[i]), fabs(y1[i]));
        sum += error[i] / scale * (error[i] / scale);
    }
    return N ? sqrt(sum / N) : 0.0;
}

#if STIFF
static const double link[STAGES][STAGES] = METHOD_LINK;
static const double time_weight[STAGES] = METHOD_TIME;
static const double error_weight[STAGES] = METHOD_ERROR;

/* Factorise a matrix by rows with pivots, in place; return whether it is regular. */
static int factorise(double *matrix, int *pivots)
{
    for (int k = 0; k < N; k++) {
        int best = k;
        for (int i = k + 1; i < N; i++)
            if (fabs(matrix[i * N + k]) > fabs(matrix[best * N + k]))
                best = i;
        pivots[k] = best;
        if (!(fabs(matrix[best * N + k]) > 0.0))
            return 0;
        for (int j = 0; best != k && j < N; j++) {
            double kept = matrix[k * N + j];
            matrix[k * N + j] = matrix[best * N + j];
            matrix[best * N + j] = kept;
        }
        for (int i = k + 1; i < N; i++) {
            double factor = matrix[i * N + k] /= matrix[k * N + k];
            for (int j = k + 1; factor != 0.0 && j < N; j++)
                matrix[i * N + j] -= factor * matrix[k * N + j];
        }
    }
    return 1;
}

static void solve(const double *matrix, const int *pivots, double *x)
{
    for (int k = 0; k < N; k++) {
        double kept = x[k];
        x[k] = x[pivots[k]];
        x[pivots[k]] = kept;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++)
            x[i] -= matrix[i * N + j] * x[j];
    for (int i = N - 1; i >= 0; i--) {
        for (int j = i + 1; j < N; j++)
            x[i] -= matrix[i * N + j] * x[j];
        x[i] /= matrix[i * N + i];
    }
}

/* Set 1/(h gamma) - J and the derivatives by time, through inputs as well. */
static void linearise(Unit *u, double h, double *matrix, double *by_time)
{
    double column[N + 1], seed[N + 1] = {0}, none[NI + 1] = {0};
    UNIT_IN_TIME(u, by_time);
    unit_derivatives_along(u, seed, u->in_rate, column);
    for (int i = 0; i < N; i++)
        by_time[i] += column[i];
    for (int j = 0; j < N; j++) {
        seed[j] = 1.0;
        unit_derivatives_along(u, seed, none, column);
        seed[j] = 0.0;
        for (int i = 0; i < N; i++)
            matrix[i * N + j] = (i == j ? 1.0 / (h * METHOD_GAMMA) : 0.0) - column[i];
    }
}

/* One step of a Rosenbrock method: (1/(h gamma) - J) U_i = f(y + sum a_ij U_j) + sum link_ij U_j/h + h time_i df/dt. */
static UnitStatus step(Unit *u, const Start *from, double h, double *after, double *error)
{
    double stages[STAGES][N + 1], matrix[N * N + 1], by_time[N + 1], y[N + 1], error_of[N + 1];
    int pivots[N + 1];
    if (evaluate_at(u, from, from->t, from->y) != UNIT_OK)
        return UNIT_DISCARD;
    linearise(u, h, matrix, by_time);
    if (!factorise(matrix, pivots))
        return UNIT_DISCARD;
    for (int s = 0; s < STAGES; s++) {
        memcpy(y, from->y, sizeof y);
        for (int j = 0; j < s; j++)
            for (int i = 0; i < N; i++)
                y[i] += weight_a[s][j] * stages[j][i];
        if (evaluate_at(u, from, from->t + node[s] * h, y) != UNIT_OK)
            return UNIT_DISCARD;
        for (int i = 0; i < N; i++) {
            stages[s][i] = u->d[i] + h * time_weight[s] * by_time[i];
            for (int j = 0; j < s; j++)
                stages[s][i] += link[s][j] * stages[j][i] / h;
        }
        solve(matrix, pivots, stages[s]);
    }
    for (int i = 0; i < N; i++) {
        after[i] = from->y[i];
        error_of[i] = 0.0;
        for (int s = 0; s < STAGES; s++) {
            after[i] += weight_b[s] * stages[s][i];
            error_of[i] += error_weight[s] * stages[s][i];
        }
    }
    *error = norm(u, error_of, from->y, after);
    return UNIT_OK;
}
#else
static const double error_weight[2][STAGES + 1] = METHOD_ERROR;

/* One step of a Runge-Kutta method; the rate at the end of the step is the last stage. */
static UnitStatus step(Unit *u, const Start *from, double h, double *after, double *error)
{
    double stages[STAGES + 1][N + 1], y[N + 1], errors[2][N + 1];
    for (int s = 0; s <= STAGES; s++) {
        const double *weights = s < STAGES ? weight_a[s] : weight_b;
        memcpy(y, from->y, sizeof y);
        for (int j = 0; j < s; j++)
            for (int i = 0; weights[j] != 0.0 && i < N; i++)
                y[i] += h * weights[j] * stages[j][i];
        if (evaluate_at(u, from, from->t + (s < STAGES ? node[s] : 1.0) * h, y) != UNIT_OK)
            return UNIT_DISCARD;
        memcpy(stages[s], u->d, sizeof stages[s]);
    }
    memcpy(after, y, sizeof y);
    for (int row = 0; row < 2; row++)
        for (int i = 0; i < N; i++) {
            errors[row][i] = 0.0;
            for (int s = 0; s <= STAGES; s++)
                errors[row][i] += h * error_weight[row][s] * stages[s][i];
        }
    double low = norm(u, errors[0], from->y, after), high = norm(u, errors[1], from->y, after);
    *error = high > 0.0 ? low * low / hypot(low, 0.1 * high) : low;
    return UNIT_OK;
}
#endif

#if N_SWITCHES > 0
static int crossed(const double *before, const double *after)
{
    for (int i = 0; i < N_SWITCHES; i++)
        if ((before[i] > 0.0) != (after[i] > 0.0))
            return 1;
    return 0;
}

/* Shorten an accepted step so that it ends just behind its first switch, by bisection; return its length. */
static double first_switch(Unit *u, const Start *from, double h, const double *before, double *after)
{
    double low = 0.0, high = h, found[N_SWITCHES + 1], tried[N + 1], error;
    while (high - low > 1e-15 * fmax(fabs(from->t), h)) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high)
            break;
        if (step(u, from, middle, tried, &error) != UNIT_OK)
            break;
        evaluate_at(u, from, from->t + middle, tried);
        unit_indicators(u, found);
        if (crossed(before, found)) {
            high = middle;
            memcpy(after, tried, sizeof tried);
        } else {
            low = middle;
        }
    }
    return high;
}
#endif

/* Go on by one accepted step to at most `end`; set whether it ended at a switch. */
static UnitStatus advance(Unit *u, Start *from, double end, int *event)
{
    double after[N + 1] = {0}, error = 0.0, h = u->h > 0.0 ? u->h : 1e-3 * (end - from->t);
#if N_SWITCHES > 0
    double before[N_SWITCHES + 1], found[N_SWITCHES + 1];
    evaluate_at(u, from, from->t, from->y);
    unit_indicators(u, before);
#endif
    for (;;) {
        int last = from->t + 1.01 * h >= end;
        double tried = last ? end - from->t : h;
        if (tried <= 1e-15 * fabs(from->t))
            return UNIT_DISCARD;
        if (step(u, from, tried, after, &error) != UNIT_OK || !isfinite(error)) {
            h = 0.1 * tried;
            continue;
        }
        double factor = error > 0.0 ? 0.9 * pow(error, -1.0 / ERROR_ORDER) : 5.0;
        if (error > 1.0) {
            h = tried * fmax(factor, 0.2);
            continue;
        }
        double next = tried * fmin(fmax(factor, 0.2), 5.0);
        u->h = last && next < h ? h : next;
        *event = 0;
#if N_SWITCHES > 0
        evaluate_at(u, from, from->t + tried, after);
        unit_indicators(u, found);
        if (crossed(before, found)) {
            tried = first_switch(u, from, tried, before, after);
            last = from->t + tried >= end;
            *event = 1;
        }
#endif
        from->t = last ? end : from->t + tried;
        memcpy(from->y, after, sizeof after);
        return evaluate_at(u, from, from->t, after);
    }
}

UnitStatus unit_integrate(Unit *u, double end)
{
    Start from;
    UnitStatus status = UNIT_OK;
    int event = 1;
    memset(&from, 0, sizeof from);
    from.begin = u->t;
    memcpy(from.in, u->in, sizeof from.in);
    while (status == UNIT_OK && u->t < end) {
        if (event) {
            u->held = 0;
            unit_handle_event(u);
            u->held = 1;
        }
        from.t = u->t;
        memcpy(from.y, u->y, sizeof from.y);
        status = advance(u, &from, end, &event);
        if (status == UNIT_OK && unit_project(u) > 0.0)
            status = unit_evaluate(u);
    }
    if (status == UNIT_OK && event) {
        u->held = 0;
        unit_handle_event(u);
        u->held = 1;
    }
    memset(u->in_rate, 0, sizeof u->in_rate);
    return status;
}
