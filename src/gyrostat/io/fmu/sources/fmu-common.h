/* Functions of FMI 2.0 and 3.0 that differ only in their prefix, and in the types of truth values and bytes.

   The interface that includes this file defines FMI(name), STATE(before, after) for names of functions of whole states,
   and the types Boolean and Byte. */

API Status FMI(SetDebugLogging)(void *c, Boolean on, size_t n, const String *categories)
{
    (void)c, (void)on, (void)n, (void)categories;
    return OK;
}

API void FMI(FreeInstance)(void *c) { free(c); }

API Status FMI(ExitInitializationMode)(void *c)
{
    unit_handle_event(c);
    return OK;
}

API Status FMI(Terminate)(void *c) { (void)c; return OK; }
API Status FMI(Reset)(void *c) { unit_start(c); return OK; }

/* Whole states. */

API Status STATE(Get, )(void *c, void **state)
{
    return instance_copy(c, state);
}

API Status STATE(Set, )(void *c, void *state)
{
    return instance_restore(c, state);
}

API Status STATE(Free, )(void *c, void **state)
{
    (void)c;
    return instance_discard(state);
}

API Status STATE(Serialized, Size)(void *c, void *state, size_t *size)
{
    (void)c, (void)state;
    *size = sizeof(Unit);
    return OK;
}

API Status STATE(Serialize, )(void *c, void *state, Byte *bytes, size_t size)
{
    (void)c;
    return instance_serialise(state, bytes, size);
}

API Status STATE(DeSerialize, )(void *c, const Byte *bytes, size_t size, void **state)
{
    (void)c;
    return instance_deserialise(bytes, size, state);
}

/* Model exchange. */

API Status FMI(EnterEventMode)(void *c)
{
    ((Unit *)c)->held = 0;
    return OK;
}

API Status FMI(EnterContinuousTimeMode)(void *c)
{
    instance_continue(c);
    return OK;
}

API Status FMI(CompletedIntegratorStep)(void *c, Boolean no_return, Boolean *event, Boolean *terminate)
{
    (void)no_return;
    *terminate = 0;
    *event = unit_has_drifted(c) != 0;
    return OK;
}

API Status FMI(SetTime)(void *c, double t)
{
    ((Unit *)c)->t = t;
    return OK;
}

API Status FMI(SetContinuousStates)(void *c, const double *y, size_t n)
{
    return instance_set_states(c, y, n);
}

API Status FMI(GetContinuousStates)(void *c, double *y, size_t n)
{
    return instance_get_states(c, y, n);
}

API Status FMI(GetNominalsOfContinuousStates)(void *c, double *nominals, size_t n)
{
    (void)c;
    return instance_nominals(nominals, n);
}

API Status FMI(GetEventIndicators)(void *c, double *indicators, size_t n)
{
    return instance_indicators(c, indicators, n);
}
