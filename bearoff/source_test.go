package bearoff

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/internal/reference"
	"fibsbot/internal/testsize"

	"pgregory.net/rapid"
)

// needsStandard skips tests of the standard databases where building them takes
// too long; smaller builds of the same code stay in.
func needsStandard(t *testing.T) {
	t.Helper()
	testsize.Large(t)
}

// shared is one source for all tests that only ask.
var shared = sync.OnceValue(func() *Source {
	s := NewSource(Options{NoCache: true})
	s.Warm()
	return s
})

func TestLookup_agreesWithGnubg(t *testing.T) {
	needsStandard(t)
	in := reference.Lines(t, "reference/eval.jsonl")
	s := shared()
	n, worst := 0, 0.0
	for in.Scan() {
		var r struct {
			ID, Cls string
			P0      [5]float64
		}
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		p, err := board.ParseID(r.ID)
		if err != nil {
			t.Fatal(err)
		}
		pr, exact, ok := s.Lookup(&p)
		if inside := strings.HasPrefix(r.Cls, "bearoff"); ok != inside || exact != (r.Cls == "bearoff2") {
			t.Errorf("%s, class %s: found %v, exact %v", r.ID, r.Cls, ok, exact)
			continue
		}
		if !ok {
			continue
		}
		n++
		for i := range pr {
			d := math.Abs(float64(pr[i]) - r.P0[i])
			worst = max(worst, d)
			if d > 0.0002 {
				t.Errorf("%s: chance %d is %.6f, gnubg %.6f", r.ID, i, pr[i], r.P0[i])
			}
		}
	}
	t.Logf("%d positions, largest difference %.6f", n, worst)
	if n < 400 {
		t.Errorf("only %d positions of eval.jsonl were in the databases", n)
	}
}

// The manual's one-sided example.
func TestLookup_manualExample(t *testing.T) {
	p, err := board.ParseID("2x0AAOi2AQAAAA")
	if err != nil {
		t.Fatal(err)
	}
	off, _, ok := home15().Rolls(&p.Me)
	if !ok {
		t.Fatal("not in the database")
	}
	for i, want := range []float64{0, 0, 0, 1.916, 18.749, 44.270, 32.998, 2.030, 0.037} {
		if math.Abs(100*off.At(i)-want) > 0.002 {
			t.Errorf("%d rolls: %.3f %%, want %.3f %%", i, 100*off.At(i), want)
		}
	}
	c, ok := home15().Race(&p)
	if !ok || math.Abs(c.Win-0.56696) > 0.0001 {
		t.Errorf("win %.5f, want 0.56696", c.Win)
	}
}

func TestMeanRolls_recomputedValues(t *testing.T) {
	for _, c := range []struct {
		pos  [6]uint8
		want float64
	}{
		{[6]uint8{2, 1}, 1.83333},
		{[6]uint8{5}, 2.69444},
		{[6]uint8{5, 4}, 4.41013},
		{[6]uint8{}, 0},
	} {
		p := placed(c.pos)
		got, ok := home15().MeanRolls(&p)
		if !ok || math.Abs(got-c.want) > 0.00001 {
			t.Errorf("%v: %.5f rolls, want %.5f", c.pos, got, c.want)
		}
	}
}

// anyHome draws a placement of at most n checkers on the lowest points.
func anyHome(t *rapid.T, label string, points, n int) (c board.Checkers) {
	for range rapid.IntRange(1, n).Draw(t, label) {
		c[rapid.IntRange(0, points-1).Draw(t, label)]++
	}
	return c
}

func TestIndex_placementIsItsInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := rapid.IntRange(1, MaxPoints).Draw(t, "points")
		c := anyHome(t, "checkers", points, MaxCheckers)
		idx := Index(&c, points)
		if uint64(idx) >= Size(points, MaxCheckers) {
			t.Fatalf("index %d of %v is beyond the end", idx, c)
		}
		if got := Placement(idx, points); got != c {
			t.Fatalf("Placement(Index(%v)) = %v", c, got)
		}
		if points == 6 && indexHome(&c) != idx {
			t.Fatalf("indexHome(%v) = %d, Index %d", c, indexHome(&c), idx)
		}
	})
}

