"""Many polygons in one call, and a small one in a large image, beside other libraries."""
