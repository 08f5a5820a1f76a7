"""Files of annotations: COCO, labelme and QuPath."""

import json

import numpy as np
import pytest
from cases import folded

import polymask
from polymask.files import polygon_files
from polymask.files.coco_json import Choice
from polymask.forms.left_out import LeftOut

SHAPE = 6, 10
SQUARE = [1, 1, 6, 1, 6, 5, 1, 5]
PARTS = [[5, 2, 8, 2, 8, 4, 5, 4], [9, 0, 10, 0, 10, 4, 9, 4]]
MASK = np.zeros(SHAPE, bool)
MASK[1:5, 1:6] = True
CROWD = {"size": [6, 10], "counts": [24, 2, 4, 2, 4, 2, 4, 2, 16]}
COCO = {
    "images": [
        {"id": 1, "file_name": "a.jpg", "height": 6, "width": 10},
        {"id": 2, "file_name": "b.jpg", "height": 9, "width": 9},
    ],
    "categories": [{"id": 1, "name": "cat"}, {"id": 5, "name": "dog"}],
    "annotations": [
        {"id": 11, "image_id": 1, "category_id": 1, "segmentation": [SQUARE]},
        {"id": 12, "image_id": 1, "category_id": 5, "segmentation": PARTS},
        {"id": 13, "image_id": 1, "category_id": 5, "iscrowd": 1, "segmentation": CROWD},
        {"id": 14, "image_id": 2, "category_id": 5, "segmentation": [[0, 0, 9, 0, 9, 9]]},
    ],
}
LABELME = {
    "version": "6.3.1",
    "shapes": [
        {
            "label": "cat",
            "points": [[1.0, 1.0], [6.0, 1.0], [6.0, 5.0], [1.0, 5.0]],
            "shape_type": "polygon",
            "group_id": 3,
            "mask": None,
        },
        {"label": "dog", "points": [[8.0, 4.0], [5.0, 2.0]], "shape_type": "rectangle"},
        {"label": "dog", "points": [[8.0, 4.0], [5.0, 2.0]], "shape_type": "circle"},
    ],
    "imagePath": "a.jpg",
    "imageData": "aWdub3JlZA==",
    "imageHeight": 6,
    "imageWidth": 10,
}


@pytest.fixture
def read(tmp_path):
    """Read a document as a file."""

    def read_document(document, skipped=None, **choice):
        text = document if isinstance(document, str) else json.dumps(document)
        (tmp_path / "a").write_text(text, encoding="utf-8")
        return polygon_files.read_table(tmp_path / "a", skipped, Choice(**choice))

    return read_document


def masks_of(table):
    return polymask.polygon_masks(table.polygons, table.shape, center=table.center)


def test_coco(read):
    table = read(COCO, image="a.jpg")
    assert table.shape == SHAPE
    assert table.center
    assert table.properties["id"] == [11, 12, 13]
    assert table.properties["category"] == ["cat", "dog", "dog"]
    assert "segmentation" not in table.properties
    square, parts, crowd = masks_of(table)
    np.testing.assert_array_equal(square, MASK)
    assert parts.sum() == 10
    np.testing.assert_array_equal(crowd, polymask.coco_to_mask(CROWD))


@folded(
    ("choice", "ids"),
    [
        ({"image": "1"}, [11, 12, 13]),
        ({"image": "id:2"}, [14]),
        ({"image": "a.jpg", "categories": ("id:1", "name:dog")}, [11, 12, 13]),
        ({"image": "b.jpg"}, [14]),
        ({"image": "a.jpg", "categories": ("dog",)}, [12, 13]),
        ({"image": "a.jpg", "categories": ("1", "dog")}, [11, 12, 13]),
        ({"image": "a.jpg", "instances": (11, 13)}, [11, 13]),
        ({"image": "a.jpg", "categories": ("dog",), "instances": (12,)}, [12]),
    ],
)
def test_choices(read, choice, ids):
    assert read(COCO, **choice).properties["id"] == ids


