"""The image that a public function computes: its shape, its samples, and its place on a map.

The options that all functions share are read here, and documented by `polygon_mask`.
"""

from __future__ import annotations

import inspect
import warnings
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from polymask import contract
from polymask.forms import ragged
from polymask.forms.left_out import LeftOut
from polymask.forms.ragged import Ragged
from polymask.maps import crs, map_grids
from polymask.maps.georeference import AS_IT_IS, keeping_poles
from polymask.masks import _many
from polymask.masks.sampling import (
    DEFAULT,
    NO_OFFSET,
    Sampling,
    check_offset,
    check_on_map,
    check_samples,
    check_sampling,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from polymask.hints import OnInvalid, Order, Pair, Polygon, Polygons

Function = TypeVar("Function", bound="Callable[..., Any]")


class View(NamedTuple):
    """The image to compute.

    Attributes
    ----------
    shape : tuple of int
        (rows, cols).
    sampling : Sampling
    order : {"xy", "rc"}
        The meaning of the columns of the vertices.
    grid : MapGrid or None
        The place of the image on a map; None if vertices are in pixels.
    """

    shape: tuple[int, int]
    sampling: Sampling
    order: Order = "xy"
    grid: map_grids.MapGrid | None = None

    @property
    def place(self):
        """The function that converts vertices to pixels, or None if they are in pixels."""
        if self.grid is None:
            return None
        transform, _, shape, center, system, degrees = self.grid
        system = system if degrees is None else degrees
        shape = max(shape[0], 1), max(shape[1], 1)  # of points, (0, 0)
        return keeping_poles(transform.to_pixels, transform, shape, center, system)

    @property
    def turn(self):
        """The index that converts the image of `grid` into the caller's."""
        return AS_IT_IS if self.grid is None else self.grid.turn

    def of_squares(self) -> View:
        """Return the view for areas of squares: vertices at a pole stay where they are."""
        return self._replace(grid=self.grid and self.grid._replace(degrees=False))

    def single(self, polygon: Polygon, *, check: bool = True) -> Ragged:
        """Return one polygon in pixels."""
        return ragged.single(polygon, self.order, place=self.place, check=check)

    def ragged(self, polygons: Polygons, on_invalid: OnInvalid = "raise") -> Ragged:
        """Return a set of polygons in pixels."""
        if on_invalid == "raise":
            return ragged.ragged(polygons, self.order, place=self.place)
        contract.check_choice(on_invalid, ("raise", "skip"), "on_invalid")
        left_out = LeftOut()
        arrays = ragged.ragged(polygons, self.order, place=self.place, left_out=left_out)
        if left_out:
            warnings.warn(left_out.text(), UserWarning, stacklevel=3)
        return arrays

    def many(self, arrays: Ragged) -> _many.Many:
        """Return the engine's input. Memory may not limit the image, so its samples are checked."""
        check_samples(self.shape, self.sampling.offset, self.sampling.center)
        return _many.Many(arrays, self.shape, self.sampling)

    def refuse_turned(self, name: str) -> None:
        """Refuse an image whose rows or columns are reversed, for an option or a function."""
        if self.turn != AS_IT_IS:
            raise ValueError(
                f"{name} needs a transform with rows from north to south and columns from west to "
                "east: reverse the image"
            )

    def turned(self, images: Any, out: Any = None) -> Any:
        """Return images of `grid` with the caller's rows and columns, in `out` if given."""
        if self.turn == AS_IT_IS:
            return images
        images = images[(..., *self.turn)]
        if out is None:
            return images.copy()
        out[...] = images
        return out


def view_of(
    polygons: Any,
    shape: Pair | None = None,
    *,
    order: Order = "xy",
    transform: Any = None,
    **options: Any,
) -> View:
    """Check the options that functions share, and return the View.

    `polygons` are not read, only their type and their reference system. The other options are those
    of `check_sampling`.
    """
    if transform is None:
        shape = contract.check_shape(shape, polygons)
        sampling = check_sampling(shape, **options) if options else DEFAULT
        return tuple.__new__(View, (shape, sampling, order, None))
    has_offset = check_offset(options.get("offset", NO_OFFSET)) != NO_OFFSET
    shape = None if shape is None else contract.check_shape(shape, polygons)
    grid = map_grids.read(transform, shape, has_offset)
    sampling = check_on_map(grid, options)
    source = getattr(polygons, "crs", None)
    if source is not None and grid.system is not None:
        advice = "convert the polygons with their method to_crs"
        crs.refuse_difference(("`polygons`", source), ("`transform`", grid.system), advice)
    view = View(grid.shape, sampling, order, grid)
    if sampling.offset != NO_OFFSET:
        view.refuse_turned("offset")
    return view


def with_options(*, without: tuple[str, ...] = ()) -> Callable[[Function], Function]:
    """Show the options of `view_of` in the signature of a function, which passes them on.

    The function takes them as ``**options``. Those in its own signature keep their places; those
    of `without` do not exist.
    """

    def decorate(function: Function) -> Function:
        signature = inspect.signature(function)
        own = [each for each in signature.parameters.values() if each.kind != each.VAR_KEYWORD]
        names = {*without, *(each.name for each in own)}
        shared = [each for each in OPTIONS if each.name not in names]
        function.__signature__ = signature.replace(parameters=[*own, *shared])  # type: ignore
        return function

    return decorate


def refuse_options(options: dict[str, Any], names: tuple[str, ...]) -> None:
    """Raise Python's error for options that a function does not have."""
    if refused := options.keys() & names:
        raise TypeError(f"there is no option {min(refused)!r} here")


def _options(function):
    """Return the parameters of a function that must be given by name."""
    parameters = inspect.signature(function).parameters.values()
    return [each for each in parameters if each.kind == each.KEYWORD_ONLY]


OPTIONS = _options(check_sampling) + _options(view_of)
