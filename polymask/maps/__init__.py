"""Positions on a map: grids, affine transforms, reference systems and longitudes."""
