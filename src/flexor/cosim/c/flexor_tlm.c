/* See flexor_tlm.h. The equations are those of flexor/cosim/tlm: line.py, waves.py, end.py. */
#define _POSIX_C_SOURCE 200809L
#include "flexor_tlm.h"

#include <errno.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { CHALLENGE, REGISTER_COMPONENT, COMPONENT, REGISTER_INTERFACE, INTERFACE, CHECK_MODEL, MODEL_CHECKED, DATA, DONE, FAILURE };
#define HEADER 16
#define LARGEST (1u << 20)
#define TIMEOUT 360

typedef struct {
    double time;
    double wave[6];
} sample;

typedef struct {
    int number, dimensions, begun;
    double delay, zf, zfr, alpha;
    double mine[9], turn[9]; /* own axes at the start; R_mine^T R_theirs there */
    int turned;
    sample *waves; /* arrived, in own axes, by the time they were sent */
    size_t count, room;
    unsigned char *unsent;
    size_t unsent_size, unsent_room;
    double sent_until;
} line_end;

struct tlm_plugin {
    int link, closed;
    char name[200], error[4200];
    double start, stop, largest;
    line_end *ends;
    int n_ends;
    unsigned char *in;
    size_t in_size, in_room;
};

/* ---- SHA-256 and HMAC (FIPS 180-4, RFC 2104) */

