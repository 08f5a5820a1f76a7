/* How the rings of a polygon lie in one another, and which way they run. */
#pragma once

#include <cstdint>
#include <vector>

#include "polymask/polymask.hpp"

namespace polymask::detail
{

/* For each ring the factor, 1 or -1, by which its windings count so that a point inside the polygon
 * is wound about once, and no other: outer rings one way, holes the other, whichever way they run.
 * A ring is a hole when an odd number of others has it inside, as some vertex of it that is not on
 * their edges tells, exactly. Compares the boxes of all pairs of rings. Throws std::bad_alloc. */
std::vector<int> orientations(const Polygon &polygon);

} // namespace polymask::detail
