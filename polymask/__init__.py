"""The mask of a polygon on an image, solved again and again, each time faster."""
