/* An element of an OffloadArray, of type ELEMENT and one kind (INTEGER, FLOATING or COMPLEX), with
 * the types of its results and its arithmetic. ladder/offload/array_kernels.py defines both. */
#ifndef POLYMASK_ELEMENT_H
#define POLYMASK_ELEMENT_H
#include "pymic_kernel.h"
#if !defined(__OPENCL_VERSION__) && !defined(__CUDACC_RTC__)
#include <math.h>
#endif

#if defined(COMPLEX)
typedef struct {
    double re, im;
} ELEMENT;
typedef double MAGNITUDE;
typedef ELEMENT QUOTIENT;
#define MAGNITUDE_OF(a) hypot((a).re, (a).im)

PYMIC_FUNCTION ELEMENT number(double re, double im)
{
    ELEMENT z;
    z.re = re;
    z.im = im;
    return z;
}
PYMIC_FUNCTION ELEMENT quotient(ELEMENT x, ELEMENT y)
{
    /* Scales by the larger part of y first, as the sum of the squares could overflow. */
    const double re = fabs(y.re), im = fabs(y.im);
    if (re == 0 && im == 0)
        return number(x.re / re, x.im / re);
    if (re >= im) {
        const double ratio = y.im / y.re, size = y.re + y.im * ratio;
        return number((x.re + x.im * ratio) / size, (x.im - x.re * ratio) / size);
    }
    const double ratio = y.re / y.im, size = y.im + y.re * ratio;
    return number((x.re * ratio + x.im) / size, (x.im * ratio - x.re) / size);
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
typedef ELEMENT QUOTIENT;
#define MAGNITUDE_OF(a) ((ELEMENT)fabs(a))
#define power(x, y) ((ELEMENT)pow(x, y))
#else
typedef double QUOTIENT; /* as in NumPy */
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

#endif
