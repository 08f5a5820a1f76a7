/* The rule is a file of the engine, whose folder can be used alone. */
#include "engine/include/polymask/inside_polygon.h"
