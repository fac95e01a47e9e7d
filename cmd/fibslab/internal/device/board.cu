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

// What follows are the inputs of the program's own nets (engine/nn): 330 that are 0 or 1, 165 a
// side, then 37 computed ones a side, in whole steps of 1/256.
#define MINE 404
#define WIDE 408 // floats a position, the last four 0

HD void sparse8(const u8 *b, int group, feat_t *o) {
  for (int k = 0; k < 8; k++) {
    int r = 8 * group + k;
    if (r >= 330) { o[k] = F(0); continue; }
    int side = r / 165; r %= 165;
    const u8 *c = b + (side ? OPP : 0);
    bool on;
    if (r < 150) { int n = c[r / 6]; if (n > 6) n = 6; on = n == r % 6 + 1; }
    else on = 15 - count(c) == r - 149;
    o[k] = F(on ? 1.0f : 0.0f);
  }
}

typedef uint32_t u32;
#ifdef __CUDA_ARCH__
HD int POP(u32 x) { return __popc(x); }
HD int LOW(u32 x) { return __ffs(x) - 1; }
HD int LEN(u32 x) { return 32 - __clz(x); }
#else
HD int POP(u32 x) { return __builtin_popcount(x); }
HD int LOW(u32 x) { return __builtin_ctz(x); }
HD int LEN(u32 x) { return x ? 32 - __builtin_clz(x) : 0; }
#endif

// Tables are those of engine/nn/inputs_tables.go.
struct Tables {
  u8 escapes[4096], leaps[4096];
  u32 withDice[64], enter[7][64], both[64][64], combined[25][64];
  u32 third[25], fourth[25], thirdNeed[25], fourthNeed[25], doubles;
  float link[25];
};

static int rollOf(int a, int b) { if (a < b) { int c = a; a = b; b = c; } return a * (a - 1) / 2 + b - 1; }

static void makeTables(Tables *t) {
  memset(t, 0, sizeof *t);
  for (int a = 1; a <= 6; a++) t->doubles |= 1u << rollOf(a, a);
  for (int w = 0; w < 4096; w++) {
    int last = w ? 12 - __builtin_ctz(w) : 0;
    for (int a = 1; a <= 6; a++) for (int b = 1; b <= a; b++) {
      auto blocked = [&](int d) { return d <= 12 && (w >> (12 - d) & 1); };
      int far = 0, weight = a == b ? 1 : 2;
      if (a == b) while (far < 4 * a && !blocked(far + a)) far += a;
      else {
        if (!blocked(a)) far = a;
        if (!blocked(b) && b > far) far = b;
        if (far > 0 && !blocked(a + b)) far = a + b;
      }
      if (far >= a + b) t->escapes[w] += weight;
      if (far > last || w == 0) t->leaps[w] += weight;
    }
  }
  for (int set = 0; set < 64; set++)
    for (int d = 1; d <= 6; d++) for (int e = 1; e <= 6; e++) if (set >> (e - 1) & 1) t->enter[d][set] |= 1u << rollOf(d, e);
  for (int x = 0; x < 64; x++)
    for (int d = 1; d <= 6; d++) if (x >> (d - 1) & 1) {
      t->withDice[x] |= t->enter[d][63];
      for (int y = 0; y < 64; y++) t->both[x][y] |= t->enter[d][y];
    }
  for (int a = 1; a <= 6; a++) {
    for (int b = 1; b <= a; b++)
      for (int open = 0; open < 64; open++) if (open >> (a - 1) & 1 || open >> (b - 1) & 1) t->combined[a + b][open] |= 1u << rollOf(a, b);
    if (3 * a <= 24) { t->third[3 * a] = 1u << rollOf(a, a); t->thirdNeed[3 * a] = 1u << (a - 1) | 1u << (2 * a - 1); }
    if (4 * a <= 24) { t->fourth[4 * a] = 1u << rollOf(a, a); t->fourthNeed[4 * a] = 1u << (a - 1) | 1u << (2 * a - 1) | 1u << (3 * a - 1); }
  }
  const float link[7] = {0, 1, 0.9f, 0.75f, 0.6f, 0.4f, 0.25f};
  for (int g = 1; g <= 6; g++) t->link[g] = link[g];
}

