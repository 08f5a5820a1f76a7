"""Formats of other programs: errors name the format and the remedy."""

import bz2
import gzip
import io
import json
import tarfile
import zipfile

import numpy as np
import pytest
from cases import folded

import polymask
from polymask.files import polygon_files
from polymask.forms.left_out import LeftOut

RING = [[1, 1], [8, 1], [8, 6], [1, 6]]
REGION = {"shape_attributes": {"name": "polygon", "all_points_x": [1, 8], "all_points_y": [1, 6]}}
COCO = {"segmentation": [[1, 1, 8, 1, 8, 6]], "image_id": 1, "bbox": [1, 1, 7, 5]}
SHAPE = {"label": "a", "points": RING, "shape_type": "polygon"}
ESRI = {"rings": [[*RING, RING[0]]], "spatialReference": {"wkid": 4326}}
ANNOTATIONS = [  # files of these are read
    ({"images": [], "annotations": [COCO], "categories": []}, "COCO's JSON: .*segmentation"),
    ({"type": "instances", "annotations": []}, "COCO's JSON"),
    (COCO, "COCO's JSON"),
    ({"version": "5.0", "shapes": [SHAPE], "imagePath": "a.jpg"}, "labelme.*points"),
]
OBJECTS = [
    ({"counts": "051L7", "size": [3, 5]}, "COCO's RLE.*coco_to_rings"),
    (SHAPE, "labelme"),
    ({"_via_settings": {}, "_via_img_metadata": {}}, "VIA.*all_points_x"),
    ({"a.jpg12": {"filename": "a.jpg", "regions": [REGION]}}, "VIA"),
    (REGION, "VIA"),
    (ESRI, "Esri.*rings"),
    ({"geometryType": "esriGeometryPolygon", "features": [{"geometry": ESRI}]}, "Esri"),
    ({"attributes": {}, "geometry": ESRI}, "Esri"),
    ({"type": "Topology", "objects": {}}, "TopoJSON.*ogr2ogr"),
    ({"id": 1, "data": {}, "annotations": [{"result": []}]}, "Label Studio.* as COCO"),
    ({"image": "a.jpg", "id": 1, "label": [{"points": RING}]}, "Label Studio.* as COCO"),
    ({"version": "2.0", "item": {}, "annotations": [{"polygon": {}}]}, "Darwin.* as COCO"),
    ({"images": [], "annotations": [{"segments_info": []}]}, "panoptic.* as COCO"),
    ({"size": {}, "objects": [{"points": {"exterior": RING}}]}, "Supervisely.* as COCO"),
    ({"shapes": [{"type": "polygon", "points": RING}], "tracks": []}, "CVAT.* as COCO"),
    ({"info": {}, "categories": {}, "items": []}, "Datumaro.* as COCO"),
    ({"name": "cat", "class": 0, "box": {}, "segments": {}}, "YOLO.* as COCO"),
    ({"a": 1}, r"without 'type' \(its keys are \['a'\]\)"),
]


@folded(("document", "message"), OBJECTS + ANNOTATIONS)
def test_objects_are_recognised_by_their_keys(document, message):
    for polygons in (document, [RING, document]):
        with pytest.raises(ValueError, match=message):
            polymask.label_mask(polygons, (9, 9))
    with pytest.raises(ValueError, match=message):
        polymask.polygon_mask(document, (9, 9))
    with pytest.raises(ValueError, match=message):
        polymask.rasterize([(document, 1)], (9, 9))


@folded(
    "extra",
    [
        {"image": "a", "label": "b", "segments_info": [], "size": 1, "objects": []},
        {"name": "a", "class": 1, "box": {}, "dataset": {}, "items": [], "tracks": []},
    ],
)
def test_annotations_with_members_of_other_formats_are_read(tmp_path, extra):
    first, labelme = COCO | {"category_id": 1}, {"shapes": [SHAPE | extra]} | extra
    data_set = {"images": [{"id": 1}], "annotations": [extra | {"image_id": 1}, first | extra]}
    for document in (data_set | extra, [first | extra], labelme):
        (tmp_path / "a.json").write_text(json.dumps(document))
        assert polygon_files.read_table(tmp_path / "a.json", LeftOut()).center


@folded(("document", "message"), OBJECTS)
def test_files_are_recognised_by_their_keys(tmp_path, document, message):
    (tmp_path / "a.json").write_text(json.dumps(document))
    with pytest.raises(ValueError, match=message):
        polygon_files.read_table(tmp_path / "a.json")


