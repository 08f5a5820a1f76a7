"""Many polygons in one call, and a small polygon in a large image, compared with libraries."""
