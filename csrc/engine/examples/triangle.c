/* Prints the mask of a triangle with a hole, with the functions for C. */

#include <stdint.h>
#include <stdio.h>

#include <polymask/polymask.h>

enum { rows = 18, cols = 40 };

int main(void)
{
    const double vertices[] = {2, 1, 37, 3, 9, 17, /* the hole: */ 9, 5, 20, 6, 11, 10};
    const int64_t ring_starts[] = {0, 3};
    const polymask_options options = {.size = sizeof options, .border = POLYMASK_BORDER_INSIDE};
    uint8_t mask[rows * cols];
    char error[POLYMASK_ERROR_SIZE];

    if (polymask_fill_mask(vertices, 6, ring_starts, 2, rows, cols, mask, sizeof mask, &options,
                           error) != POLYMASK_DONE) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    for (int row = 0; row < rows; ++row) {
        for (int col = 0; col < cols; ++col)
            putchar(mask[row * cols + col] ? '#' : '.');
        putchar('\n');
    }
    printf("polymask %s\n", polymask_version());
    return 0;
}
