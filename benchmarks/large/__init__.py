"""A label image larger than memory, written to Zarr by blocks: polymask and other libraries."""
