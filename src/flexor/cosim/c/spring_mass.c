/* A mass on a spring, as a component in C: an example of a foreign program that takes part.
 *
 *     cc -O2 -o spring_mass spring_mass.c flexor_tlm.c -lm
 *
 *     spring_mass [dimensions=3] [mass=1] [stiffness=100] [damping=0] [load=0] <model> <from> <to> <max step> <server>
 *
 * Its interface is called "p". It moves along x (in three dimensions also along y and z, without spring or load) and does not turn.
 * Trapezoidal rule, with the force of the line w - Z v at the end of the step taken implicitly.
 */
#include "flexor_tlm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double option(int argc, char **argv, const char *name, double value)
{
    size_t n = strlen(name);
    for (int i = 1; i < argc - 5; i++)
        if (!strncmp(argv[i], name, n) && argv[i][n] == '=')
            value = atof(argv[i] + n + 1);
    return value;
}

int main(int argc, char **argv)
{
    if (argc < 6) {
        fprintf(stderr, "usage: spring_mass [option=value ...] <model> <from> <to> <max step> <server>\n");
        return 2;
    }
    int dimensions = (int)option(argc, argv, "dimensions", 3), axes = dimensions == 1 ? 1 : 3;
    double m = option(argc, argv, "mass", 1), k = option(argc, argv, "stiffness", 100), d = option(argc, argv, "damping", 0);
    double load = option(argc, argv, "load", 0);
    const char *name = getenv("FLEXOR_COSIM_COMPONENT");
    tlm_plugin *tlm = tlm_connect(name ? name : argv[argc - 5], argv[argc - 1], NULL, 0.0);
    if (!tlm)
        return 1;
    int p = tlm_register(tlm, "p", dimensions);
    tlm_motion motion = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0}, {0}};
    double w[6], z[2], old[3], t = tlm_start(tlm), begin = t, stop = tlm_stop(tlm);
    int steps = p >= 0 ? (int)ceil((stop - t) / tlm_largest_step(tlm) - 1e-6) : 0;
    if (p >= 0 && !tlm_begin(tlm, &p, &motion, 1) && !tlm_wave(tlm, p, t, &motion, w, z)) {
        for (int a = 0; a < axes; a++)
            old[a] = (a ? 0 : load) + w[a] - z[0] * motion.v[a];
        for (int i = 1; i <= steps && !tlm_error(tlm); i++) {
            double t1 = begin + (stop - begin) * i / steps, h = t1 - t;
            if (tlm_wave(tlm, p, t1, &motion, w, z))
                break;
            for (int a = 0; a < axes; a++) {
                double ka = a ? 0 : k, da = a ? 0 : d, la = a ? 0 : load, x = motion.x[a], v = motion.v[a];
                double v1 = (m / h * v + 0.5 * old[a] + 0.5 * (la - ka * (x + 0.5 * h * v) + w[a])) / (m / h + 0.5 * (da + z[0]) + 0.25 * ka * h);
                motion.x[a] = x + 0.5 * h * (v + v1);
                motion.v[a] = v1;
                old[a] = la - ka * motion.x[a] - da * v1 + w[a] - z[0] * v1;
            }
            t = t1;
            tlm_set_motion(tlm, p, t, &motion);
        }
        tlm_done(tlm);
    }
    const char *error = tlm_error(tlm);
    if (error)
        fprintf(stderr, "%s\n", error);
    tlm_close(tlm);
    return error != NULL;
}