def test_other_members_of_geojson_are_accepted(tmp_path):
    feature = {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [RING]}}
    for document in (feature, {"type": "FeatureCollection", "features": [feature]}):
        for name in ("annotations", "shapes", "regions", "rings"):
            assert polymask.label_mask(document | {name: []}, (9, 9)).any()


def make_zip():
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("a.geojson", "{}")
    return archive.getvalue()


def make_tar():
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as file:
        file.addfile(tarfile.TarInfo("a.geojson"))
    return archive.getvalue()


def make_picture():
    image = pytest.importorskip("PIL.Image")
    file = io.BytesIO()
    image.fromarray(np.zeros((3, 3), np.uint8)).save(file, "png")
    return file.getvalue()


def make_feather():
    pyarrow = pytest.importorskip("pyarrow")
    feather = pytest.importorskip("pyarrow.feather")
    file = io.BytesIO()
    feather.write_feather(pyarrow.table({"a": [1]}), file)
    return file.getvalue()


def make_arrow_stream():
    pyarrow = pytest.importorskip("pyarrow")
    table, file = pyarrow.table({"a": [1]}), io.BytesIO()
    with pyarrow.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table)
    return file.getvalue()


@folded("name", ["a", "a.txt", "a.geojson"])
@folded(
    ("make", "message"),
    [
        (make_tar, "tar archive: unpack it"),
        (lambda: bz2.compress(b"0 0"), "bzip2: unpack it"),
        (make_zip, "zip archive.*: unpack it"),
        (make_feather, "Arrow or Feather: write it as GeoParquet"),
        (make_arrow_stream, "Arrow or Feather: write it as GeoParquet"),
        (make_picture, "a picture.*outline"),
        (lambda: b"<?xml version='1.0'?><kml/>", "KML.*ogr2ogr"),
        (lambda: b"<?xml version='1.0'?>\n<annotations>\n", "CVAT.* as COCO from CVAT"),
        (lambda: b"\xef\xbb\xbf<!-- a\n --><annotations >", "CVAT.* as COCO from CVAT"),
        (lambda: b"12,3,14,5,13,9\r\n30,31,40,33,35,40,34,40\n", "Cellpose.*split"),
        (lambda: b"0 0.1 0.2 0.5 0.2 0.5 1\n", "YOLO.* as COCO"),
        (lambda: b"Iout\x00\xe4" + bytes(60), "ImageJ.*roifile"),
        (lambda: b"\xef\xbb\xbf\n<gml:FeatureCollection/>", "GML.*ogr2ogr"),
        (lambda: b"<!DOCTYPE html><html></html>", "a web page: download"),
        (lambda: b"SQLite format 3\x00" + bytes(84), "suffix .gpkg"),
        (lambda: b"PAR1" + bytes(9), "suffix .parquet"),
        (lambda: "0 0\n4 0\n0 4".encode("utf-16"), "UTF-16: save it as UTF-8"),
        (lambda: b"\xfe\xff" + "0 0\n4 0\n0 4".encode("utf-16-be"), "UTF-16"),
        (lambda: b"MULTIPOLYGON (((0 0, 4 0, 0 4, 0 0)))", "WKT"),
        (lambda: b"\x01\x03\x00\x00\x00\x01\x00\x00\x00", "WKB"),
    ],
)
def test_files_are_recognised_by_their_first_bytes(tmp_path, name, make, message):
    (tmp_path / name).write_bytes(make())
    with pytest.raises(ValueError, match=message) as raised:
        polygon_files.read_table(tmp_path / name)
    assert str(raised.value).startswith(f"{tmp_path / name}: this is ")


@folded(
    ("content", "message"),
    [
        (gzip.compress(gzip.compress(b"0 0")), "the unpacked file is compressed with gzip"),
        (gzip.compress(b"SQLite format 3\x00"), "the unpacked file is SQLite"),
        (gzip.compress(b"0 0")[:-9], "gzip, but damaged"),
        (b"\x1f\x8b\xff" + bytes(20), "gzip, but damaged"),
        (gzip.compress(b"0 0")[:12] + bytes(30), "gzip, but damaged"),
    ],
)
def test_unpacked_files_of_other_formats(tmp_path, content, message):
    (tmp_path / "a.gz").write_bytes(content)
    with pytest.raises(ValueError, match=message):
        polygon_files.read_table(tmp_path / "a.gz")
