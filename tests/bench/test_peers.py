"""Other libraries beside the rungs: differing pixels are counted, and the page for their users."""

import re
import shutil
import sys
from typing import NamedTuple

import numpy as np
import pytest
from cases import folded, says
from checkouts import ROOT

import polymask
from benchmarks import coming_from, edge_distance, peers
from ladder.bench import driver, rounds
from ladder.bench.plan import Plan
from ladder.registry import reference, workload
from ladder.report import results
from polymask import cli
from polymask.contract import Unavailable

SHAPE = (20, 30)
BOX = np.array([(2.0, 2), (12, 2), (12, 9), (2, 9)])
PAGE = ROOT / "COMING_FROM.md"
ROUGH = {"peer.opencv", "peer.pillow"}  # outline or round vertices


@pytest.fixture
def plant(monkeypatch):
    """Replace all libraries with a fake one."""

    def add(prepare):
        fake = peers.Peer("peer.fake", "fake.fill", "fake", prepare, "a conversion")
        monkeypatch.setattr(peers, "PEERS", (fake,))

    return add


@pytest.fixture(params=peers.PEERS, ids=lambda peer: peer.key)
def peer(request):
    """Every installed library."""
    return require(request.param)


def require(peer):
    try:
        peer.load()
    except Unavailable as reason:
        pytest.skip(f"{peer.key}: {reason}")
    return peer


def measure(vertices=BOX, shape=SHAPE, **keywords):
    keywords = {"seconds": 0, "others": peers.rows} | keywords
    return driver.measure(Plan(["cclass.polygon"], vertices, shape, **keywords))


def far_from(edge, vertices, shape):
    """Whether samples are further than `edge` from all edges (maximum norm, minima per edge)."""
    y, x = np.mgrid[: shape[0], : shape[1]][..., np.newaxis]
    p, q = vertices, np.roll(vertices, -1, axis=0)
    dx, dy = (q - p).T
    with np.errstate(divide="ignore", invalid="ignore"):
        ax, ay = x - p[:, 0], y - p[:, 1]
        places = [ax / dx, ay / dy, (ax + ay) / (dx + dy), (ax - ay) / (dx - dy)]
    places += [np.zeros_like(ax), np.ones_like(ax)]
    best = np.full(shape, np.inf)
    for place in places:
        t = np.clip(np.nan_to_num(place), 0, 1)
        distance = np.maximum(abs(ax - t * dx), abs(ay - t * dy))
        best = np.minimum(best, distance.min(axis=-1))
    return best > edge


@folded("distance", [edge_distance.ON, 0.3, edge_distance.NEAR])
@folded("lattice", [True, False])
def test_samples_within_a_distance_of_an_edge(distance, lattice):
    r = np.random.default_rng(0)
    for _ in range(30):
        vertices = r.uniform(-8, 40, (5, 2))
        vertices = np.floor(vertices) if lattice else vertices
        vertices[1, 1] = vertices[0, 1]  # a level edge, an upright one, and one of no length
        vertices[2, 0] = vertices[1, 0]
        vertices[4] = vertices[3]
        mask = edge_distance.within(distance, vertices, SHAPE)
        # lattice edges at exactly that distance depend on rounding
        below = ~far_from(distance - 1e-9, vertices, SHAPE)
        above = ~far_from(distance + 1e-9, vertices, SHAPE)
        assert (below <= mask).all()
        assert (mask <= above).all()


def test_huge_coordinates_have_edges_too():
    vertices = np.array([(-1e300, -1e300), (1e300, 5), (3, 1e308)])
    assert edge_distance.within(edge_distance.NEAR, vertices, SHAPE).shape == SHAPE


@pytest.mark.slow
def test_differing_pixels_are_counted_by_where_they_are(plant):
    def make_mask(vertices, shape):
        mask = reference.mask(vertices, shape)
        for y, x in [(2, 5), (4, 2), (9, 12)]:  # on an edge, one of them a vertex
            mask[y, x] ^= 1
        for y, x in [(1, 5), (4, 3)]:  # beside an edge
            mask[y, x] ^= 1
        mask[15, 25] ^= 1  # far from all edges
        return mask.astype(bool)

    plant(lambda: make_mask)
    row = measure().row("peer.fake")
    assert (row.kind, row.status, row.wrong_pixels) == ("peer", "ok", None)
    counts = (row.differ_on_edges, row.differ_off_edges, row.differ_far)
    assert counts == (3, 3, 1)
    assert row.samples >= rounds.FEWEST_ROUNDS
    flag = "differs off the edges (with no edge within a pixel: 1)"
    assert [text for text in row.flags if "edges" in text] == [flag]


