// Plays, inputs and backups of backgammon for many positions at once. The same source is
// compiled by nvcc for a device and by g++ (-x c++) for a processor; with PLAYS_MAIN it is a
// program that writes the plays of the boards it reads, for the test.
//
// A board is 52 bytes: the player on roll at 0 to 24 (own points 1 to 24, bar), the opponent
// by his own numbering at 26 to 50; bytes 25 and 51 are spare.
#include <stdint.h>
#include <string.h>
#ifdef __CUDACC__
#include <cuda_fp16.h>
#define HD __host__ __device__ __forceinline__
typedef __half feat_t;
HD feat_t F(float x) { return __float2half(x); }
#else
#include <math.h>
#define HD static inline
typedef float feat_t;
HD feat_t F(float x) { return x; }
#endif
typedef unsigned char u8;
typedef unsigned long long u64;
#define STRIDE 52
#define OPP 26

HD u64 mix(u64 x) { x += 0x9e3779b97f4a7c15ULL; x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL; x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL; return x ^ (x >> 31); }
HD u64 KEY(int i) { return mix(i + 1) | 1; }

struct Gen {
  u8 me[26], opp[26];
  int outside;   // checkers not home
  int n, best;   // results, dice used
  uint32_t *out; // nullptr: count
  u64 hash;
  u64 seen[256];
  int nseen;
};

// emit writes the position after a play of that many steps, the opponent being on roll; plays
// of fewer steps than others have do not count.
HD void emit(Gen &g, int depth) {
  if (depth < g.best) return;
  if (depth > g.best) { g.best = depth; g.n = 0; g.nseen = 0; }
  if (g.out) {
    uint32_t *o = g.out + (u64)g.n * (STRIDE / 4);
    uint32_t w[13];
    u8 b[STRIDE];
    for (int i = 0; i < 25; i++) { b[i] = g.opp[i]; b[OPP + i] = g.me[i]; }
    b[25] = 0; b[51] = 0;
    memcpy(w, b, STRIDE);
    for (int i = 0; i < 13; i++) o[i] = w[i];
  }
  g.n++;
}

// can says whether a checker may move from i by d: -1 no, 0 yes, 1 it hits.
HD int can(const Gen &g, int i, int d) {
  if (!g.me[i]) return -1;
  if (g.me[24] && i != 24) return -1;
  int to = i - d;
  if (to >= 0) { int o = g.opp[23 - to]; return o >= 2 ? -1 : o; }
  if (g.outside) return -1;
  if (to < -1) for (int k = i + 1; k < 6; k++) if (g.me[k]) return -1;
  return 0;
}
HD void doit(Gen &g, int i, int d, int hit) {
  int to = i - d;
  g.me[i]--; g.hash -= KEY(i);
  if (i >= 6) g.outside--;
  if (to >= 0) {
    g.me[to]++; g.hash += KEY(to);
    if (to >= 6) g.outside++;
    if (hit) { g.opp[23 - to]--; g.opp[24]++; g.hash += KEY(64) * (u64)(to + 1); }
  }
}
HD void undo(Gen &g, int i, int d, int hit) {
  int to = i - d;
  if (to >= 0) {
    if (hit) { g.opp[23 - to]++; g.opp[24]--; g.hash -= KEY(64) * (u64)(to + 1); }
    g.me[to]--; g.hash -= KEY(to);
    if (to >= 6) g.outside--;
  }
  g.me[i]++; g.hash += KEY(i);
  if (i >= 6) g.outside++;
}
HD bool fresh(Gen &g) {
  for (int k = 0; k < g.nseen; k++) if (g.seen[k] == g.hash) return false;
  if (g.nseen < 256) g.seen[g.nseen++] = g.hash;
  return true;
}

// doubles goes depth first, without recursion, through plays whose sources never rise.
HD void doubles(Gen &g, int d) {
  int src[4], hit[4], depth = 0, i = 24;
  for (;;) {
    int h = -1;
    if (depth < 4) for (; i >= 0; i--) if ((h = can(g, i, d)) >= 0) break;
    if (h >= 0) { // the next step may have the same source
      src[depth] = i; hit[depth] = h;
      doit(g, i, d, h);
      depth++;
      continue;
    }
    if (depth > 0) emit(g, depth);
    for (;;) { // back to the last step that has another source
      if (depth == 0) return;
      depth--;
      undo(g, src[depth], d, hit[depth]);
      for (i = src[depth] - 1; i >= 0; i--) if (can(g, i, d) >= 0) break;
      if (i >= 0) break;
    }
  }
}

