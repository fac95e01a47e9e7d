//go:build unix

package bearoff

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"fibsbot/engine/board"
)

// sconyersForger writes a sparse file of the length of Sconyers', with entries that prove it:
// exact ones where both sides have at most 6 checkers, else ones made of the one-sided
// database.
type sconyersForger struct {
	t       *testing.T
	number  int
	path    string
	file    *os.File
	entries map[pair]Equities
	// write is what becomes of an entry in the file, for files that are wrong.
	write func(p pair, e Equities) []byte
}

func forgeSconyers(t *testing.T, dir string, number int) *sconyersForger {
	t.Helper()
	needsStandard(t)
	rows := int64(1250)
	if number == 44 {
		rows = 513
	}
	s := &sconyersForger{t: t, number: number, path: filepath.Join(dir, fmt.Sprintf("bg15_%d.dat", number)),
		entries: map[pair]Equities{}, write: func(_ pair, e Equities) []byte { return sconyersBytesOf(e) }}
	f, err := os.Create(s.path)
	if err != nil {
		t.Fatal(err)
	}
	s.file = f
	t.Cleanup(func() { f.Close() })
	if err := f.Truncate(rows * 54263 * 16); err != nil {
		t.Skipf("skipped: no file of a gigabyte with a hole: %v", err)
	}
	st, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if sys, ok := st.Sys().(*syscall.Stat_t); !ok || sys.Blocks > 2048 {
		os.Remove(s.path)
		t.Skip("skipped: the file system has no sparse files")
	}
	return s
}

func sconyersBytesOf(e Equities) (b []byte) {
	for _, v := range [4]float64{e.Cubeless, e.Owned, e.Centred, e.OppOwned} {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
	}
	return b
}

func (s *sconyersForger) set(p pair, e Equities) {
	s.t.Helper()
	row := int64(p.us) - 1 - 1250*int64(s.number-1)
	if _, err := s.file.WriteAt(s.write(p, e), 16*(54263*row+int64(p.them)-1)); err != nil {
		s.t.Fatal(err)
	}
	s.entries[p] = e
}

// like is an entry that can be believed.
func (s *sconyersForger) like(p pair) Equities {
	if p.us < 924 && p.them < 924 {
		raw, _ := home6().Raw(p.us, p.them)
		return equitiesOf(raw)
	}
	a, _ := home15().entry(p.us)
	b, _ := home15().entry(p.them)
	v := 2*noLater(a.off, b.off, 0) - 1
	return Equities{v, v, v, v}
}

// value is the entry of a pair, which is written if it was not.
func (s *sconyersForger) value(p pair) Equities {
	if e, ok := s.entries[p]; ok {
		return e
	}
	s.set(p, s.like(p))
	return s.entries[p]
}

// derive writes a pair as it follows from others.
func (s *sconyersForger) derive(p pair) {
	e, _ := lookAhead(p.us, p.them, 6, func(me, opp uint32) (Equities, bool) {
		if opp == 0 {
			return Equities{-1, -1, -1, -1}, true
		}
		return s.value(pair{me, opp}), true
	})
	s.set(p, e)
}

// prove writes what the file is proved by.
func (s *sconyersForger) prove() {
	exact, near, derived := (&sconyers{number: s.number}).proofs()
	for _, p := range slices.Concat(exact, near) {
		s.value(p)
	}
	pips := func(p pair) int {
		a, b := Placement(p.us, 6), Placement(p.them, 6)
		return a.Pips() + b.Pips()
	}
	slices.SortFunc(derived, func(a, b pair) int { return pips(a) - pips(b) })
	for _, p := range derived {
		s.derive(p)
	}
}

// sconyersSource opens a folder with the small databases at hand, and returns what it warned of.
func sconyersSource(t *testing.T, dir string) (*Source, *[]string) {
	t.Helper()
	cache := t.TempDir()
	if err := errors.Join(home6().Save(filepath.Join(cache, FileName(KindTwoSided, 6, 6))),
		home15().Save(filepath.Join(cache, FileName(KindOneSided, 6, 15)))); err != nil {
		t.Fatal(err)
	}
	warned := new([]string)
	s := NewSource(Options{Dir: dir, Cache: cache, Warn: func(text string) { *warned = append(*warned, text) }})
	t.Cleanup(func() { s.Close() })
	return s, warned
}

