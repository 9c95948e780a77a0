/* How many cells a tensor has, and where they lie: against loops over every index. */
#include "conformance/tap/tap.h"
#include "cotangent.h"

static void test_count(void)
{
    static const int32_t shape[] = { 2, 3, 5, 0 };
    cmp_ok(cot_cell_count(3, shape), "==", 30, "a tensor's cells are the product of its extents");
    cmp_ok(cot_cell_count(1, shape + 2), "==", 5, "so are those behind an axis");
    cmp_ok(cot_cell_count(4, shape), "==", 0, "an extent of 0 leaves none");
    cmp_ok(cot_cell_count(0, shape), "==", 1, "no extents: one cell");
    static const int32_t large[] = { 65536, 65536, 2 };
    cmp_ok(cot_cell_count(3, large), "==", (int64_t)1 << 33, "more cells than 32 bits count");
}

/* Every index of a view of rank 3, in row-major order. */
static void offsets_are(cot_view view, const char *what)
{
    int64_t index = 0, wrong = 0;
    for (int i = 0; i < view.shape[0]; i++)
        for (int j = 0; j < view.shape[1]; j++)
            for (int k = 0; k < view.shape[2]; k++) {
                int64_t offset = i * view.strides[0] + j * view.strides[1] + k * view.strides[2];
                wrong += cot_cell_offset(&view, index++) != offset;
            }
    cmp_ok(wrong, "==", 0, "%s: every cell is where its indices say", what);
    cmp_ok(index, "==", cot_cell_count(view.rank, view.shape), "%s: and there are no more", what);
}

int main(void)
{
    static const int32_t shape[] = { 3, 4, 5 };
    plan(NO_PLAN);
    test_count();
    cot_view view = cot_contiguous(COT_F32, 3, shape, NULL);
    offsets_are(view, "contiguous");
    cmp_ok(cot_cell_offset(&view, 37), "==", 37, "in a contiguous view a cell's index is its offset");
    view.strides[0] = 1, view.strides[1] = 3, view.strides[2] = 12;
    offsets_are(view, "transposed");
    view.strides[0] = 1000, view.strides[1] = 0, view.strides[2] = 2;
    offsets_are(view, "with gaps, and repeated");
    view.shape[1] = 1;
    offsets_are(view, "with a single row");
    view.shape[1] = 4, view.shape[2] = 1;
    offsets_are(view, "with single cells");
    static const int32_t large[] = { 3, 65537, 65539, 7 };
    view = cot_contiguous(COT_F32, 4, large, NULL);
    view.strides[1] += 5; /* so that it must be taken apart */
    int64_t last = (int64_t)65537 * 65539 * 7 * 2;
    cmp_ok(cot_cell_offset(&view, last), "==", last, "an index that 32 bits do not hold");
    cmp_ok(cot_cell_offset(&view, last - 1), "==", last - 1 + 5 * 65536, "and the one before it");
    return done_testing();
}