func TestLookup_chancesAreInOrder(t *testing.T) {
	needsStandard(t)
	s := shared()
	rapid.Check(t, func(t *rapid.T) {
		p := board.Position{Me: anyHome(t, "me", 6, 15), Opp: anyHome(t, "opp", 6, 15)}
		pr, _, ok := s.Lookup(&p)
		if !ok {
			t.Fatalf("%v is not found", p)
		}
		w, wg, lg := pr[eval.Win], pr[eval.WinGammon], pr[eval.LoseGammon]
		if w < 0 || w > 1 || wg < 0 || wg > w || lg < 0 || lg > 1-w || pr[eval.WinBackgammon] != 0 || pr[eval.LoseBackgammon] != 0 {
			t.Fatalf("%v: %v", p, pr)
		}
		if wg > 0 && p.Opp.Count() < 15 || lg > 0 && p.Me.Count() < 15 {
			t.Fatalf("%v: a gammon against a side with a checker off: %v", p, pr)
		}
	})
}

func TestLookup_outside(t *testing.T) {
	needsStandard(t)
	s := shared()
	over := board.Position{}
	over.Opp[3] = 2
	for name, p := range map[string]board.Position{
		"start": board.Start, "over": over, "empty": {},
		"too many":   {Me: board.Checkers{0: 16}, Opp: board.Checkers{0: 1}},
		"on the bar": {Me: board.Checkers{24: 1}, Opp: board.Checkers{0: 1}},
	} {
		if pr, _, ok := s.Lookup(&p); ok {
			t.Errorf("%s: found %v", name, pr)
		}
		if _, _, _, ok := s.Cubeful(&p); ok {
			t.Errorf("%s: cubeful equities found", name)
		}
	}
}

func TestSource_cacheIsUsedAndNeverTrusted(t *testing.T) {
	needsStandard(t)
	dir := t.TempDir()
	p := board.Position{Me: placed([6]uint8{0, 1, 0, 0, 1}), Opp: placed([6]uint8{0, 1, 1})}
	q := board.Position{Me: placed([6]uint8{3, 3, 3, 3, 0, 3}), Opp: placed([6]uint8{3, 3, 3, 3, 0, 3})}
	ask := func() (warned []string) {
		s := NewSource(Options{Cache: dir, Warn: func(text string) { warned = append(warned, text) }})
		defer s.Close()
		a, exact, ok := s.Lookup(&p)
		if !ok || !exact || math.Abs(float64(a[0])-0.671125) > 0.00002 {
			t.Errorf("two-sided: %v %v %v", a, exact, ok)
		}
		b, exact, ok := s.Lookup(&q)
		if !ok || exact || b[0] < 0.5 || b[0] > 0.8 {
			t.Errorf("one-sided: %v %v %v", b, exact, ok)
		}
		return warned
	}
	if w := ask(); len(w) > 0 {
		t.Fatalf("first use warns: %q", w)
	}
	one := filepath.Join(dir, FileName(KindOneSided, 6, 15))
	two := filepath.Join(dir, FileName(KindTwoSided, 6, 6))
	before, err := os.Stat(one)
	if err != nil {
		t.Fatal(err)
	}
	if w := ask(); len(w) > 0 {
		t.Fatalf("second use warns: %q", w)
	}
	if after, err := os.Stat(one); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("the cached file was not used: %v", err)
	}
	good, err := os.ReadFile(one)
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(path string) error{
		"a flipped bit": func(path string) error {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			b[len(b)/2] ^= 4
			return os.WriteFile(path, b, 0o644)
		},
		"cut short": func(path string) error { return os.Truncate(path, 1000) },
		"empty":     func(path string) error { return os.Truncate(path, 0) },
		"foreign":   func(path string) error { return os.WriteFile(path, []byte(strings.Repeat("gnubg", 1000)), 0o644) },
		"the other kind": func(path string) error {
			other := one
			if path == one {
				other = two
			}
			b, err := os.ReadFile(other)
			if err != nil {
				return err
			}
			return os.WriteFile(path, b, 0o644)
		},
	} {
		for _, path := range []string{one, two} {
			if err := spoil(path); err != nil {
				t.Fatal(err)
			}
			if w := ask(); len(w) != 1 || !strings.Contains(w[0], filepath.Base(path)) {
				t.Errorf("%s, %s: warnings %q", filepath.Base(path), name, w)
			}
		}
	}
	if again, err := os.ReadFile(one); err != nil || string(again) != string(good) {
		t.Errorf("the rebuilt database differs: %v", err)
	}
}