func positionOf(p pair) board.Position {
	return board.Position{Me: Placement(p.us, 6), Opp: Placement(p.them, 6)}
}

// known reports whether the source has exact equities of the pair.
func known(s *Source, p pair) bool {
	pos := positionOf(p)
	_, ok := s.Equities(&pos)
	_, exact, _ := s.Lookup(&pos)
	if ok != exact {
		panic(fmt.Sprintf("pair %v: equities %v, chances %v", p, ok, exact))
	}
	return ok
}

// TestSource_sconyers: every pair is answered by its own entry, at both ends of a file and of
// a row, and what is in no file, or may end in a gammon, by none.
func TestSource_sconyers(t *testing.T) {
	dir := t.TempDir()
	pairs := []pair{
		{1250, 1250}, {1250, 1251}, {1251, 1250}, {1251, 1251}, {1251, 924}, {924, 1249}, {2500, 2501}, {1250, 1},
		{38751, 38700}, {38759, 38759}, {38759, 38758},
	}
	asked := map[pair]Equities{}
	for _, n := range []int{1, 2, 32} {
		f := forgeSconyers(t, dir, n)
		f.prove()
		for i, p := range pairs {
			if int(p.us-1)/1250+1 != n {
				continue
			}
			e := f.like(p)
			e.Cubeless += 0.0003 * float64(i+1) * -e.Cubeless
			e.Owned, e.Centred, e.OppOwned = min(e.Cubeless+0.05, 1), min(e.Cubeless+0.02, 1), max(e.Cubeless-0.04, -1)
			f.set(p, e)
			asked[p] = e
		}
		// 15 checkers are never asked for, whatever the file has.
		if n == 32 {
			f.set(pair{38760, 100}, f.like(pair{38760, 100}))
		} else {
			p := pair{uint32(1250 * n), 38760}
			f.set(p, f.like(p))
		}
	}
	s, warned := sconyersSource(t, dir)
	for p, want := range asked {
		pos := positionOf(p)
		got, ok := s.Equities(&pos)
		if !ok || got.Cubeless-want.Cubeless > 1e-6 || want.Cubeless-got.Cubeless > 1e-6 || got.Owned-want.Owned > 1e-6 || want.Owned-got.Owned > 1e-6 ||
			got.Centred-want.Centred > 1e-6 || want.Centred-got.Centred > 1e-6 || got.OppOwned-want.OppOwned > 1e-6 || want.OppOwned-got.OppOwned > 1e-6 {
			t.Errorf("pair %v: %+v %v, written %+v", p, got, ok, want)
		}
		pr, exact, ok := s.Lookup(&pos)
		if d := float64(pr[0]) - (want.Cubeless+1)/2; !ok || !exact || d > 1e-6 || d < -1e-6 || pr[1] != 0 || pr[2] != 0 || pr[3] != 0 || pr[4] != 0 {
			t.Errorf("pair %v: %v, exact %v, written %+v", p, pr, exact, want)
		}
	}
	for _, p := range []pair{{38760, 100}, {1250, 38760}, {2500, 38760}, {2501, 1250}, {36251, 1250}} {
		if known(s, p) {
			t.Errorf("pair %v is answered", p)
		}
	}
	if !known(s, pair{923, 923}) || len(*warned) > 0 || len(s.Unused()) > 0 {
		t.Errorf("warned of %q", *warned)
	}
}