// both plays a, then b.
HD void both(Gen &g, int a, int b) {
  for (int i = 24; i >= 0; i--) {
    int h = can(g, i, a);
    if (h < 0) continue;
    doit(g, i, a, h);
    for (int j = 24; j >= 0; j--) {
      int k = can(g, j, b);
      if (k < 0) continue;
      doit(g, j, b, k);
      if (2 > g.best) { g.best = 2; g.n = 0; g.nseen = 0; }
      if (fresh(g)) emit(g, 2);
      undo(g, j, b, k);
    }
    undo(g, i, a, h);
  }
}
HD void single(Gen &g, int a) {
  for (int i = 24; i >= 0; i--) {
    int h = can(g, i, a);
    if (h < 0) continue;
    doit(g, i, a, h);
    emit(g, 1);
    undo(g, i, a, h);
  }
}

// dice are those of roll r of 21: 1-1, 2-1, 2-2, 3-1 and so on.
HD void dice(int r, int &a, int &b) {
  a = 1;
  while (r >= a) { r -= a; a++; }
  b = r + 1;
}

HD int generate(const u8 *board, int r, uint32_t *out) {
  Gen g;
  g.outside = 0; g.hash = 0; g.n = 0; g.best = 0; g.nseen = 0; g.out = out;
  for (int i = 0; i < 25; i++) {
    g.me[i] = board[i]; g.opp[i] = board[OPP + i];
    if (i >= 6) g.outside += g.me[i];
  }
  int a, b;
  dice(r, a, b);
  if (a == b) doubles(g, a);
  else {
    both(g, a, b); both(g, b, a);
    if (g.n == 0) single(g, a);
    if (g.n == 0) single(g, b);
  }
  if (g.n == 0) emit(g, 0);
  return g.n;
}

// chances from logits, made consistent, by the board whose player on roll has them
HD float sig(float x) {
#ifdef __CUDA_ARCH__
  return 1.0f / (1.0f + __expf(-x));
#else
  return 1.0f / (1.0f + expf(-x));
#endif
}
HD int count(const u8 *c) { int n = 0; for (int i = 0; i < 25; i++) n += c[i]; return n; }
// level at which the side c has lost, the other being off
HD int lost(const u8 *c) {
  if (count(c) < 15) return 1;
  for (int i = 18; i < 25; i++) if (c[i]) return 3;
  return 2;
}
HD void chances(const float *l, const u8 *b, float *p) {
  int me = count(b), opp = count(b + OPP);
  if (opp == 0 || me == 0) {
    for (int k = 0; k < 5; k++) p[k] = 0;
    if (opp == 0) { int v = lost(b); p[3] = v >= 2; p[4] = v >= 3; }
    else { int v = lost(b + OPP); p[0] = 1; p[1] = v >= 2; p[2] = v >= 3; }
    return;
  }
  for (int k = 0; k < 5; k++) p[k] = sig(l[k]);
  if (opp < 15) p[1] = 0;
  if (me < 15) p[3] = 0;
  if (p[1] > p[0]) p[1] = p[0];
  if (p[2] > p[1]) p[2] = p[1];
  if (p[3] > 1 - p[0]) p[3] = 1 - p[0];
  if (p[4] > p[3]) p[4] = p[3];
}
HD float equity(const float *p) { return 2 * p[0] - 1 + p[1] + p[2] - p[3] - p[4]; }
HD bool contact(const u8 *b) {
  int m = -1, o = -1;
  for (int i = 24; i >= 0 && m < 0; i--) if (b[i]) m = i;
  for (int i = 24; i >= 0 && o < 0; i--) if (b[OPP + i]) o = i;
  return m >= 0 && o >= 0 && m + o > 22;
}