func TestSource_biggerDatabasesOfAFolder(t *testing.T) {
	dir := t.TempDir()
	for _, o := range []BuildOptions{
		{Kind: KindOneSided, Points: 8, Checkers: 4, Path: filepath.Join(dir, "one-4x8.bearoff")},
		{Kind: KindTwoSided, Points: 6, Checkers: 7, Path: filepath.Join(dir, "two-7x6.bearoff")},
	} {
		if o.Checkers == 7 && testsize.Brief() {
			o.Points, o.Checkers = 6, 4
		}
		if _, err := Build(context.Background(), o); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "junk.bearoff"), []byte("junk"), 0o644); err != nil {
		t.Fatal(err)
	}
	var warned []string
	s := NewSource(Options{Cache: t.TempDir(), Dir: dir, Warn: func(text string) { warned = append(warned, text) }})
	defer s.Close()
	if len(warned) != 1 || !strings.Contains(warned[0], "junk") {
		t.Errorf("warnings: %q", warned)
	}
	p := board.Position{Me: board.Checkers{7: 2, 1: 1}, Opp: board.Checkers{6: 3}}
	if pr, exact, ok := s.Lookup(&p); !ok || exact || pr[0] < 0.5 || pr[0] > 0.95 {
		t.Errorf("race on 8 points: %v %v %v", pr, exact, ok)
	}
	if testsize.Brief() {
		return
	}
	p = board.Position{Me: placed([6]uint8{1, 1, 1, 1, 1, 2}), Opp: placed([6]uint8{1, 1, 1, 1, 1, 2})}
	if pr, exact, ok := s.Lookup(&p); !ok || !exact || pr[0] < 0.6 || pr[0] > 0.8 {
		t.Errorf("7 checkers each: %v %v %v", pr, exact, ok)
	}
	if own, mid, opp, ok := s.Cubeful(&p); !ok || own < mid || mid < opp {
		t.Errorf("7 checkers each: cubeful %v %v %v %v", own, mid, opp, ok)
	}
}

func TestOpen_refusesWhatItCannotRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.bearoff")
	if _, err := Build(context.Background(), BuildOptions{Kind: KindOneSided, Points: 4, Checkers: 15, Path: path}); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		edit func(b []byte) []byte
		want error
	}{
		{"whole", func(b []byte) []byte { return b }, nil},
		{"empty", func([]byte) []byte { return nil }, ErrForeign},
		{"short", func(b []byte) []byte { return b[:100] }, ErrForeign},
		{"cut", func(b []byte) []byte { return b[:len(b)-1] }, ErrDamaged},
		{"longer", func(b []byte) []byte { return append(b, 0) }, ErrDamaged},
		{"newer version", func(b []byte) []byte { b[16] = fileVersion + 1; return b }, ErrForeign},
		{"version of another kind", func(b []byte) []byte { b[16]++; return b }, ErrDamaged},
		{"other points", func(b []byte) []byte { b[24]++; return b }, ErrDamaged},
		{"checksum table", func(b []byte) []byte { b[len(b)-1]++; return b }, ErrDamaged},
		{"no magic", func(b []byte) []byte { b[0]++; return b }, ErrForeign},
	} {
		if err := os.WriteFile(path, c.edit(append([]byte(nil), good...)), 0o644); err != nil {
			t.Fatal(err)
		}
		o, err := OpenOneSided(path)
		if !errors.Is(err, c.want) || c.want == nil && err != nil {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if err == nil {
			o.Close()
		} else if strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: not one line that names the file: %v", c.name, err)
		}
	}
}

