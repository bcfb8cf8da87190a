/* Projection of the state onto the constraints: coordinates by Newton's method, then speeds, the smallest change in the
   metric of the masses; Euler parameters are normalised. */
#include "fmu-unit.h"

#include <math.h>
#include <string.h>

#if N_TURNS > 0
static void normalise(double *q)
{
    static const int places[] = TURN_PLACES;
    for (int k = 0; k < N_TURNS; k++) {
        double *e = q + places[k], size = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
        for (int i = 0; size > 0.0 && i < 4; i++)
            e[i] /= size;
    }
}
#else
static void normalise(double *q) { (void)q; }
#endif

#if N_ROWS > 0
static double largest(const double *values, int n)
{
    double found = 0.0;
    for (int i = 0; i < n; i++)
        found = isfinite(values[i]) ? fmax(found, fabs(values[i])) : INFINITY;
    return found;
}

static void onto_constraints(Unit *u)
{
    double found[NQ + NU + 1], left[N_ROWS];
    for (int round = 0; round < 8; round++) {
        UNIT_PROJECT_Q(u, found, left);
        double residual = largest(left, N_ROWS);
        if (!isfinite(residual))
            return;
        memcpy(u->y, found, NQ * sizeof(double));
        normalise(u->y);
        if (residual <= 1e-7 * UNIT_SIZE)
            break; /* one step of Newton's method leaves only rounding then */
    }
    UNIT_PROJECT_U(u, found, left);
    if (isfinite(largest(found, NU)))
        memcpy(u->y + NQ, found, NU * sizeof(double));
}
#else
static void onto_constraints(Unit *u) { normalise(u->y); }
#endif

double unit_project(Unit *u)
{
    double before[N + 1], change = 0.0;
    if (N_ROWS == 0 && N_TURNS == 0)
        return 0.0;
    memcpy(before, u->y, sizeof before);
    onto_constraints(u);
    for (int i = 0; i < NQ + NU; i++)
        change = fmax(change, fabs(u->y[i] - before[i]) / (1.0 + fabs(before[i])));
    return change;
}

int unit_has_drifted(Unit *u)
{
    double y[N + 1];
    int drifted;
    memcpy(y, u->y, sizeof y);
    drifted = unit_project(u) > DRIFT;
    memcpy(u->y, y, sizeof y);
    return drifted;
}
