"""Files of polygons and images, which the commands read and write."""
