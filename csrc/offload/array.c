/* The operations of an OffloadArray for elements of one type, ELEMENT, and one kind: INTEGER,
 * FLOATING or COMPLEX. polymask/offload/arrays.py defines both. */
#include "pymic_kernel.h"
#if !defined(__OPENCL_VERSION__) && !defined(__CUDACC_RTC__)
#include <math.h>
#endif

#if defined(COMPLEX)
typedef struct {
    double re, im;
} ELEMENT;
typedef double MAGNITUDE;
#define MAGNITUDE_OF(a) hypot((a).re, (a).im)

PYMIC_FUNCTION ELEMENT number(double re, double im)
{
    ELEMENT z;
    z.re = re;
    z.im = im;
    return z;
}
PYMIC_FUNCTION ELEMENT power(ELEMENT x, ELEMENT y) /* exp(y log x) */
{
    if (y.re == 0 && y.im == 0)
        return number(1, 0);
    if (x.re == 0 && x.im == 0)
        return y.re > 0 ? number(0, 0) : number(NAN, NAN);
    const double length = log(hypot(x.re, x.im)), angle = atan2(x.im, x.re);
    const double size = exp(y.re * length - y.im * angle);
    const double turn = y.im * length + y.re * angle;
    return number(size * cos(turn), size * sin(turn));
}
#else
typedef ELEMENT MAGNITUDE;
#if defined(FLOATING)
#define MAGNITUDE_OF(a) ((ELEMENT)fabs(a))
#define power(x, y) ((ELEMENT)pow(x, y))
#else
#define MAGNITUDE_OF(a) ((ELEMENT)((a) > 0 ? (a) : -(a)))
/* Computes powers by squaring; the only integers with an inverse are 1 and -1. */
PYMIC_FUNCTION ELEMENT power(ELEMENT x, ELEMENT y)
{
    if (y != 0 && !(y > 0)) /* y < 0, about which compilers warn for unsigned types */
        return x == 1 || (x == (ELEMENT)-1 && y % 2 == 0) ? 1 : x == (ELEMENT)-1 ? x : 0;
    ELEMENT result = 1;
    for (; y > 0; y /= 2) {
        if (y % 2 == 1)
            result *= x;
        x *= x;
    }
    return result;
}
#endif
#endif

/* r = value, computed from a in x and b in y, n elements each; with step 0, y has only one. */
#define BINARY(name, value)                                                                        \
    PYMIC_KERNEL void name(PYMIC_ARRAY const int64_t *n, PYMIC_ARRAY const ELEMENT *x,             \
                           PYMIC_ARRAY const ELEMENT *y, PYMIC_ARRAY const int64_t *step,          \
                           PYMIC_ARRAY ELEMENT *r)                                                 \
    {                                                                                              \
        PYMIC_FOR (i, *n) {                                                                        \
            const ELEMENT a = x[i], b = y[i * *step];                                              \
            r[i] = value;                                                                          \
        }                                                                                          \
    }
/* clang-format off */
#if defined(COMPLEX)
BINARY(add, number(a.re + b.re, a.im + b.im))
BINARY(subtract, number(a.re - b.re, a.im - b.im))
BINARY(multiply, number(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re))
#else
BINARY(add, a + b)
BINARY(subtract, a - b)
BINARY(multiply, a * b)
#endif
/* clang-format on */
BINARY(power_of, power(a, b))

PYMIC_KERNEL void fill(PYMIC_ARRAY const int64_t *start, PYMIC_ARRAY const int64_t *stop,
                       PYMIC_ARRAY ELEMENT *x, PYMIC_ARRAY const ELEMENT *value)
{
    PYMIC_FOR (i, *stop - *start)
        x[*start + i] = *value;
}

PYMIC_KERNEL void absolute(PYMIC_ARRAY const int64_t *n, PYMIC_ARRAY const ELEMENT *x,
                           PYMIC_ARRAY MAGNITUDE *r)
{
    PYMIC_FOR (i, *n)
        r[i] = MAGNITUDE_OF(x[i]);
}

PYMIC_KERNEL void reverse(PYMIC_ARRAY const int64_t *n, PYMIC_ARRAY const ELEMENT *x,
                          PYMIC_ARRAY ELEMENT *r)
{
    PYMIC_FOR (i, *n)
        r[i] = x[*n - 1 - i];
}
