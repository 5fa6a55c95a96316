/* Co-simulation over transmission lines: the client for programs in C. Protocol version 1, see docs/theory/37-transmission-lines.md.
 *
 *     tlm_plugin *tlm = tlm_connect("pendulum", "localhost:11111", NULL, 0.0);
 *     int tip = tlm_register(tlm, "tip", 3);
 *     tlm_begin(tlm, &tip, &motion, 1);
 *     while (t < tlm_stop(tlm)) {
 *         ...  any number of trial steps:  tlm_force(tlm, tip, t1, &trial, force);
 *         tlm_set_motion(tlm, tip, t1, &motion);          once, when the step is done
 *     }
 *     tlm_done(tlm);
 *     tlm_close(tlm);
 *
 * SI units. Functions that return int return 0, or -1 with a message in tlm_error(). Only tlm_set_motion tells others anything.
 * One thread per plugin. Little-endian machines with IEEE doubles; POSIX sockets.
 */
#ifndef FLEXOR_TLM_H
#define FLEXOR_TLM_H

#ifdef __cplusplus
extern "C" {
#endif

#define TLM_VERSION 1

typedef struct tlm_plugin tlm_plugin;

/* Motion of an interface point. One dimension: x[0] and v[0] only. */
typedef struct {
    double x[3];     /* position [m] */
    double R[9];     /* orientation, row by row: axes of the interface -> global */
    double v[3];     /* velocity [m/s], global axes */
    double omega[3]; /* angular velocity [rad/s], global axes */
} tlm_motion;

/* Register a component at host:port. secret: NULL takes FLEXOR_COSIM_SECRET. step: its own fixed step [s], or 0.
 * Never NULL but for lack of memory; look at tlm_error(). */
tlm_plugin *tlm_connect(const char *name, const char *server, const char *secret, double step);

/* Why the last call failed; NULL if nothing has. */
const char *tlm_error(const tlm_plugin *tlm);

double tlm_start(const tlm_plugin *tlm);        /* begin of the run [s] */
double tlm_stop(const tlm_plugin *tlm);         /* its end [s] */
double tlm_largest_step(const tlm_plugin *tlm); /* longest step that may be taken [s] */

/* Announce an interface of 1 or 3 dimensions; its handle >= 0, or -1. One that no connection leads to has no force. */
int tlm_register(tlm_plugin *tlm, const char *name, int dimensions);

/* Tell the initial motions of interfaces; waits for all components. */
int tlm_begin(tlm_plugin *tlm, const int *interfaces, const tlm_motion *motions, int count);

/* Force [N] and torque [N m] of the line on the component, global axes, at a time up to the largest step ahead. One dimension: force[0]. */
int tlm_force(tlm_plugin *tlm, int interface, double time, const tlm_motion *motion, double force[6]);

/* The force is wave - impedance * velocity: for solvers that linearise it. wave: forces, then torques, in global axes for the motion's R. */
int tlm_wave(tlm_plugin *tlm, int interface, double time, const tlm_motion *motion, double wave[6], double impedance[2]);

/* A step is done. */
int tlm_set_motion(tlm_plugin *tlm, int interface, double time, const tlm_motion *motion);

/* The component has reached the end; waits until all have. */
int tlm_done(tlm_plugin *tlm);

/* The component cannot go on; the run ends with this message. */
void tlm_fail(tlm_plugin *tlm, const char *why);

void tlm_close(tlm_plugin *tlm);

#ifdef __cplusplus
}
#endif
#endif
