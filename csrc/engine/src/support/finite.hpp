/* Coordinates of many polygons as they are read: check() saw that all are finite, but another
 * thread of the program may have written to them since. That changes a mask, which is its affair;
 * it must not make a place in memory of what no integer holds. */
#pragma once

namespace polymask::detail
{

/* 0 for what is not finite any more. */
inline double finite(double coordinate) noexcept
{
    return coordinate - coordinate == 0 ? coordinate : 0;
}

} // namespace polymask::detail
