/* Paints two polygons into an image of labels, and prints their sizes, runs and outlines. Arrays
 * whose size is not known are requested by a first call. many.py and many.rs do the same. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <polymask/polymask.h>

enum { rows = 18, cols = 40, features = 2 };

static char error[POLYMASK_ERROR_SIZE];

static void check(int status)
{
    if (status != POLYMASK_DONE) {
        fprintf(stderr, "%s\n", error);
        exit(1);
    }
}

static void *array_of(size_t count, size_t size)
{
    void *const array = malloc(count * size + 1);
    if (array == NULL)
        abort();
    return array;
}

int main(void)
{
    const double vertices[] = {2, 1, 37, 3, 9, 17, 20, 9, 34, 9, 34, 16, 20, 16};
    const int64_t ring_offsets[] = {0, 3, 7};
    const polymask_polygons polygons = {.vertices = vertices,
                                        .vertex_count = 7,
                                        .ring_offsets = ring_offsets,
                                        .ring_count = features};

    int32_t image[rows * cols];
    check(polymask_fill_labels(&polygons, NULL, 0, rows, cols, image, rows * cols, NULL, error));
    for (int row = 0; row < rows; ++row) {
        for (int col = 0; col < cols; ++col)
            putchar(".12"[image[row * cols + col]]);
        putchar('\n');
    }

    int64_t counts[features], ends[features];
    polymask_box boxes[features];
    check(polymask_pixel_counts(&polygons, rows, cols, counts, features, NULL, error));
    check(polymask_boxes(&polygons, rows, cols, boxes, features, NULL, error));
    size_t runs;
    check(
        polymask_label_runs(&polygons, rows, cols, NULL, 0, NULL, NULL, NULL, &runs, NULL, error));
    int32_t *const run_rows = array_of(runs, sizeof *run_rows);
    int32_t *const starts = array_of(runs, sizeof *starts);
    int32_t *const stops = array_of(runs, sizeof *stops);
    check(polymask_label_runs(&polygons, rows, cols, ends, features, run_rows, starts, stops, &runs,
                              NULL, error));
    for (int i = 0; i < features; ++i) {
        const int64_t last = ends[i] - 1;
        printf("feature %d: %d pixels, rows %d to %d, last run: row %d, columns %d to %d\n", i + 1,
               (int)counts[i], (int)boxes[i].top, (int)boxes[i].bottom - 1, (int)run_rows[last],
               (int)starts[last], (int)stops[last] - 1);
    }

    polymask_outlines *outlines;
    size_t vertex_count, rings, regions;
    check(polymask_trace_labels(image, rows * cols, rows, cols, &outlines, NULL, error));
    check(polymask_write_outlines(outlines, NULL, &vertex_count, NULL, &rings, NULL, &regions, NULL,
                                  error));
    double *const corners = array_of(2 * vertex_count, sizeof *corners);
    int64_t *const traced_rings = array_of(rings + 1, sizeof *traced_rings);
    int64_t *const traced_polygons = array_of(regions + 1, sizeof *traced_polygons);
    int32_t *const labels = array_of(regions, sizeof *labels);
    check(polymask_write_outlines(outlines, corners, &vertex_count, traced_rings, &rings,
                                  traced_polygons, &regions, labels, error));
    polymask_free_outlines(outlines);
    for (size_t i = 0; i < regions; ++i) {
        const double *const first = corners + 2 * traced_rings[traced_polygons[i]];
        printf("region %d: label %d, from (%g, %g)\n", (int)i + 1, (int)labels[i], first[0],
               first[1]);
    }
    printf("polymask %s\n", polymask_version());

    void *const arrays[] = {run_rows,     starts,          stops, corners,
                            traced_rings, traced_polygons, labels};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
        free(arrays[i]);
    return 0;
}