@folded(
    ("choice", "message"),
    [
        ({}, "has 2 images.*'a.jpg', 'b.jpg'"),
        ({"image": "c.jpg"}, "no image is called 'c.jpg'.*'a.jpg'"),
        ({"image": "a.jpg", "categories": ("cow",)}, "no category 'cow'.*'cat'"),
        ({"image": "a.jpg", "instances": (14,)}, "no instance 14.*11"),
    ],
)
def test_bad_choices(read, choice, message):
    with pytest.raises(ValueError, match=message):
        read(COCO, **choice)


def test_a_name_that_is_another_id_is_refused(read):
    images = [{"id": 1, "file_name": "2"}, {"id": 2, "file_name": "b"}]
    categories = [{"id": 1, "name": "5"}, {"id": 5, "name": "dog"}]
    document = COCO | {"images": images, "categories": categories}
    for choice in ({"image": "2"}, {"image": "b", "categories": ("5",)}):
        with pytest.raises(ValueError, match=r"name:\d or id:\d"):
            read(document | {"annotations": COCO["annotations"][1:]}, **choice)
    choice = {"image": "name:2", "categories": ("name:5",)}
    assert read(document, **choice).properties["id"] == [11]
    assert read(document, **choice | {"categories": ("id:5",)}).properties["id"] == [12, 13]


def test_files_without_annotations_offer_no_choice(read, tmp_path):
    with pytest.raises(ValueError, match="to choose"):
        read("0 0\n4 0\n0 4", categories=("cat",))
    np.save(tmp_path / "a.npy", np.reshape(SQUARE, (-1, 2)))
    with pytest.raises(ValueError, match="to choose"):
        polygon_files.read_table(tmp_path / "a.npy", choice=Choice(image="a.jpg"))
    with pytest.raises(ValueError, match="to choose"):
        polygon_files.read_table(tmp_path / "a.gpkg", choice=Choice(instances=(1,)))


def test_results_of_a_detector(read):
    (rle,) = polymask.coco_rle([np.reshape(SQUARE, (-1, 2))], SHAPE, center=True)
    table = read([{"image_id": 7, "category_id": 2, "segmentation": rle, "score": 0.5}])
    assert table.shape == SHAPE
    assert table.properties["score"] == [0.5]
    assert table.properties["category"] == ["2"]
    np.testing.assert_array_equal(masks_of(table), [MASK])


def annotation(**members):
    return {"image_id": 1, "category_id": 1, "id": 1} | members


@folded(
    ("document", "message"),
    [
        (annotation(segmentation=CROWD | {"counts": [59]}), "annotation 0: .*add up to 59"),
        (annotation(segmentation=CROWD | {"size": [10, 6]}), r"annotation 0: .*\(10, 6\)"),
        (annotation(segmentation=[[1, 2, 3, 4, 5]]), "annotation 0: "),
        (annotation(segmentation="aa"), "annotation 0: segmentation"),
        (annotation(segmentation=[], bbox=[1, 1, 2, 2]), "annotation 0: .*'bbox'"),
        (annotation(segmentation=[SQUARE], image_id=3), "annotation 0: no image.* 3"),
        (annotation(segmentation=[SQUARE], image_id=[3]), "'image_id'.*integer or text"),
    ],
)
def test_bad_annotations(read, document, message):
    with pytest.raises((TypeError, ValueError), match=message):
        read({"images": COCO["images"][:1], "annotations": [document]})


@folded(
    "document", [COCO | {"annotations": {}}, COCO | {"images": [3]}, LABELME | {"shapes": {"a": 1}}]
)
def test_bad_structures(read, document):
    with pytest.raises(ValueError, match="must be a list of objects"):
        read(document)


def test_rings_of_fewer_than_three_vertices_are_left_out_and_counted(read):
    segmentations = [[1, 2, 3, 4]], [[]], [SQUARE, [1, 2]], SQUARE  # the last without a list
    documents = [annotation(segmentation=segmentation) for segmentation in segmentations]
    skipped = LeftOut()
    table = read(COCO | {"annotations": documents}, skipped, image="a.jpg")
    assert list(skipped.values()) == [3]
    assert [mask.sum() for mask in masks_of(table)] == [0, 0, 20, 20]
    with pytest.raises(ValueError, match=r"annotation 0: .*3 vertices"):
        read(COCO | {"annotations": documents}, image="a.jpg")


