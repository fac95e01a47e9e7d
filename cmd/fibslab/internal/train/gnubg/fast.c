/*
 * Batch labels from inside a running GNU Backgammon 1.07 (Debian 12 build
 * 1.07.001-1+b1, amd64), loaded by label.py.
 *
 * gnubg.evaluate of the Python interface hands every position to another thread
 * and sleeps 10 ms between looks at the result: 100 positions a second whatever
 * the depth. Its work is done by one small function of the program, which this
 * helper calls directly for a whole batch: 0-ply goes from 100 to more than
 * 100,000 positions a second. The three addresses below belong to exactly that
 * build; label.py compares the build ID first and then the labels of known
 * positions, and uses the slow way when either differs.
 *
 * Nothing here is part of the product: it is a teacher's pencil.
 *
 * build: gcc -O2 -shared -fPIC -o fast.so fast.c
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#define EVALUATE_TASK 0x5bf60   /* void f(task *): evaluates one board */
#define CUBE_OF_MATCH 0x5d9d0   /* int f(cubeinfo *, const matchstate *) */
#define MATCH_STATE   0x18b760

/* One evaluation task: where the answer goes, then the three arguments. */
struct task {
    float out[256];      /* at 0x000 */
    void *cube;          /* at 0x400 */
    void *context;       /* at 0x408 */
    void *unused;        /* at 0x410 */
    void *board;         /* at 0x418 */
    char slack[256];
};

/* Reads a position key (see shared/positions/README.md) into two rows of 25. */
static int unpack(const uint8_t *key, unsigned board[2][25]) {
    int side = 0, point = 0, bit;
    memset(board, 0, 50 * sizeof(unsigned));
    for (bit = 0; bit < 80 && side < 2; bit++) {
        if (key[bit >> 3] >> (bit & 7) & 1) {
            if (point < 25) board[side][point]++;
        } else if (++point == 25) {
            point = 0;
            side++;
        }
    }
    return side == 2;
}

/*
 * Labels n keys of 10 bytes at the given depth into n*5 little-endian 16-bit
 * numbers. base is where the program is loaded. Returns the number labelled.
 */
int label_batch(uint8_t *base, const uint8_t *keys, uint16_t *out, int n, int plies, int prune) {
    void (*evaluate)(struct task *) = (void (*)(struct task *))(base + EVALUATE_TASK);
    int (*cube_of)(void *, void *) = (int (*)(void *, void *))(base + CUBE_OF_MATCH);
    char cube[256];
    struct { uint32_t bits; float noise; char slack[56]; } context;
    unsigned board[2][25];
    struct task t;
    int i, j;

    memset(cube, 0, sizeof cube);
    cube_of(cube, base + MATCH_STATE);
    memset(&context, 0, sizeof context);
    /* bit 0 cubeful, bits 1-4 plies, bit 5 pruning nets, bit 6 deterministic noise */
    context.bits = (uint32_t)plies << 1 | (uint32_t)(prune != 0) << 5 | 1u << 6;
    for (i = 0; i < n; i++) {
        if (!unpack(keys + 10 * (long)i, board)) return i;
        memset(&t, 0, sizeof t);
        t.cube = cube;
        t.context = &context;
        t.board = board;
        evaluate(&t);
        for (j = 0; j < 5; j++) {
            float v = t.out[j];
            if (!(v > 0)) v = 0;
            if (v > 1) v = 1;
            out[5 * (long)i + j] = (uint16_t)lrintf(v * 65535.0f);
        }
    }
    return n;
}
