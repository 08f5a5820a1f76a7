/* The operations of an OffloadArray, for the elements of element.h. */
#include "element.h"

/* r = value, computed from a in x and b in y, n elements each; with step 0, y has only one. */
#define BINARY(name, RESULT, value)                                                                \
    PYMIC_KERNEL void name(PYMIC_ARRAY const int64_t *n, PYMIC_ARRAY const ELEMENT *x,             \
                           PYMIC_ARRAY const ELEMENT *y, PYMIC_ARRAY const int64_t *step,          \
                           PYMIC_ARRAY RESULT *r)                                                  \
    {                                                                                              \
        PYMIC_FOR (i, *n) {                                                                        \
            const ELEMENT a = x[i], b = y[i * *step];                                              \
            r[i] = value;                                                                          \
        }                                                                                          \
    }
/* clang-format off */
#if defined(COMPLEX)
BINARY(add, ELEMENT, number(a.re + b.re, a.im + b.im))
BINARY(subtract, ELEMENT, number(a.re - b.re, a.im - b.im))
BINARY(multiply, ELEMENT, number(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re))
BINARY(divide, QUOTIENT, quotient(a, b))
#define NEGATIVE_OF(a) number(-(a).re, -(a).im)
#else
BINARY(add, ELEMENT, a + b)
BINARY(subtract, ELEMENT, a - b)
BINARY(multiply, ELEMENT, a * b)
BINARY(divide, QUOTIENT, (QUOTIENT)a / (QUOTIENT)b)
#define NEGATIVE_OF(a) ((ELEMENT)-(a))
#endif
/* clang-format on */
BINARY(power_of, ELEMENT, power(a, b))

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

PYMIC_KERNEL void negative(PYMIC_ARRAY const int64_t *n, PYMIC_ARRAY const ELEMENT *x,
                           PYMIC_ARRAY ELEMENT *r)
{
    PYMIC_FOR (i, *n)
        r[i] = NEGATIVE_OF(x[i]);
}