#define HOME 63u
#define BUILDERS ((1u << 11) - (1u << 4))
struct Side {
  const u8 *c;
  u32 all, occ, made, blots, stacks, oppMade, oppBlots;
  int bar, count, off, rear, meet, pips;
};
HD u32 below(int i) { return (1u << (i & 31)) - 1; }
HD u32 ahead(u32 made, int i) { return (u32)((u64)made << 12 >> i & 0xfff); }
HD u32 turn(u32 m) { u32 r = 0; for (int i = 0; i < 24; i++) r |= (m >> i & 1) << (23 - i); return r; }
HD float part(int v, int of) { return (float)(v < of ? v : of) * (1.0f / (float)of); }
HD bool several(u32 m) { return m & (m - 1); }

HD void look(Side &s, const u8 *c) {
  s.c = c;
  s.occ = s.made = s.stacks = 0; s.count = s.pips = 0; s.bar = c[24];
  for (int i = 0; i < 24; i++) {
    int n = c[i];
    s.occ |= (u32)(n >= 1) << i; s.made |= (u32)(n >= 2) << i; s.stacks |= (u32)(n >= 3) << i;
    s.count += n; s.pips += (i + 1) * n;
  }
  s.blots = s.occ & ~s.made;
  s.all = s.occ;
  if (s.bar) { s.all |= 1u << 24; if (s.bar > 2) s.stacks |= 1u << 24; }
  s.count += s.bar; s.pips += 25 * s.bar;
  s.off = 15 - s.count > 0 ? 15 - s.count : 0;
  s.rear = LEN(s.all) - 1;
}
HD void face(Side &s, const Side &o) { s.oppMade = turn(o.made); s.oppBlots = turn(o.blots); s.meet = 23 - o.rear; }

HD bool ended(const Side &s) { return s.off > 0 || (s.all & ~HOME) == 0; }
HD bool stuck(const Side &s, const Side &o) {
  if (s.all >> 18 == 0) return false;
  if (s.bar > 0 && POP(o.made & HOME) >= 4) return true;
  u32 m = o.made & below(17) & ~below(o.meet + 1);
  return m & (m >> 1) & (m >> 2) & (m >> 3) & (m >> 4);
}
HD bool attacked(const Side &s, const Side &o) {
  return s.bar > 0 || (s.made >> 18 == 0 && several(s.occ >> 18) && POP(o.made & HOME) >= 3);
}
HD bool crashed(const Side &s) {
  int live = s.count, ace = s.c[0], deuce = s.c[1];
  if (ace > 1) { live -= ace; if (deuce > 1) live -= deuce - 1; }
  else if (deuce > 1) live -= deuce - 1;
  return live <= 6;
}
// The number of the net: 0 to 18 the plans, 19 and 20 crashed on the side of the player on roll and on
// the opponent's alone, 21 no contact.
HD int classOf(const Side &me, const Side &opp) {
  if (me.count == 0 || opp.count == 0 || me.rear + opp.rear <= 22) return 21;
  if (crashed(me)) return 19;
  if (crashed(opp)) return 20;
  u32 mine = me.made >> 18, theirs = opp.made >> 18;
  if (several(mine)) return 0;
  if (several(theirs)) return 1;
  if (ended(me)) return 2;
  if (ended(opp)) return 3;
  if (stuck(opp, me)) return opp.bar ? 6 : 4;
  if (stuck(me, opp)) return me.bar ? 7 : 5;
  if (attacked(opp, me)) return opp.bar ? 8 : 10;
  if (attacked(me, opp)) return me.bar ? 9 : 11;
  if (mine && theirs) return 12;
  if (mine) return mine >= 8 ? 15 : 14;
  if (theirs) return theirs >= 8 ? 17 : 16;
  bool a = me.all >> 18, b = opp.all >> 18;
  return a && b ? 13 : b ? 10 : a ? 11 : 18;
}