func FuzzHeader(f *testing.F) {
	h := header{Info: Info{Kind: KindOneSided, Points: 6, Checkers: 15}, sections: [][2]int64{{512, 100}}, table: 612}
	h.Bytes = 616
	f.Add(h.encode(), int64(616))
	f.Add([]byte(fileMagic), int64(16))
	f.Fuzz(func(t *testing.T, b []byte, length int64) {
		var h header
		if err := h.decode(b, length); err != nil {
			if !errors.Is(err, ErrForeign) && !errors.Is(err, ErrDamaged) {
				t.Fatalf("error without a kind: %v", err)
			}
			return
		}
		for _, s := range h.sections {
			if s[0] < headerSize || s[0]+s[1] > h.table || h.table > length {
				t.Fatalf("section %v outside a file of %d bytes", s, length)
			}
		}
	})
}

// A file that is not mapped gives the same values block by block.
func TestPayload_readsWithoutMapping(t *testing.T) {
	needsStandard(t)
	path := filepath.Join(t.TempDir(), "two.bearoff")
	if err := home6().Save(path); err != nil {
		t.Fatal(err)
	}
	h, parts, closer, err := openFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer closer()
	parts[0].p.data = nil
	db := &TwoSided{extent: extent{points: h.Points, checkers: h.Checkers}, n: 924, table: parts[0]}
	for k := uint32(0); k < 924*924; k += 97 {
		want, _ := home6().Raw(k/924, k%924)
		if got, ok := db.Raw(k/924, k%924); !ok || got != want {
			t.Fatalf("pair %d: %v %v, want %v", k, got, ok, want)
		}
	}
}

func TestVerify_findsADamagedEntry(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	for _, c := range []struct {
		kind             Kind
		points, checkers int
	}{{KindOneSided, 6, 15}, {KindOneSided, 9, 5}, {KindNormal, 6, 15}, {KindTwoSided, 6, 4}, {KindHyper, 25, 1}} {
		path := filepath.Join(dir, FileName(c.kind, c.points, c.checkers))
		if _, err := Build(ctx, BuildOptions{Kind: c.kind, Points: c.points, Checkers: c.checkers, Path: path}); err != nil {
			t.Fatal(err)
		}
		if err := Verify(ctx, path, 300, 1, nil); err != nil {
			t.Errorf("sound database: %v", err)
		}
		// Wrong numbers under right checksums: only derivation can find them.
		h, parts, closer, err := openFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var sections [][][]byte
		for i, s := range parts {
			b := append([]byte(nil), s.at(0, int(s.size))...)
			if i == 0 {
				for k := range b {
					if k%recordSize >= 12 || c.kind != KindOneSided {
						b[k] ^= 0x20
					}
				}
			}
			sections = append(sections, [][]byte{b})
		}
		closer()
		if err := writeFile(path, h.Info, sections...); err != nil {
			t.Fatal(err)
		}
		if err := Verify(ctx, path, 300, 1, nil); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s with wrong numbers: %v", filepath.Base(path), err)
		}
	}
}

