package bearoff

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/internal/testsize"
)

// made lets gnubg's makebearoff make a database.
func made(t *testing.T, args ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "gnubg.bd")
	const program = "/usr/games/makebearoff"
	if _, err := os.Stat(program); err != nil {
		t.Skip("skipped: no " + program)
	}
	if out, err := exec.Command(program, append(args, "-f", file)...).CombinedOutput(); err != nil {
		t.Skipf("skipped: %s %v: %v %.200s", program, args, err, out)
	}
	return file
}

// TestOpenGnubg_oneSided: every distribution of gnubg's files is ours but for the last
// places, packed or not.
func TestOpenGnubg_oneSided(t *testing.T) {
	own, err := BuildOneSided(context.Background(), 4, 15, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{"packed": {"-o", "4"}, "plain": {"-o", "4", "-c"}} {
		o, two, err := OpenGnubg(made(t, args...))
		if err != nil || two != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if o.points != 4 || o.checkers != 15 || o.Len() != own.Len() {
			t.Fatalf("%s: %v", name, o)
		}
		for i := range own.Len() {
			a, ok1 := own.entry(i)
			b, ok2 := o.entry(i)
			if !ok1 || !ok2 || a.mean-b.mean > 1e-3 || b.mean-a.mean > 1e-3 || a.off.start != b.off.start && a.off.At(min(a.off.start, b.off.start))+b.off.At(min(a.off.start, b.off.start)) > 1e-4 {
				t.Fatalf("%s: placement %d: %v, gnubg has %v", name, i, a, b)
			}
			for n := range 20 {
				if d := a.off.At(n) - b.off.At(n); d > 5e-5 || d < -5e-5 {
					t.Fatalf("%s: placement %d: %v rolls %v, gnubg has %v", name, i, n, a.off.At(n), b.off.At(n))
				}
				if d := a.first.At(n) - b.first.At(n); d > 5e-5 || d < -5e-5 {
					t.Fatalf("%s: placement %d: first off after %d %v, gnubg has %v", name, i, n, a.first.At(n), b.first.At(n))
				}
			}
		}
	}
}

// TestOpenGnubg_twoSided: all four equities of every pair are ours to 16 bits, in a source
// too.
func TestOpenGnubg_twoSided(t *testing.T) {
	own, err := BuildTwoSided(context.Background(), 3, 6, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	file := made(t, "-t", "3x6")
	_, db, err := OpenGnubg(file)
	if err != nil || db == nil || db.points != 3 || db.checkers != 6 {
		t.Fatalf("%v, %v", db, err)
	}
	off, most := 0, 0
	for me := range own.n {
		for opp := range own.n {
			a, _ := own.Raw(me, opp)
			b, ok := db.Raw(me, opp)
			for i := range a {
				d := max(int(a[i])-int(b[i]), int(b[i])-int(a[i]))
				if !ok || d > 6 {
					t.Fatalf("pair %d, %d: %v, gnubg has %v", me, opp, a, b)
				}
				if most = max(most, d); d > 0 {
					off++
				}
			}
		}
	}
	t.Logf("%d of %d numbers differ, by %d of 65535 at most", off, 4*own.n*own.n, most)
}

// TestSource_gnubg: the folder of databases may have files of gnubg beside our own.
func TestSource_gnubg(t *testing.T) {
	testsize.Medium(t)
	dir := t.TempDir()
	data, err := os.ReadFile(made(t, "-t", "2x9"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "gnubg_ts.bd"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "broken.bd"), data[:len(data)-7], 0o600); err != nil {
		t.Fatal(err)
	}
	var warned []string
	s := NewSource(Options{Dir: dir, NoCache: true, Warn: func(text string) { warned = append(warned, text) }})
	defer s.Close()
	if len(warned) != 1 || !strings.Contains(warned[0], "broken.bd") {
		t.Errorf("warned %q", warned)
	}
	own, err := BuildTwoSided(context.Background(), 2, 9, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := board.Position{Me: board.Checkers{0: 5, 1: 4}, Opp: board.Checkers{0: 4, 1: 5}} // more than the usual six
	got, ok := s.Equities(&p)
	want, _ := own.Equities(&p)
	if d := got.Centred - want.Centred; !ok || d > 2e-4 || d < -2e-4 {
		t.Errorf("nine checkers: %+v, ours %+v", got, want)
	}
	// The chances come from it as well, though it has fewer points than the home board.
	if pr, exact, ok := s.Lookup(&p); !ok || !exact || math.Abs(float64(pr[eval.Win])-(want.Cubeless+1)/2) > 1e-4 {
		t.Errorf("nine checkers: %v, exact %v, %v; want %v", pr, exact, ok, (want.Cubeless+1)/2)
	}
	p.Me[0], p.Me[2] = 4, 1 // outside it
	if _, exact, ok := s.Lookup(&p); !ok || exact {
		t.Errorf("outside: exact %v, %v", exact, ok)
	}
}

func TestOpenGnubg_badFiles(t *testing.T) {
	packed := func(rec string, vals ...byte) string {
		return "gnubg-OS-01-01-1-1-0" + strings.Repeat("x", 19) + "\n" + "\x00\x00\x00\x00\x01\x00\x01\x00" + rec + string(vals)
	}
	for name, c := range map[string]struct {
		text string
		want error
	}{
		"empty":            {"", ErrForeign},
		"our own":          {fileMagic + strings.Repeat("\x00", 600), ErrForeign},
		"too many points":  {"gnubg-OS-25-15-1-1-0" + strings.Repeat("x", 19) + "\n", ErrForeign},
		"means only":       {"gnubg-OS-06-15-1-0-1" + strings.Repeat("x", 19) + "\n", ErrForeign},
		"no cube":          {"gnubg-TS-06-06-0" + strings.Repeat("x", 23) + "\n", ErrForeign},
		"two-sided, short": {"gnubg-TS-06-06-1" + strings.Repeat("x", 23) + "\nabc", ErrDamaged},
		"one-sided, short": {"gnubg-OS-06-15-1-1-0" + strings.Repeat("x", 19) + "\nabc", ErrDamaged},
		"outside":          {packed("\xff\xff\xff\xff\x01\x01\x01\x00", 255, 255, 255, 255), ErrDamaged},
		"no sum":           {packed("\x00\x00\x00\x00\x01\x01\x01\x00", 255, 255, 1, 0), ErrDamaged},
		"sound":            {packed("\x00\x00\x00\x00\x01\x01\x01\x00", 255, 255, 255, 255), nil},
	} {
		file := filepath.Join(t.TempDir(), "x.bd")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := OpenGnubg(file); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func FuzzOpenGnubg(f *testing.F) {
	head := func(s string) []byte { return append([]byte(s+strings.Repeat("x", gnubgHeader-1-len(s))), '\n') }
	f.Add(append(head("gnubg-OS-01-01-1-1-0"), bytes.Repeat([]byte{0, 0, 0, 0, 1, 0, 1, 0, 255, 255}, 3)...))
	f.Add(append(head("gnubg-TS-01-01-1"), bytes.Repeat([]byte{255}, 32)...))
	f.Add(append(head("gnubg-OS-01-01-1-0-0"), make([]byte, 256)...))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := filepath.Join(t.TempDir(), "f"+strconv.Itoa(len(data)))
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if o, two, err := OpenGnubg(file); err == nil {
			if (o == nil) == (two == nil) {
				t.Fatal("neither or both")
			}
			if o != nil {
				for i := range o.Len() {
					if _, ok := o.entry(i); !ok {
						t.Fatalf("placement %d is damaged", i)
					}
				}
			}
		}
	})
}

// info and verify know gnubg's files as ours, and see what was changed in them.
func TestVerify_gnubg(t *testing.T) {
	testsize.Medium(t)
	for _, c := range []struct {
		args []string
		kind Kind
	}{{[]string{"-o", "4"}, KindOneSided}, {[]string{"-t", "6x3"}, KindTwoSided}} {
		file := made(t, c.args...)
		info, err := ReadInfo(file)
		if err != nil || info.Kind != c.kind || info.Version != 0 || info.Points == 0 || info.Bytes == 0 {
			t.Fatalf("%+v, %v", info, err)
		}
		if err := Verify(t.Context(), file, 2000, 1, nil); err != nil {
			t.Error(err)
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := len(raw) / 2; i < len(raw); i += 32 {
			raw[i|1] ^= 0x10
		}
		if err := os.WriteFile(file, raw, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := Verify(t.Context(), file, 2000, 1, nil); !errors.Is(err, ErrDamaged) {
			t.Errorf("%v: a changed file: %v", c.args, err)
		}
	}
}

// TestVerify_gnubgOneByte: a single byte that was changed is found, whatever the sample: nothing
// but the entries themselves guards these files.
func TestVerify_gnubgOneByte(t *testing.T) {
	testsize.Medium(t)
	for name, c := range map[string]struct {
		args []string
		at   func(size int) int // the byte
	}{
		"an equity, high byte":          {[]string{"-t", "6x3"}, func(size int) int { return gnubgHeader + (size/2-gnubgHeader)/2*2 + 1 }},
		"the last pair":                 {[]string{"-t", "6x3"}, func(size int) int { return size - 1 }},
		"a pair with one side off":      {[]string{"-t", "6x3"}, func(int) int { return gnubgHeader + 8*20 + 1 }},
		"the first roll of a placement": {[]string{"-o", "4"}, func(int) int { return gnubgHeader + packedRecord*1000 + 5 }},
	} {
		t.Run(name, func(t *testing.T) {
			file := made(t, c.args...)
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			raw[c.at(len(raw))] ^= 0x01
			if err := os.WriteFile(file, raw, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := Verify(t.Context(), file, 0, 1, nil); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), file) {
				t.Errorf("%v, want ErrDamaged", err)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Verify(ctx, made(t, "-t", "6x3"), 0, 1, nil); !errors.Is(err, context.Canceled) || errors.Is(err, ErrDamaged) {
		t.Errorf("stopped: %v", err)
	}
}
