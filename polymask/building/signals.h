/* Compiled code hears Ctrl-C only where it asks. A file of Python's that Cython translates as it is
 * cannot ask: the build includes this ahead of it, and each assignment of an item asks first. */
#ifndef POLYMASK_SIGNALS_H
#define POLYMASK_SIGNALS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

static inline int heed_and_set_item(PyObject *object, PyObject *key, PyObject *value)
{
    return PyErr_CheckSignals() < 0 ? -1 : PyObject_SetItem(object, key, value);
}
#define PyObject_SetItem heed_and_set_item

#endif