static const uint32_t K256[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turned(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void block(uint32_t h[8], const unsigned char *p)
{
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + w[i - 7] + (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
    }
    memcpy(s, h, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t t1 = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + K256[i] + w[i];
        uint32_t t2 = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        h[i] += s[i];
}

static void sha256(const unsigned char *a, size_t na, const unsigned char *b, size_t nb, unsigned char out[32])
{
    uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    unsigned char buffer[64];
    size_t total = na + nb, at = 0;
    for (size_t i = 0; i < total; i++) {
        buffer[at++] = i < na ? a[i] : b[i - na];
        if (at == 64) {
            block(h, buffer);
            at = 0;
        }
    }
    buffer[at++] = 0x80;
    if (at > 56) {
        memset(buffer + at, 0, 64 - at);
        block(h, buffer);
        at = 0;
    }
    memset(buffer + at, 0, 56 - at);
    for (int i = 0; i < 8; i++)
        buffer[56 + i] = (unsigned char)((uint64_t)total * 8 >> (56 - 8 * i));
    block(h, buffer);
    for (int i = 0; i < 32; i++)
        out[i] = (unsigned char)(h[i / 4] >> (24 - 8 * (i % 4)));
}

static void hmac(const char *secret, const unsigned char *text, size_t n, unsigned char out[32])
{
    unsigned char key[64] = {0}, inner[64], outer[64], digest[32];
    size_t length = strlen(secret);
    if (length > 64)
        sha256((const unsigned char *)secret, length, NULL, 0, key);
    else
        memcpy(key, secret, length);
    for (int i = 0; i < 64; i++) {
        inner[i] = key[i] ^ 0x36;
        outer[i] = key[i] ^ 0x5c;
    }
    sha256(inner, 64, text, n, digest);
    sha256(outer, 64, digest, 32, out);
}

/* ---- messages */

static int failed(tlm_plugin *tlm, const char *what, const char *why)
{
    if (!tlm->error[0])
        snprintf(tlm->error, sizeof tlm->error, "component '%s': %s%s%s", tlm->name, what, why ? "; " : "", why ? why : "");
    return -1;
}

static int send_all(tlm_plugin *tlm, const unsigned char *data, size_t size)
{
    while (size) {
        ssize_t sent = send(tlm->link, data, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return failed(tlm, "the manager has gone", strerror(errno));
        data += sent;
        size -= (size_t)sent;
    }
    return 0;
}

static int tell(tlm_plugin *tlm, int kind, int32_t number, const void *body, uint32_t size)
{
    unsigned char *message = malloc(HEADER + size);
    uint32_t zero = 0;
    if (!message)
        return failed(tlm, "there is no memory left", NULL);
    message[0] = 'F';
    message[1] = 'T';
    message[2] = TLM_VERSION;
    message[3] = (unsigned char)kind;
    memcpy(message + 4, &number, 4);
    memcpy(message + 8, &size, 4);
    memcpy(message + 12, &zero, 4);
    if (size)
        memcpy(message + HEADER, body, size);
    int status = send_all(tlm, message, HEADER + size);
    free(message);
    return status;
}

static int enough(tlm_plugin *tlm, size_t size)
{
    while (tlm->in_size < size) {
        if (tlm->in_room < size + 65536) {
            unsigned char *more = realloc(tlm->in, size + 65536);
            if (!more)
                return failed(tlm, "there is no memory left", NULL);
            tlm->in = more;
            tlm->in_room = size + 65536;
        }
        ssize_t got = recv(tlm->link, tlm->in + tlm->in_size, tlm->in_room - tlm->in_size, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return failed(tlm, "nothing has come from the manager for a long time", NULL);
        if (got <= 0)
            return failed(tlm, "the manager has gone", got < 0 ? strerror(errno) : "it closed the connection");
        tlm->in_size += (size_t)got;
    }
    return 0;
}

static int take_data(tlm_plugin *tlm, int32_t number, const unsigned char *body, uint32_t size);

/* The next message that is not data; its body stands at tlm->in + HEADER until `drop`. With until_data any message will do. */
static int next(tlm_plugin *tlm, int *kind, int32_t *number, uint32_t *size)
{
    if (enough(tlm, HEADER))
        return -1;
    if (tlm->in[0] != 'F' || tlm->in[1] != 'T' || tlm->in[2] != TLM_VERSION)
        return failed(tlm, "the manager speaks another protocol or version", NULL);
    *kind = tlm->in[3];
    memcpy(number, tlm->in + 4, 4);
    memcpy(size, tlm->in + 8, 4);
    if (*size > LARGEST || *kind > FAILURE)
        return failed(tlm, "the manager sends what is no message", NULL);
    if (enough(tlm, HEADER + (size_t)*size))
        return -1;
    if (*kind == FAILURE) {
        size_t n = *size < sizeof tlm->error - 1 ? *size : sizeof tlm->error - 1;
        memcpy(tlm->error, tlm->in + HEADER, n);
        tlm->error[n] = 0;
        return -1;
    }
    return 0;
}

static void drop(tlm_plugin *tlm, uint32_t size)
{
    tlm->in_size -= HEADER + size;
    memmove(tlm->in, tlm->in + HEADER + size, tlm->in_size);
}

static int expect(tlm_plugin *tlm, int wanted, int32_t *number, void *body, uint32_t length)
{
    int kind;
    uint32_t size;
    for (;;) {
        if (next(tlm, &kind, number, &size))
            return -1;
        if (kind == DATA) {
            if (take_data(tlm, *number, tlm->in + HEADER, size))
                return -1;
            drop(tlm, size);
            continue;
        }
        if (kind != wanted || size != length)
            return failed(tlm, "the manager sent something else than was due", NULL);
        if (length)
            memcpy(body, tlm->in + HEADER, length);
        drop(tlm, size);
        return 0;
    }
}

/* ---- waves */

static void out_of(const double R[9], const double u[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = R[3 * i] * u[0] + R[3 * i + 1] * u[1] + R[3 * i + 2] * u[2];
}

static void into(const double R[9], const double u[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = R[i] * u[0] + R[3 + i] * u[1] + R[6 + i] * u[2];
}

static int width(const line_end *end) { return end->dimensions == 1 ? 1 : 6; }

/* The wave that was sent at a time; the caller has seen to it that it is there. */
static void sent_at(const line_end *end, double time, double wave[6])
{
    size_t low = 0, high = end->count - 1;
    if (time >= end->waves[high].time || time <= end->waves[0].time) {
        memcpy(wave, end->waves[time <= end->waves[0].time ? 0 : high].wave, sizeof end->waves[0].wave);
        return;
    }
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (end->waves[middle].time < time)
            low = middle;
        else
            high = middle;
    }
    const sample *a = end->waves + low, *b = end->waves + high;
    double x = (time - a->time) / (b->time - a->time);
    for (int i = 0; i < 6; i++)
        wave[i] = a->wave[i] + x * (b->wave[i] - a->wave[i]);
}

static int receive(tlm_plugin *tlm, line_end *end, const double *n)
{
    sample s = {n[0], {0}};
    if (end->count && s.time <= end->waves[end->count - 1].time)
        return 0;
    if (end->dimensions == 1) {
        s.wave[0] = n[3];
    } else {
        if (!end->turned) {
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    double sum = 0;
                    for (int k = 0; k < 3; k++)
                        sum += end->mine[3 * k + i] * n[4 + 3 * k + j];
                    end->turn[3 * i + j] = sum;
                }
            end->turned = 1;
        }
        memcpy(s.wave, n + 19, 3 * sizeof(double));
        out_of(end->turn, n + 22, s.wave + 3);
    }
    if (end->count && end->alpha > 0) { /* c_f(t) = alpha c_f(t - T) + (1 - alpha) c(t)   NAK (23-11) */
        double old[6];
        sent_at(end, s.time - end->delay, old);
        for (int i = 0; i < 6; i++)
            s.wave[i] = end->alpha * old[i] + (1 - end->alpha) * s.wave[i];
    }
    if (end->count == end->room) {
        size_t room = end->room ? 2 * end->room : 256;
        sample *more = realloc(end->waves, room * sizeof *more);
        if (!more)
            return failed(tlm, "there is no memory left", NULL);
        end->waves = more;
        end->room = room;
    }
    end->waves[end->count++] = s;
    return 0;
}

static int take_data(tlm_plugin *tlm, int32_t number, const unsigned char *body, uint32_t size)
{
    for (int i = 0; i < tlm->n_ends; i++) {
        line_end *end = tlm->ends + i;
        if (end->number != number || number < 0)
            continue;
        size_t each = (end->dimensions == 1 ? 4 : 25) * sizeof(double);
        if (!size || size % each)
            return failed(tlm, "the manager sends data that are no whole samples", NULL);
        for (size_t at = 0; at < size; at += each) {
            double n[25];
            memcpy(n, body + at, each);
            if (receive(tlm, end, n))
                return -1;
        }
        return 0;
    }
    return failed(tlm, "data came for an interface that it does not have", NULL);
}

static int flush(tlm_plugin *tlm, line_end *end)
{
    if (!end->unsent_size)
        return 0;
    int status = tell(tlm, DATA, end->number, end->unsent, (uint32_t)end->unsent_size);
    end->unsent_size = 0;
    return status;
}

/* Take messages in until the wave that arrives at a time is known. */
static int until(tlm_plugin *tlm, line_end *end, double time)
{
    double needed = time - end->delay - 1e-9 * end->delay - 4e-15 * fabs(time);
    if (end->count && end->waves[end->count - 1].time >= needed)
        return 0;
    for (int i = 0; i < tlm->n_ends; i++) /* the other side may wait for what is kept back */
        if (tlm->ends[i].number >= 0 && flush(tlm, tlm->ends + i))
            return -1;
    while (!end->count || end->waves[end->count - 1].time < needed) {
        int kind;
        int32_t number;
        uint32_t size;
        if (next(tlm, &kind, &number, &size))
            return -1;
        if (kind != DATA)
            return failed(tlm, "the manager has ended the run", NULL);
        if (take_data(tlm, number, tlm->in + HEADER, size))
            return -1;
        drop(tlm, size);
    }
    return 0;
}

static void forget(line_end *end, double time)
{
    if (end->count < 1024)
        return;
    size_t keep = 0;
    while (keep + 2 < end->count && end->waves[keep + 1].time < time - 3 * end->delay)
        keep++;
    end->count -= keep;
    memmove(end->waves, end->waves + keep, end->count * sizeof *end->waves);
}

static int put(tlm_plugin *tlm, line_end *end, double time, const tlm_motion *m, const double wave[6])
{
    double n[25];
    size_t size;
    n[0] = time;
    if (end->dimensions == 1) {
        n[1] = m->x[0];
        n[2] = m->v[0];
        n[3] = wave[0];
        size = 4 * sizeof(double);
    } else {
        memcpy(n + 1, m->x, sizeof m->x);
        memcpy(n + 4, m->R, sizeof m->R);
        memcpy(n + 13, m->v, sizeof m->v);
        memcpy(n + 16, m->omega, sizeof m->omega);
        memcpy(n + 19, wave, 6 * sizeof(double));
        size = sizeof n;
    }
    if (end->unsent_size + size > end->unsent_room) {
        size_t room = 2 * (end->unsent_size + size);
        unsigned char *more = realloc(end->unsent, room);
        if (!more)
            return failed(tlm, "there is no memory left", NULL);
        end->unsent = more;
        end->unsent_room = room;
    }
    memcpy(end->unsent + end->unsent_size, n, size);
    end->unsent_size += size;
    return 0;
}

/* ---- the interface */

tlm_plugin *tlm_connect(const char *name, const char *server, const char *secret, double step)
{
    tlm_plugin *tlm = calloc(1, sizeof *tlm);
    if (!tlm)
        return NULL;
    tlm->link = -1;
    snprintf(tlm->name, sizeof tlm->name, "%s", name);
    uint16_t one = 1;
    if (!*(unsigned char *)&one || sizeof(double) != 8) {
        failed(tlm, "this machine is not little-endian", NULL);
        return tlm;
    }
    char host[256];
    const char *colon = strrchr(server, ':');
    if (!colon || (size_t)(colon - server) >= sizeof host) {
        failed(tlm, "the server is no host:port", server);
        return tlm;
    }
    memcpy(host, server, (size_t)(colon - server));
    host[colon - server] = 0;
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    if (getaddrinfo(host, colon + 1, &hints, &found)) {
        failed(tlm, "the host of the manager is not known", host);
        return tlm;
    }
    for (struct addrinfo *each = found; each && tlm->link < 0; each = each->ai_next) {
        tlm->link = socket(each->ai_family, each->ai_socktype, each->ai_protocol);
        if (tlm->link >= 0 && connect(tlm->link, each->ai_addr, each->ai_addrlen)) {
            close(tlm->link);
            tlm->link = -1;
        }
    }
    freeaddrinfo(found);
    if (tlm->link < 0) {
        failed(tlm, "no manager answers", server);
        return tlm;
    }
    int on = 1;
    const char *told = getenv("FLEXOR_COSIM_TIMEOUT");
    struct timeval patience = {told && atof(told) >= 1 ? (long)atof(told) : TIMEOUT, 0};
    setsockopt(tlm->link, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(tlm->link, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    unsigned char challenge[16], body[32 + 8 + 200];
    int32_t number;
    double times[3];
    if (expect(tlm, CHALLENGE, &number, challenge, 16))
        return tlm;
    if (!secret)
        secret = getenv("FLEXOR_COSIM_SECRET");
    hmac(secret ? secret : "", challenge, 16, body);
    memcpy(body + 32, &step, 8);
    size_t length = strlen(tlm->name);
    memcpy(body + 40, tlm->name, length);
    if (tell(tlm, REGISTER_COMPONENT, -1, body, (uint32_t)(40 + length)))
        return tlm;
    if (expect(tlm, COMPONENT, &number, times, sizeof times))
        return tlm;
    tlm->start = times[0];
    tlm->stop = times[1];
    tlm->largest = times[2];
    return tlm;
}

const char *tlm_error(const tlm_plugin *tlm) { return tlm->error[0] ? tlm->error : NULL; }
double tlm_start(const tlm_plugin *tlm) { return tlm->start; }
double tlm_stop(const tlm_plugin *tlm) { return tlm->stop; }
double tlm_largest_step(const tlm_plugin *tlm) { return tlm->largest; }

int tlm_register(tlm_plugin *tlm, const char *name, int dimensions)
{
    unsigned char body[201];
    double line[4];
    int32_t number;
    size_t length = strlen(name);
    if (tlm->error[0])
        return -1;
    if (length > 200 || (dimensions != 1 && dimensions != 3))
        return failed(tlm, "an interface has a name of at most 200 bytes, and 1 or 3 dimensions", name);
    body[0] = (unsigned char)dimensions;
    memcpy(body + 1, name, length);
    if (tell(tlm, REGISTER_INTERFACE, -1, body, (uint32_t)(1 + length)) || expect(tlm, INTERFACE, &number, line, sizeof line))
        return -1;
    line_end *more = realloc(tlm->ends, (size_t)(tlm->n_ends + 1) * sizeof *more);
    if (!more)
        return failed(tlm, "there is no memory left", NULL);
    tlm->ends = more;
    line_end *end = tlm->ends + tlm->n_ends;
    memset(end, 0, sizeof *end);
    end->number = number;
    end->dimensions = dimensions;
    end->delay = line[0];
    end->zf = line[1];
    end->zfr = line[2];
    end->alpha = line[3];
    return tlm->n_ends++;
}

static line_end *end_of(tlm_plugin *tlm, int interface)
{
    if (tlm->error[0])
        return NULL;
    if (interface < 0 || interface >= tlm->n_ends) {
        failed(tlm, "there is no such interface", NULL);
        return NULL;
    }
    return tlm->ends + interface;
}

int tlm_begin(tlm_plugin *tlm, const int *interfaces, const tlm_motion *motions, int count)
{
    int32_t number;
    for (int i = 0; i < count; i++) {
        line_end *end = end_of(tlm, interfaces[i]);
        if (!end)
            return -1;
        if (end->number < 0)
            continue;
        double wave[6] = {0}, turn[3];
        const tlm_motion *m = motions + i;
        memcpy(end->mine, m->R, sizeof m->R);
        for (int k = 0; k < (end->dimensions == 1 ? 1 : 3); k++)
            wave[k] = end->zf * m->v[k];
        if (end->dimensions == 3) {
            for (int k = 0; k < 3; k++)
                turn[k] = end->zfr * m->omega[k];
            into(m->R, turn, wave + 3);
        }
        if (put(tlm, end, tlm->start, m, wave) || flush(tlm, end))
            return -1;
        end->sent_until = tlm->start;
    }
    if (tlm->error[0] || tell(tlm, CHECK_MODEL, -1, NULL, 0) || expect(tlm, MODEL_CHECKED, &number, NULL, 0))
        return -1;
    for (int i = 0; i < tlm->n_ends; i++)
        if (tlm->ends[i].number >= 0 && until(tlm, tlm->ends + i, tlm->start))
            return -1;
    return 0;
}

int tlm_wave(tlm_plugin *tlm, int interface, double time, const tlm_motion *motion, double wave[6], double impedance[2])
{
    line_end *end = end_of(tlm, interface);
    double w[6];
    if (!end)
        return -1;
    memset(wave, 0, 6 * sizeof *wave);
    impedance[0] = impedance[1] = 0;
    if (end->number < 0)
        return 0;
    if (until(tlm, end, time))
        return -1;
    sent_at(end, time - end->delay, w);
    impedance[0] = end->zf;
    if (end->dimensions == 1) {
        wave[0] = w[0];
        return 0;
    }
    impedance[1] = end->zfr;
    memcpy(wave, w, 3 * sizeof *w);
    out_of(motion->R, w + 3, wave + 3);
    return 0;
}

int tlm_force(tlm_plugin *tlm, int interface, double time, const tlm_motion *motion, double force[6])
{
    double z[2];
    if (tlm_wave(tlm, interface, time, motion, force, z))
        return -1;
    int n = tlm->ends[interface].dimensions == 1 ? 1 : 3;
    for (int k = 0; k < n; k++) {
        force[k] -= z[0] * motion->v[k];
        if (n == 3)
            force[3 + k] -= z[1] * motion->omega[k];
    }
    return 0;
}

int tlm_set_motion(tlm_plugin *tlm, int interface, double time, const tlm_motion *motion)
{
    line_end *end = end_of(tlm, interface);
    double w[6], u[6] = {0};
    if (!end)
        return -1;
    if (end->number < 0)
        return 0;
    if (until(tlm, end, time))
        return -1;
    sent_at(end, time - end->delay, w);
    for (int k = 0; k < (width(end) == 1 ? 1 : 3); k++)
        u[k] = 2 * end->zf * motion->v[k] - w[k]; /* u = 2 Z v - w */
    if (end->dimensions == 3) {
        double turn[3];
        into(motion->R, motion->omega, turn);
        for (int k = 0; k < 3; k++)
            u[3 + k] = 2 * end->zfr * turn[k] - w[3 + k];
    }
    if (put(tlm, end, time, motion, u))
        return -1;
    forget(end, time);
    if (time - end->sent_until >= tlm->largest * (1 - 1e-6) || time >= tlm->stop) {
        end->sent_until = time;
        return flush(tlm, end);
    }
    return 0;
}

int tlm_done(tlm_plugin *tlm)
{
    if (tlm->error[0])
        return -1;
    for (int i = 0; i < tlm->n_ends; i++)
        if (tlm->ends[i].number >= 0 && flush(tlm, tlm->ends + i))
            return -1;
    int32_t number;
    if (tell(tlm, DONE, -1, NULL, 0))
        return -1;
    return expect(tlm, DONE, &number, NULL, 0);
}

void tlm_fail(tlm_plugin *tlm, const char *why)
{
    size_t length = strlen(why);
    if (tlm->link >= 0 && !tlm->error[0])
        tell(tlm, FAILURE, -1, why, (uint32_t)(length < 4000 ? length : 4000));
}

void tlm_close(tlm_plugin *tlm)
{
    if (!tlm)
        return;
    if (tlm->link >= 0)
        close(tlm->link);
    for (int i = 0; i < tlm->n_ends; i++) {
        free(tlm->ends[i].waves);
        free(tlm->ends[i].unsent);
    }
    free(tlm->ends);
    free(tlm->in);
    free(tlm);
}