def test_labelme(read):
    table = read(LABELME | {"shapes": LABELME["shapes"][:2]})
    assert table.shape == SHAPE
    assert table.center
    assert table.properties == {
        "id": [3, None],
        "image": ["a.jpg", "a.jpg"],
        "category": ["cat", "dog"],
    }
    square, rectangle = masks_of(table)
    np.testing.assert_array_equal(square, MASK)
    assert np.argwhere(rectangle).tolist() == [[r, c] for r in (2, 3) for c in (5, 6, 7)]
    assert read(LABELME, categories=("cat",), instances=(3,)).polygons.features == 1
    for choice in ({"categories": ("None",)}, {"categories": ("id:None",)}, {"image": "None"}):
        with pytest.raises(ValueError, match=r"no category|no image"):
            read(LABELME, **choice)


def test_other_shapes_of_labelme_are_left_out_and_counted(read):
    skipped = LeftOut()
    corners = {"shape_type": "rectangle", "points": [[1, 1], [6, 1], [6, 5], [1, 5]]}
    shapes = [*LABELME["shapes"], {"points": [[1, 1], [6, 1]]}, corners]
    table = read(LABELME | {"shapes": shapes}, skipped)
    assert skipped == {"circle": 1, "polygon of fewer than 3 vertices": 1}
    assert [mask.sum() for mask in masks_of(table)] == [20, 6, 0, 0, 20]
    with pytest.raises(ValueError, match=r"annotation 2: .*'circle'"):
        read(LABELME)
    with pytest.raises(ValueError, match=r"annotation 0: "):
        read(LABELME | {"shapes": [{"points": [[1, 1], [6]], "shape_type": "rectangle"}]})


@folded(
    "document",
    [
        {"version": 0, "tracks": [], "shapes": [{"type": "polygon", "points": SQUARE}]},  # CVAT
        {"shapes": LABELME["shapes"]},
        [{"id": 1, "data": {}, "annotations": [{"result": []}]}],  # Label Studio
        {"item": {}, "annotations": [{"polygon": {"paths": [[{"x": 1, "y": 2}]]}}]},  # Darwin
        {"a.jpg": {"regions": [{"shape_attributes": {"all_points_x": [1, 2, 3]}}]}},  # VIA
        {"geometryType": "esriGeometryPolygon", "features": [{"geometry": {"rings": []}}]},
    ],
)
def test_files_of_other_programs_are_refused(read, document):
    with pytest.raises(ValueError, match=r"feature 0: .* as GeoJSON or COCO"):
        read(document, LeftOut())


def test_qupath(read):
    def feature(**properties):
        ring = [*np.reshape(SQUARE, (-1, 2)).tolist(), SQUARE[:2]]
        geometry = {"type": "Polygon", "coordinates": [ring]}
        return {"type": "Feature", "geometry": geometry, "properties": properties}

    features = [
        feature(objectType="annotation", classification={"name": "Tumor", "color": [9, 0, 0]}),
        feature(objectType="cell", classification={"names": ["Stroma", "Positive"]}),
        feature(objectType="detection"),
    ]
    table = read({"type": "FeatureCollection", "features": features})
    assert table.properties["classification"] == ["Tumor", "Stroma: Positive", None]
    assert table.center
    mask = polymask.polygon_mask(table.polygons.some(0, 1), SHAPE, center=table.center)
    np.testing.assert_array_equal(mask, MASK)
    other = {"type": "FeatureCollection", "features": [feature(objectType="building")]}
    assert not read(other).center


def test_annotations_are_not_joined(read):
    coco = read(COCO, image="a.jpg")
    assert polygon_files.join_tables([coco]) == coco
    for other in (coco, read(LABELME | {"shapes": []}), read("0 0\n4 0\n0 4")):
        with pytest.raises(ValueError, match="from one file"):
            polygon_files.join_tables([coco, other])