@folded("key", ["silx", "skimage", "cv2", "shapely", "rasterio"])
def test_every_library_may_be_missing(monkeypatch, key):
    names = [name for name in sys.modules if name.partition(".")[0] == key]
    for name in [key, *names]:
        monkeypatch.setitem(sys.modules, name, None)
    peer_key = {"cv2": "opencv"}.get(key, key)
    library = next(peer for peer in peers.PEERS if peer.key == f"peer.{peer_key}")
    with pytest.raises(Unavailable, match=r"module .* is not installed: pip install"):
        library.load()


def test_a_library_that_does_not_import_is_skipped(plant):
    def prepare():
        raise ValueError("numpy.dtype size changed")

    plant(prepare)
    row = measure().row("peer.fake")
    assert row.status == "skipped"
    assert says(row.reason, "numpy.dtype", "changed", "pip install")


def too_large(vertices, shape):
    raise OverflowError("too large for me")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make_mask", "reason"),
    [
        (too_large, "raised OverflowError: too large for me"),
        (lambda vertices, shape: np.zeros(shape[::-1], bool), "made a mask of shape (30, 20)"),
    ],
    ids=["raises", "another shape"],
)
def test_a_library_that_fails_is_skipped_not_wrong(plant, make_mask, reason):
    plant(lambda: make_mask)
    row = measure().row("peer.fake")
    assert row.status == "skipped"
    assert row.reason.startswith(reason)


def test_patience_ends_before_an_endless_call(plant, clock):
    heights = []

    def make_mask(vertices, shape):
        heights.append(shape[0])
        clock.work(0.004 * shape[0])
        return reference.mask(vertices, shape)

    plant(lambda: make_mask)
    row = measure(shape=(256, 30), patience=0.1).row("peer.fake")
    assert row.status == "skipped"
    assert row.reason.startswith("a call would take about 1 s: more than the 0.1 s")
    assert heights == [1, 1, 4]


@pytest.mark.slow
def test_api_rows_are_checked_and_compared_with_their_memset(plant):
    plant(lambda: reference.mask)
    result = measure()
    for key, mask in (("api.fresh", "fresh"), ("api.out", "out")):
        row = result.row(key)
        assert (row.kind, row.status, row.wrong_pixels) == ("api", "ok", 0)
        assert (row.mask, row.threads) == (mask, 1)
    assert result.row("api.fresh").times_api == pytest.approx(1, rel=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["api.fresh", "api.out"])
def test_wrong_api_is_wrong(monkeypatch, plant, key):
    plant(lambda: reference.mask)
    right = polymask.polygon_mask

    def one_byte_left(vertices, shape, *, out=None, **options):
        before = None if out is None else out[0, 0].copy()
        mask = right(vertices, shape, out=out, **options)
        mask[0, 0] = 1 if before is None else before
        return mask

    monkeypatch.setattr(polymask, "polygon_mask", one_byte_left)
    row = measure().row(key)
    assert (row.status, row.wrong_pixels) == ("wrong", 1)


def test_libraries_agree_off_the_edges(peer):
    """In general position, where no sample lies on an edge, they agree everywhere."""
    make_mask, shape, r = peer.load(), (120, 170), np.random.default_rng(1)
    polygons = [workload.polygon(15, shape, seed) for seed in range(5)]
    polygons += [] if peer.key in ROUGH else [*r.uniform(-20, 190, (5, 15, 2))]
    for vertices in polygons:
        mask = make_mask(vertices, shape)
        assert mask.shape == shape
        assert mask.dtype in (np.uint8, bool)
        assert set(np.unique(mask)) == {0, 1}
        assert not np.shares_memory(mask, make_mask(vertices, shape))
        differs = mask != reference.mask(vertices, shape)
        zone = edge_distance.NEAR if peer.key in ROUGH else edge_distance.ON
        assert not (differs & ~edge_distance.within(zone, vertices, shape)).any()
        assert vertices.flags.writeable


def test_rasterio_is_an_oracle_for_centers():
    features = pytest.importorskip("rasterio.features")
    r = np.random.default_rng(2)
    for _ in range(200):
        shape = tuple(r.integers(1, 90, 2).tolist())
        ring = r.uniform(-30, 120, (r.integers(3, 40), 2))
        polygon = {"type": "Polygon", "coordinates": [[*ring.tolist(), ring[0].tolist()]]}
        theirs = features.rasterize([polygon], out_shape=shape, dtype="uint8")
        ours = polymask.polygon_mask(ring, shape, dtype="uint8", center=True)
        np.testing.assert_array_equal(ours, theirs)