// TestSource_sconyersRefused: another file of that name gives one warning and is not used.
func TestSource_sconyersRefused(t *testing.T) {
	p := pair{1000, 1100}
	for name, spoil := range map[string]func(f *sconyersForger){
		"zeros":          func(f *sconyersForger) { f.write = func(pair, Equities) []byte { return make([]byte, 16) } },
		"another endian": func(f *sconyersForger) { f.write = func(_ pair, e Equities) []byte { return bigEndian(e) } },
		"sides exchanged": func(f *sconyersForger) {
			f.write = func(p pair, _ Equities) []byte { return sconyersBytesOf(f.like(pair{p.them, p.us})) }
		},
		"pairs one behind": func(f *sconyersForger) {
			f.write = func(p pair, _ Equities) []byte { return sconyersBytesOf(f.like(pair{p.us + 1, p.them})) }
		},
		"cubes exchanged": func(f *sconyersForger) {
			f.write = func(_ pair, e Equities) []byte {
				return sconyersBytesOf(Equities{e.Cubeless, e.OppOwned, e.Centred, e.Owned})
			}
		},
		"the right to double counted": func(f *sconyersForger) {
			f.write = func(_ pair, e Equities) []byte {
				return sconyersBytesOf(Equities{e.Cubeless, e.OwnedBest(), e.CentredBest(), e.OppOwned})
			}
		},
		"chances instead of equities": func(f *sconyersForger) {
			f.write = func(_ pair, e Equities) []byte {
				return sconyersBytesOf(Equities{(e.Cubeless + 1) / 2, (e.Owned + 1) / 2, (e.Centred + 1) / 2, (e.OppOwned + 1) / 2})
			}
		},
	} {
		dir := t.TempDir()
		f := forgeSconyers(t, dir, 1)
		spoil(f)
		f.prove()
		f.set(p, f.like(p))
		s, warned := sconyersSource(t, dir)
		if known(s, p) || len(*warned) != 1 || len(s.Unused()) != 1 || !strings.Contains((*warned)[0], f.path) || strings.Contains((*warned)[0], "\n") {
			t.Errorf("%s: known %v, warned %q", name, known(s, p), *warned)
		}
	}
}

func bigEndian(e Equities) []byte {
	b := sconyersBytesOf(e)
	for i := 0; i < len(b); i += 4 {
		slices.Reverse(b[i : i+4])
	}
	return b
}

// TestSource_sconyersDerived: files that the exact database reaches nothing of are proved by
// what follows from their own entries.
func TestSource_sconyersDerived(t *testing.T) {
	for name, c := range map[string]struct {
		change float64
		sound  bool
	}{"sound": {0, true}, "owned cubes worth too much": {0.05, false}} {
		dir := t.TempDir()
		f := forgeSconyers(t, dir, 7)
		f.prove()
		_, _, derived := (&sconyers{number: 7}).proofs()
		e := f.entries[derived[1]]
		e.Owned += c.change
		f.set(derived[1], e)
		if _, warned := sconyersSource(t, dir); (len(*warned) == 0) != c.sound {
			t.Errorf("%s: warned of %q", name, *warned)
		}
	}
}

// TestSource_sconyersWrongSize: files too short or too long give one warning each; a
// whole one beside them is used.
func TestSource_sconyersWrongSize(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for n, off := range map[int]int64{1: 0, 2: 1, 3: -16, 43: 16, 44: -1, 33: 0} {
		f := forgeSconyers(t, dir, n)
		if n == 1 {
			f.prove()
			f.value(pair{1250, 1250})
		}
		if off != 0 {
			paths = append(paths, f.path)
			if err := f.file.Truncate(sconyersBytes(n) + off); err != nil {
				t.Fatal(err)
			}
		}
	}
	twice := filepath.Join(dir, "BG15_1.DAT")
	if err := os.Link(filepath.Join(dir, "bg15_1.dat"), twice); err == nil {
		paths = append(paths, twice) // both are named
	}
	s, warned := sconyersSource(t, dir)
	if len(*warned) != len(paths) || !known(s, pair{1250, 1250}) {
		t.Errorf("warned of %q", *warned)
	}
	for _, path := range paths {
		if !slices.ContainsFunc(*warned, func(text string) bool { return strings.Contains(text, path) }) {
			t.Errorf("no warning about %s: %q", path, *warned)
		}
	}
}