// The 208 inputs of the big net, 8 at a time: 104 a side, four for each point of the player on
// roll (at least one, two, three checkers, half of those above three), three for the bar, borne
// off in fifteenths and at all, pips in hundreds, the rear checker's place, and 1 without contact.
HD void inputs8(const u8 *b, int group, feat_t *o) {
  int side = group / 13, k = group % 13;
  const u8 *c = b + (side ? OPP : 0);
  if (k < 12) {
    for (int h = 0; h < 2; h++) {
      int point = 2 * k + h;
      int n = c[side ? 23 - point : point];
      o[4 * h] = F(n >= 1); o[4 * h + 1] = F(n >= 2); o[4 * h + 2] = F(n >= 3); o[4 * h + 3] = F(n > 3 ? (n - 3) * 0.5f : 0);
    }
    return;
  }
  int pips = 0, n = 0, rear = -1;
  for (int i = 0; i < 25; i++) { n += c[i]; pips += (i + 1) * c[i]; if (c[i]) rear = i; }
  int bar = c[24];
  o[0] = F(bar >= 1); o[1] = F(bar >= 2); o[2] = F(bar > 2 ? (bar - 2) * 0.5f : 0);
  o[3] = F((15 - n) / 15.0f); o[4] = F(n < 15); o[5] = F(pips * 0.01f); o[6] = F((rear + 1) / 25.0f);
  o[7] = F(contact(b) ? 0.0f : 1.0f);
}

// the 330 sparse inputs of the program's own nets, as 0 and 1: 165 a side
HD void own8(const u8 *b, int group, float *o) {
  for (int k = 0; k < 8; k++) {
    int r = 8 * group + k;
    if (r >= 330) { o[k] = 0; continue; }
    int side = r / 165; r %= 165;
    const u8 *c = b + (side ? OPP : 0);
    if (r < 150) { int n = c[r / 6]; if (n > 6) n = 6; o[k] = n == r % 6 + 1; }
    else o[k] = 15 - count(c) == r - 149;
  }
}

HD float gauss(u64 h) { // near enough: the sum of four uniform ones
  float s = 0;
  for (int k = 0; k < 4; k++) s += ((h >> (16 * k)) & 0xffff) * (1.0f / 65536);
  return (s - 2) * 1.7320508f;
}

// what each index of a launch does
HD void do_count(u64 t, const u8 *boards, int *counts) { counts[t] = generate(boards + t / 21 * STRIDE, (int)(t % 21), nullptr); }
HD void do_write(u64 t, const u8 *boards, const long long *offs, u8 *out) { generate(boards + t / 21 * STRIDE, (int)(t % 21), (uint32_t *)(out + offs[t] * STRIDE)); }
HD void do_inputs(u64 t, const u8 *boards, feat_t *out) {
  alignas(16) feat_t o[8];
  inputs8(boards + t / 26 * STRIDE, (int)(t % 26), o);
#ifdef __CUDA_ARCH__
  *(uint4 *)(out + t * 8) = *(uint4 *)o;
#else
  for (int k = 0; k < 8; k++) out[t * 8 + k] = o[k];
#endif
}
HD void do_own(u64 t, const u8 *boards, float *out, int width) { // width floats a position, 336 of them ours
  float o[8];
  own8(boards + t / 42 * STRIDE, (int)(t % 42), o);
  for (int k = 0; k < 8; k++) out[t / 42 * width + t % 42 * 8 + k] = o[k];
}
// best play of each roll, and its chances to the mover
HD void do_reduce(u64 t, const long long *offs, const float *logits, int stride, const u8 *succ, long long *best, float *vec) {
  float top = -1e9f, p[5], q[5];
  long long at = offs[t];
  for (long long i = offs[t]; i < offs[t + 1]; i++) {
    chances(logits + i * stride, succ + i * STRIDE, p);
    float e = -equity(p);
    if (e > top) { top = e; at = i; for (int k = 0; k < 5; k++) q[k] = p[k]; }
  }
  best[t] = at;
  float *v = vec + t * 5;
  v[0] = 1 - q[0]; v[1] = q[3]; v[2] = q[4]; v[3] = q[1]; v[4] = q[2];
}
// the play that is made with noise, and another near it, or -1
HD void do_play(u64 t, const int *roll, const float *sigma, const long long *offs, const float *logits, int stride, const u8 *succ, u64 seed, float margin, long long *played, long long *other) {
  u64 at = t * 21 + roll[t];
  float top = -1e9f, noisy = -1e9f, p[5];
  long long made = offs[at];
  for (long long i = offs[at]; i < offs[at + 1]; i++) {
    chances(logits + i * stride, succ + i * STRIDE, p);
    float e = -equity(p), x = e;
    if (sigma[t] > 0) x += sigma[t] * gauss(mix(seed ^ mix((u64)i)));
    if (e > top) top = e;
    if (x > noisy) { noisy = x; made = i; }
  }
  played[t] = made;
  long long side = -1;
  int n = 0;
  for (long long i = offs[at]; i < offs[at + 1]; i++) {
    if (i == made) continue;
    chances(logits + i * stride, succ + i * STRIDE, p);
    if (-equity(p) < top - margin) continue;
    n++;
    if (mix(seed + 77 + (u64)i) % n == 0) side = i;
  }
  other[t] = side;
}
HD void do_chances_of(u64 t, const float *logits, int stride, const u8 *boards, float *out) { chances(logits + t * stride, boards + t * STRIDE, out + 5 * t); }
// 1 the game is over, 2 contact
HD void do_info(u64 t, const u8 *boards, u8 *out) {
  const u8 *b = boards + t * STRIDE;
  out[t] = (count(b) == 0 || count(b + OPP) == 0 ? 1 : 0) | (contact(b) ? 2 : 0);
}