@pytest.fixture
def bench_run(tmp_path, monkeypatch, capsys):
    """Run `polymask bench --peers`; return the folder, the result and the output."""
    monkeypatch.chdir(tmp_path)
    arguments = ["--rungs", "cclass.polygon", "--shape", "24x32", "--seconds", "0"]
    assert cli.main(["bench", "--peers", *arguments, "--out", "made"]) == 0
    out = capsys.readouterr().out
    return tmp_path, results.load("made/bench.json")[0], out


@pytest.mark.slow
def test_bench_with_peers_and_its_report(bench_run, capsys):
    folder, result, out = bench_run
    kinds = [row.kind for row in result.rows]
    assert kinds == ["rung", "api", "api", *["peer"] * len(peers.PEERS)]
    pillow = result.row("peer.pillow")  # always installed
    assert pillow.status == "ok"
    assert f"peer.pillow: pillow {result.machine.packages['pillow']}, PIL" in out
    assert out.count(" times as fast as the fastest library, peer.") == 2
    text = (folder / "made" / "bench.md").read_text()
    assert "| differ on edges | off edges |" in text
    assert f"| {pillow.differ_on_edges} | {pillow.differ_off_edges} |" in text
    assert "course" not in text.splitlines()[2]
    (folder / "made" / "bench.md").unlink()
    shutil.copy(PAGE, "PAGE.md")
    assert cli.main(["report", "made/bench.json", "--out", "made", "--coming-from", "PAGE.md"]) == 0
    capsys.readouterr()
    assert (folder / "made" / "bench.md").read_text() == text
    page = (folder / "PAGE.md").read_text(encoding="utf-8")
    assert [x.theirs for x in libraries(page)] == [x.theirs for x in LIBRARIES]
    for library in LIBRARIES:
        assert page.count(coming_from.line(library.key, result)) == 1


def test_the_page_agrees_with_its_results(root, tmp_path):
    files = sorted((root / "results").glob("*-peers-*.json"))
    page = tmp_path / "page.md"
    text = PAGE.read_text(encoding="utf-8")
    blank = re.sub(r"(<!-- table of .*? -->\n).*?(<!-- end)", r"\1\2", text, flags=re.S)
    assert blank.count("\n|") < text.count("\n|")
    page.write_text(blank)
    coming_from.rewrite(page, [named.result for named in results.load_named(files)])
    assert page.read_text(encoding="utf-8") == PAGE.read_text(encoding="utf-8")


class Library(NamedTuple):
    """A section of the page: the key of its row, both snippets, and its text on the border."""

    key: str
    theirs: str
    ours: str
    border: str

    @property
    def center(self):
        return "center=True" in self.ours


def libraries(page):
    """Read the sections of the page."""
    section = r"```python\n(.*?)```\n\n```python\n(.*?)```.*?\*Border\.\* (.*?)\n.*?table of (\S+)"
    sections = re.findall(section, page, re.S)
    return [Library(key, theirs, ours, border) for theirs, ours, border, key in sections]


LIBRARIES = libraries(PAGE.read_text(encoding="utf-8"))


def run(code, **names):
    exec(compile(code, "a snippet", "exec"), names)
    return np.asarray(names["mask"])


@pytest.fixture(params=LIBRARIES, ids=lambda library: library.key)
def library(request):
    """Every library of the page that is installed."""
    require(next(peer for peer in peers.PEERS if peer.key == request.param.key))
    return request.param


def masks_of(library, vertices, shape):
    """Run both snippets of a library on vertices (x, y)."""
    names = {
        "polygon": vertices[:, ::-1] if 'order="rc"' in library.ours else vertices,
        "geometry": {"type": "Polygon", "coordinates": [vertices.tolist()]},
        "shape": shape,
    }
    return run(library.theirs, **names), run(library.ours, **names)


def test_both_sides_of_the_page_make_the_same_mask(library):
    shape = (60, 90)
    for seed in range(5):
        vertices = workload.polygon(9, shape, seed)
        theirs, ours = masks_of(library, vertices, shape)
        zone = edge_distance.NEAR if library.key in ROUGH else edge_distance.ON
        off = ~edge_distance.within(zone, vertices - (0.5 if library.center else 0), shape)
        assert theirs.dtype == ours.dtype
        assert theirs.any()
        np.testing.assert_array_equal(theirs[off], ours[off])