func TestBuild_resumesToTheSameFile(t *testing.T) {
	testsize.Medium(t)
	for _, c := range []BuildOptions{
		{Kind: KindOneSided, Points: 5, Checkers: 15},
		{Kind: KindNormal, Points: 5, Checkers: 15},
		{Kind: KindTwoSided, Points: 6, Checkers: 3},
		{Kind: KindHyper, Checkers: 1},
	} {
		dir := t.TempDir()
		c.every = 1 // a checkpoint at every layer
		c.Memory = 1 << 20
		c.Path = filepath.Join(dir, "whole.bearoff")
		whole, err := Build(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		c.Path = filepath.Join(dir, "parts.bearoff")
		stops, resumed := 0, 0
		c.Note = func(text string) {
			if strings.HasPrefix(text, "resuming") {
				resumed++
			}
		}
		for {
			ctx, cancel := context.WithCancel(context.Background())
			calls := 0
			c.Threads = 1 + stops%2
			c.Progress = func(done, total uint64) {
				if calls++; calls == 20 {
					cancel()
				}
			}
			info, err := Build(ctx, c)
			cancel()
			if err == nil {
				if info.SHA256 != whole.SHA256 {
					t.Errorf("%v: interrupted %d times, another file", c.Kind, stops)
				}
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if stops++; stops > 200 {
				t.Fatal("no end in sight")
			}
		}
		if stops == 0 || resumed != stops {
			t.Errorf("%v: stopped %d times, resumed %d times", c.Kind, stops, resumed)
		}
		if left, err := filepath.Glob(filepath.Join(dir, "*.part")); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v %v", left, err)
		}
	}
}

func TestBuild_refusesImpossibleShapes(t *testing.T) {
	for _, o := range []BuildOptions{
		{Kind: KindOneSided, Points: 0, Checkers: 15}, {Kind: KindOneSided, Points: 19, Checkers: 15},
		{Kind: KindOneSided, Points: 6, Checkers: 16}, {Kind: KindTwoSided, Points: 7, Checkers: 3},
		{Kind: KindTwoSided, Points: 6, Checkers: 0}, {Kind: KindHyper, Checkers: 4}, {Kind: 9, Points: 6, Checkers: 6},
	} {
		o.Path = filepath.Join(t.TempDir(), "x")
		if _, err := Build(context.Background(), o); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: error %v", o, err)
		}
	}
}

func BenchmarkLookup(b *testing.B) {
	s := shared()
	for name, p := range map[string]board.Position{
		"one-sided": {Me: placed([6]uint8{3, 2, 3, 2, 2, 3}), Opp: placed([6]uint8{2, 2, 2, 3, 3, 3})},
		"two-sided": {Me: placed([6]uint8{1, 1, 1, 0, 2, 1}), Opp: placed([6]uint8{2, 0, 2, 0, 1, 1})},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.Lookup(&p)
			}
		})
	}
}

// A database of fifteen checkers counts a gammon as one point: it is not asked while
// a side has them all.
func TestSource_gammonsAreNoTwoSidedDatabasesAffair(t *testing.T) {
	db, err := BuildTwoSided(context.Background(), 2, MaxCheckers, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := db.Save(filepath.Join(dir, FileName(KindTwoSided, 2, MaxCheckers))); err != nil {
		t.Fatal(err)
	}
	s := NewSource(Options{Dir: dir, NoCache: true, Warn: func(text string) { t.Error(text) }})
	defer s.Close()
	for _, tt := range []struct {
		me, opp board.Checkers
		known   bool
	}{
		{board.Checkers{7, 7}, board.Checkers{7, 7}, true},
		{board.Checkers{7, 8}, board.Checkers{1}, false},
		{board.Checkers{1}, board.Checkers{7, 8}, false},
	} {
		p := board.Position{Me: tt.me, Opp: tt.opp}
		if e, ok := s.Equities(&p); ok != tt.known {
			t.Errorf("%v against %v: %+v, known %v", tt.me[:2], tt.opp[:2], e, ok)
		}
	}
	p := board.Position{Me: board.Checkers{1}, Opp: board.Checkers{7, 8}}
	if pr, exact, ok := s.Lookup(&p); !ok || exact || pr[eval.WinGammon] != 1 {
		t.Errorf("who bears off at once against fifteen wins %v, exact %v, known %v", pr, exact, ok)
	}
}
