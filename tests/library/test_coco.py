"""`coco_rle`: run lengths as COCO text; tests/properties decodes them with pycocotools."""

import polymask


def text_of(counts):
    """Return COCO's text of counts, number by number, like its maskApi.c."""
    text = ""
    for i, number in enumerate(counts):
        x = number - counts[i - 2] if i > 2 else number
        more = True
        while more:
            c, x = x & 31, x >> 5
            more = x != -1 if c & 16 else x != 0
            text += chr(c + 48 + 32 * more)
    return text


def test_long_counts():
    """For an image whose counts need more groups of bits than 32-bit numbers have."""
    far = [(2.0**31 - 9, 2.0**30), (2.0**31 - 3, 2.0**30), (2.0**31 - 3, 2.0**30 + 5)]
    (plain,) = polymask.coco_rle([far], (2**31, 2**31), compressed=False)
    assert sum(plain["counts"]) == 2**62
    assert (
        sum(plain["counts"][1::2])
        == polymask.polygon_mask(far, (9, 20), offset=(2**30 - 1, 2**31 - 15)).sum()
    )
    (short,) = polymask.coco_rle([far], (2**31, 2**31))
    assert short["counts"] == text_of(plain["counts"])