HD int from(const Side &s, int start, int *pips) {
  int n = 0, p = 0;
  for (int i = start > 0 ? start : 0; i < 25; i++) { n += s.c[i]; p += (i + 1) * s.c[i]; }
  *pips = p;
  return n;
}
HD u32 reach(const Tables *t, int d, u32 open) {
  if (d < 0 || d >= 25) return 0;
  u32 m = t->combined[d][open & HOME];
  if ((open & t->thirdNeed[d]) == t->thirdNeed[d]) m |= t->third[d];
  if ((open & t->fourthNeed[d]) == t->fourthNeed[d]) m |= t->fourth[d];
  return m;
}
HD int throws(const Tables *t, u32 m) { return 2 * POP(m) - POP(m & t->doubles); }

// computed writes the 37 computed inputs of side s against o, in the order of the rows.
HD void computed(const Tables *t, const Side &s, const Side &o, float *v) {
  const u8 *c = s.c;
  int back = s.bar, backPips = 7 * s.bar, outfield = 0, squares = 625 * s.bar;
  for (int i = 0; i < 24; i++) {
    squares += (i + 1) * (i + 1) * c[i];
    if (i >= 18) { back += c[i]; backPips += (i - 17) * c[i]; }
    else if (i >= 6) outfield += (i - 5) * c[i];
  }
  int homePips = outfield + 12 * back + backPips;
  float lead = (float)(o.pips - s.pips) * (1.0f / 100);
  v[0] = part(s.pips, 167); v[1] = lead < 0 ? 0 : lead > 1 ? 1 : lead;
  int contactPips = 0, free = s.pips, pips = 0;
  if (s.meet < 24) {
    int n = from(s, s.meet + 1, &pips);
    free -= pips; contactPips = pips - n * (s.meet + 1);
  }
  v[2] = part(contactPips, 150); v[3] = part(free, 100); v[4] = part(homePips, 90); v[5] = part(backPips, 30);
  v[6] = (float)s.off * (1.0f / 15); v[7] = (float)(s.rear + 1) * (1.0f / 25); v[8] = (float)LEN(s.made) * (1.0f / 24);
  v[9] = s.made >> 14 ? (float)(10 - LOW(s.made >> 14)) * (1.0f / 10) : 0;
  v[10] = part(back, 6);
  // shots
  u32 hits = 0, twice = 0, seen = 0, seenBar = 0, enter = ~o.made & HOME;
  int loss = 0, targets = 0;
  for (u32 m = s.oppBlots; m;) {
    int b = LEN(m) - 1;
    m &= ~(1u << b);
    u32 away = s.occ >> (b + 1), open = ~(s.oppMade >> (b + 1)), rolls = 0, dice = 0, diceBar = 0;
    if (s.bar == 0) {
      dice = away & HOME; rolls = t->withDice[dice];
      for (u32 far = away & ~1u; far; far &= far - 1) rolls |= reach(t, LOW(far) + 1, open);
    } else {
      int d = 24 - b;
      if (d <= 6) { diceBar = 1u << (d - 1); rolls = t->withDice[diceBar]; }
      dice = diceBar;
      if (s.bar == 1) {
        if (d > 1) rolls |= reach(t, d, open);
        for (u32 near = away & HOME; near; near &= near - 1) rolls |= t->enter[LOW(near) + 1][enter];
        dice |= away & HOME;
      }
    }
    targets += dice != 0;
    twice |= s.bar == 0 ? t->both[seen][dice] : t->both[seenBar][dice] | t->both[seen][diceBar];
    seen |= dice; seenBar |= diceBar;
    loss += throws(t, rolls & ~hits) * (b + 1);
    hits |= rolls;
  }
  float chance = (float)throws(t, hits) * (1.0f / 36);
  v[11] = chance; v[12] = (float)throws(t, twice) * (1.0f / 36); v[13] = part(loss, 36 * 12);
  v[14] = chance * (float)POP(s.made & HOME) * (1.0f / 6); v[15] = part(targets, 4);
  v[16] = v[17] = 0;
  if (s.rear >= 0) { u32 w = ahead(s.oppMade, s.rear); v[16] = (float)t->escapes[w] * (1.0f / 36); v[17] = (float)t->leaps[w] * (1.0f / 36); }
  // the wall
  u32 closed = o.oppMade, closedRear = closed | ~below(o.rear + 1);
  int escape = 36, escapeBar = 36, leap = 36;
  for (int i = 24; i >= 12; i--) {
    u32 w = ahead(o.oppMade, i);
    int e = t->escapes[w];
    if (!(closed >> i & 1) && e < escapeBar) escapeBar = e;
    if (closedRear >> i & 1) continue;
    if (e < escape) escape = e;
    if (t->leaps[w] < leap) leap = t->leaps[w];
  }
  float contain = (float)(36 - escape) * (1.0f / 36), containBar = (float)(36 - escapeBar) * (1.0f / 36);
  v[18] = contain; v[19] = contain * contain; v[20] = containBar; v[21] = containBar * containBar; v[22] = (float)(36 - leap) * (1.0f / 36);
  int mobile = 0;
  for (u32 m = s.all & ~HOME; m; m &= m - 1) { int i = LOW(m); mobile += c[i] * (i - 5) * t->escapes[ahead(s.oppMade, i)]; }
  v[23] = part(mobile, 36 * 60);
  v[24] = 0;
  if (s.count > 0) {
    float mean = (float)s.pips / (float)s.count, spread = ((float)squares / (float)s.count - mean * mean) * (1.0f / 100);
    v[24] = spread < 1 ? spread : 1;
  }
  float shut = (float)POP(o.made & HOME) / 6;
  v[25] = shut * shut; v[26] = s.bar == 0 ? 0 : s.bar == 1 ? shut * shut : shut;
  int timing = outfield, builders = POP(s.blots & BUILDERS), stack = 0;
  for (u32 m = s.stacks; m; m &= m - 1) {
    int i = LOW(m), spare = c[i] - 2;
    timing += spare * (i < 6 ? i : i >= 18 ? i - 5 : 0);
    if (spare > 2) stack += spare - 2;
    if (1u << i & BUILDERS) builders += spare;
  }
  v[27] = part(timing, 100);
  float linked = 0;
  int prev = -1;
  for (u32 m = s.made; m;) {
    int i = LEN(m) - 1;
    m &= ~(1u << i);
    if (prev >= 0) linked += (float)c[prev] * t->link[prev - i];
    prev = i;
  }
  linked *= 1.0f / 15;
  v[28] = linked < 1 ? linked : 1;
  int anchors = POP(s.made >> 18);
  v[29] = anchors >= 2 ? v[10] : 0; v[30] = anchors == 1 ? v[10] : 0;
  u32 wall = s.made & ~below(s.meet + 1);
  int run = 0, best = 0, at = 0;
  u32 x = wall;
  for (int k = 0; k < 6; k++) { run += x != 0; x &= x >> 1; }
  for (int k = 0; k <= 18; k++) { int n = POP(wall >> k & HOME); if (n >= best) { best = n; at = k; } }
  v[31] = part(run, 6);
  v[32] = (float)(best * best) * (1.0f / 36) * part(from(o, 24 - at, &pips), 5);
  v[33] = part(POP(s.blots & HOME & ~below(s.meet + 1)), 3);
  v[34] = part(builders, 8); v[35] = part(c[0] + c[1], 8); v[36] = part(stack, 8);
}
HD float step(float v) { return v + 32768.0f - 32768.0f; } // to whole 1/256

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
HD void do_sparse(u64 t, const u8 *boards, feat_t *out) { // 42 groups a position, the last partly computed ones
  feat_t o[8];
  sparse8(boards + t / 42 * STRIDE, (int)(t % 42), o);
  for (int k = 0; k < 8; k++) out[t / 42 * WIDE + t % 42 * 8 + k] = o[k];
}
HD void do_computed(u64 t, const void *tables, const u8 *boards, feat_t *out) { // after sparse
  Side me, opp;
  float v[37];
  look(me, boards + t / 2 * STRIDE); look(opp, boards + t / 2 * STRIDE + OPP);
  face(me, opp); face(opp, me);
  feat_t *o = out + t / 2 * WIDE;
  if (t % 2) computed((const Tables *)tables, opp, me, v);
  else { computed((const Tables *)tables, me, opp, v); for (int k = MINE; k < WIDE; k++) o[k] = F(0); }
  for (int k = 0; k < 37; k++) o[330 + t % 2 * 37 + k] = F(step(v[k]));
}
HD void do_class_of(u64 t, const u8 *boards, u8 *out) {
  Side me, opp;
  look(me, boards + t * STRIDE); look(opp, boards + t * STRIDE + OPP);
  face(me, opp); face(opp, me);
  out[t] = (u8)classOf(me, opp);
}
HD void do_square(u64 t, feat_t *x) { // the units of the program's nets
#ifdef __CUDA_ARCH__
  float v = __half2float(x[t]);
#else
  float v = x[t];
#endif
  v = v < 0 ? 0 : v > 1 ? 1 : v;
  x[t] = F(v * v);
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
DEFINE(sparse, (const u8 *a, feat_t *b), (t, a, b), (a, b))
DEFINE(computed, (const void *a, const u8 *b, feat_t *c), (t, a, b, c), (a, b, c))
DEFINE(class_of, (const u8 *a, u8 *b), (t, a, b), (a, b))
DEFINE(square, (feat_t *a), (t, a), (a))
// size of the tables; they are written where there is room for them, on the host
extern "C" int bg_tables(void *room) { if (room) makeTables((Tables *)room); return (int)sizeof(Tables); }
DEFINE(reduce, (const long long *a, const float *b, int c, const u8 *d, long long *e, float *f), (t, a, b, c, d, e, f), (a, b, c, d, e, f))
DEFINE(play, (const int *a, const float *b, const long long *c, const float *d, int e, const u8 *f, u64 g, float h, long long *i, long long *j), (t, a, b, c, d, e, f, g, h, i, j), (a, b, c, d, e, f, g, h, i, j))
DEFINE(chances_of, (const float *a, int b, const u8 *c, float *d), (t, a, b, c, d), (a, b, c, d))
DEFINE(info, (const u8 *a, u8 *b), (t, a, b), (a, b))

#if defined(PLAYS_MAIN) && !defined(__CUDACC__)
#include <stdio.h>
#include <vector>
// For each board of the standard input: its class, its 74 computed inputs in steps as uint16, and
// for each roll the number of plays and the positions after them.
int main() {
  static Tables tables;
  makeTables(&tables);
  u8 b[STRIDE];
  while (fread(b, STRIDE, 1, stdin) == 1) {
    u8 what;
    std::vector<feat_t> in(WIDE);
    do_class_of(0, b, &what);
    for (int t = 0; t < 42; t++) do_sparse(t, b, in.data());
    for (int t = 0; t < 2; t++) do_computed(t, &tables, b, in.data());
    fwrite(&what, 1, 1, stdout);
    for (int k = 330; k < MINE; k++) { uint16_t v = (uint16_t)(in[k] * 256 + 0.5f); fwrite(&v, 2, 1, stdout); }
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