#ifdef __CUDACC__
#define NOPAR(...) __VA_ARGS__
#define DEFINE(name, params, args, rest) \
  __global__ void __launch_bounds__(128) k_##name(u64 n, NOPAR params) { u64 t = (u64)blockIdx.x * blockDim.x + threadIdx.x; if (t < n) do_##name args; } \
  extern "C" int bg_##name(u64 n, NOPAR params, void *stream) { if (n) k_##name<<<(unsigned)((n + 127) / 128), 128, 0, (cudaStream_t)stream>>>(n, NOPAR rest); return (int)cudaGetLastError(); }
#else
#define NOPAR(...) __VA_ARGS__
#define DEFINE(name, params, args, rest) \
  extern "C" int bg_##name(u64 n, NOPAR params, void *) { for (u64 t = 0; t < n; t++) do_##name args; return 0; }
#endif
DEFINE(count, (const u8 *a, int *b), (t, a, b), (a, b))
DEFINE(write, (const u8 *a, const long long *b, u8 *c), (t, a, b, c), (a, b, c))
DEFINE(inputs, (const u8 *a, feat_t *b), (t, a, b), (a, b))
DEFINE(own, (const u8 *a, float *b, int c), (t, a, b, c), (a, b, c))
DEFINE(reduce, (const long long *a, const float *b, int c, const u8 *d, long long *e, float *f), (t, a, b, c, d, e, f), (a, b, c, d, e, f))
DEFINE(play, (const int *a, const float *b, const long long *c, const float *d, int e, const u8 *f, u64 g, float h, long long *i, long long *j), (t, a, b, c, d, e, f, g, h, i, j), (a, b, c, d, e, f, g, h, i, j))
DEFINE(chances_of, (const float *a, int b, const u8 *c, float *d), (t, a, b, c, d), (a, b, c, d))
DEFINE(info, (const u8 *a, u8 *b), (t, a, b), (a, b))

#if defined(PLAYS_MAIN) && !defined(__CUDACC__)
#include <stdio.h>
#include <vector>
// For each board of the standard input and each roll: the number of plays and the positions
// after them.
int main() {
  u8 b[STRIDE];
  while (fread(b, STRIDE, 1, stdin) == 1) {
    for (int r = 0; r < 21; r++) {
      int n = generate(b, r, nullptr);
      std::vector<uint32_t> out(n * (STRIDE / 4));
      generate(b, r, out.data());
      fwrite(&n, 4, 1, stdout);
      fwrite(out.data(), STRIDE, n, stdout);
    }
  }
  return 0;
}
#endif
