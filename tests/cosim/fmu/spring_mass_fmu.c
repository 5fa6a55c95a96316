/* An FMU for tests, FMI 2 or (with -DFMI3) 3, co-simulation: a mass on a spring; input F, outputs x and v, parameters m, k, v0. Exact for constant F. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double F, x, v, m, k, v0, time;
} model;

static void step(model *s, double h)
{
    double w = sqrt(s->k / s->m), q = s->k > 0 ? s->F / s->k : 0, x = s->x, v = s->v;
    if (s->k > 0) {
        s->x = q + (x - q) * cos(w * h) + v / w * sin(w * h);
        s->v = -(x - q) * w * sin(w * h) + v * cos(w * h);
    } else {
        s->x = x + v * h + 0.5 * s->F / s->m * h * h;
        s->v = v + s->F / s->m * h;
    }
}

static double *at(model *s, unsigned vr) { return (double *)s + vr; }

#ifndef FMI3
#include "fmi2Functions.h"

const char *fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char *fmi2GetVersion(void) { return fmi2Version; }
fmi2Component fmi2Instantiate(fmi2String n, fmi2Type t, fmi2String g, fmi2String r, const fmi2CallbackFunctions *f, fmi2Boolean v, fmi2Boolean l)
{
    model *s = calloc(1, sizeof *s);
    (void)n, (void)t, (void)g, (void)r, (void)f, (void)v, (void)l;
    s->m = 1;
    return s;
}
void fmi2FreeInstance(fmi2Component c) { free(c); }
fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean l, size_t n, const fmi2String k[]) { (void)c, (void)l, (void)n, (void)k; return fmi2OK; }
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean d, fmi2Real t, fmi2Real s, fmi2Boolean e, fmi2Real f) { (void)c, (void)d, (void)t, (void)s, (void)e, (void)f; return fmi2OK; }
fmi2Status fmi2EnterInitializationMode(fmi2Component c) { (void)c; return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) { model *s = c; s->v = s->v0; return fmi2OK; }
fmi2Status fmi2Terminate(fmi2Component c) { (void)c; return fmi2OK; }
fmi2Status fmi2Reset(fmi2Component c) { (void)c; return fmi2OK; }
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real y[])
{
    for (size_t i = 0; i < n; i++)
        y[i] = *at(c, r[i]);
    return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Real y[])
{
    for (size_t i = 0; i < n; i++)
        *at(c, r[i]) = y[i];
    return fmi2OK;
}
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no) { (void)t, (void)no; step(c, h); return fmi2OK; }
fmi2Status fmi2CancelStep(fmi2Component c) { (void)c; return fmi2OK; }
fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *s)
{
    if (!*s)
        *s = malloc(sizeof(model));
    memcpy(*s, c, sizeof(model));
    return fmi2OK;
}
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate s) { memcpy(c, s, sizeof(model)); return fmi2OK; }
fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *s) { (void)c; free(*s); *s = NULL; return fmi2OK; }
#else
#include "fmi3Functions.h"

const char *fmi3GetVersion(void) { return fmi3Version; }
fmi3Instance fmi3InstantiateCoSimulation(fmi3String n, fmi3String t, fmi3String r, fmi3Boolean v, fmi3Boolean l, fmi3Boolean e, fmi3Boolean y,
                                         const fmi3ValueReference q[], size_t nq, fmi3InstanceEnvironment i, fmi3LogMessageCallback g,
                                         fmi3IntermediateUpdateCallback u)
{
    model *s = calloc(1, sizeof *s);
    (void)n, (void)t, (void)r, (void)v, (void)l, (void)e, (void)y, (void)q, (void)nq, (void)i, (void)g, (void)u;
    s->m = 1;
    return s;
}
void fmi3FreeInstance(fmi3Instance c) { free(c); }
fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean d, fmi3Float64 t, fmi3Float64 s, fmi3Boolean e, fmi3Float64 f) { (void)c, (void)d, (void)t, (void)s, (void)e, (void)f; return fmi3OK; }
fmi3Status fmi3ExitInitializationMode(fmi3Instance c) { model *s = c; s->v = s->v0; return fmi3OK; }
fmi3Status fmi3Terminate(fmi3Instance c) { (void)c; return fmi3OK; }
fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3Float64 y[], size_t m)
{
    (void)m;
    for (size_t i = 0; i < n; i++)
        y[i] = *at(c, r[i]);
    return fmi3OK;
}
fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n, const fmi3Float64 y[], size_t m)
{
    (void)m;
    for (size_t i = 0; i < n; i++)
        *at(c, r[i]) = y[i];
    return fmi3OK;
}
fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 t, fmi3Float64 h, fmi3Boolean no, fmi3Boolean *e, fmi3Boolean *q, fmi3Boolean *r, fmi3Float64 *l)
{
    (void)no;
    step(c, h);
    *e = *q = *r = 0;
    *l = t + h;
    return fmi3OK;
}
fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState *s)
{
    if (!*s)
        *s = malloc(sizeof(model));
    memcpy(*s, c, sizeof(model));
    return fmi3OK;
}
fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState s) { memcpy(c, s, sizeof(model)); return fmi3OK; }
fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState *s) { (void)c; free(*s); *s = NULL; return fmi3OK; }
#endif