// TestSource_sconyersUnbelieved: single impossible entries are skipped, and the file is
// reported once.
func TestSource_sconyersUnbelieved(t *testing.T) {
	dir := t.TempDir()
	f := forgeSconyers(t, dir, 1)
	f.prove()
	good := pair{1249, 1200}
	f.set(good, f.like(good))
	nan, inf := math.NaN(), math.Inf(1)
	bad := map[string]func(e *Equities){
		"no number":                 func(e *Equities) { e.Cubeless = nan },
		"own cube no number":        func(e *Equities) { e.Owned = nan },
		"centred cube no number":    func(e *Equities) { e.Centred = nan },
		"opponent's cube no number": func(e *Equities) { e.OppOwned = nan },
		"infinite":                  func(e *Equities) { *e = Equities{inf, inf, inf, inf} },
		"own cube infinite":         func(e *Equities) { e.Owned = inf },
		"above a point":             func(e *Equities) { e.Owned = 1.001 },
		"below a point":             func(e *Equities) { e.OppOwned = -1.001 },
		"own cube costs":            func(e *Equities) { e.Owned -= 0.01 },
		"opponent's cube pays":      func(e *Equities) { e.OppOwned += 0.01 },
		"centred above the own":     func(e *Equities) { e.Centred += 0.01 },
		"centred below the other":   func(e *Equities) { e.Centred -= 0.01 },
		"hole":                      func(e *Equities) { *e = Equities{} },
		"another race":              func(e *Equities) { v := e.Cubeless + 0.07; *e = Equities{v, v, v, v} },
	}
	// Nearly even pairs, where zeros are near what the one-sided database says.
	pairs := map[string]pair{}
	us := uint32(1100)
	for name, spoil := range bad {
		p := pair{us, 924}
		for v := f.like(p).Cubeless; v > 0.02 || v < -0.02; v = f.like(p).Cubeless {
			if p.them++; p.them == 1500 {
				p = pair{p.us + 1, 924}
			}
		}
		e := f.like(p)
		spoil(&e)
		f.set(p, e)
		pairs[name], us = p, p.us+1
	}
	s, warned := sconyersSource(t, dir)
	if len(*warned) > 0 || !known(s, good) {
		t.Fatalf("warned of %q", *warned)
	}
	for name, p := range pairs {
		pos := positionOf(p)
		if _, exact, ok := s.Lookup(&pos); known(s, p) || exact || !ok {
			t.Errorf("%s is believed, or the pair unknown", name)
		}
	}
	if len(*warned) != 1 || len(s.Unused()) != 1 || !strings.Contains((*warned)[0], f.path) || !known(s, good) {
		t.Errorf("warned of %q", *warned)
	}
	if err := f.file.Truncate(1 << 20); err != nil {
		t.Fatal(err)
	}
	if known(s, good) {
		t.Error("an entry behind the end is answered")
	}
}

// TestVerify_sconyers: what `fibsbot bearoff info` and `verify` print about such files.
func TestVerify_sconyers(t *testing.T) {
	dir := t.TempDir()
	f := forgeSconyers(t, dir, 2)
	f.prove()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	info, err := ReadInfo(f.path)
	if want := (Info{Kind: KindTwoSided, Points: 6, Checkers: 15, Bytes: 1250 * 54263 * 16, Path: f.path, Part: 2}); err != nil || info != want {
		t.Errorf("%+v, %v", info, err)
	}
	if err := Verify(context.Background(), f.path, 3, 1, nil); !errors.Is(err, ErrDamaged) {
		t.Errorf("a file with holes: %v", err)
	}
	r := rand.New(rand.NewPCG(1, 0x62656172)) // as Verify draws
	for range 3 {
		p := pair{1251 + r.Uint32N(1250), 1 + r.Uint32N(38759)}
		f.value(p)
		p.them = 1251 + r.Uint32N(1250)
		f.derive(p)
	}
	if err := Verify(context.Background(), f.path, 3, 1, nil); err != nil {
		t.Error(err)
	}
	last := forgeSconyers(t, dir, 44)
	if info, err := ReadInfo(last.path); err != nil || info.Part != 44 {
		t.Errorf("%+v, %v", info, err)
	}
	if err := Verify(context.Background(), last.path, 3, 1, nil); !errors.Is(err, ErrForeign) {
		t.Errorf("15 checkers alone: %v", err)
	}
}
