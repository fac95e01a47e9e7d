package record_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/detect"
	"fibsbot/engine/record/internal/recordtest"
	"fibsbot/engine/record/mat"
	"fibsbot/engine/record/oldmoves"
	"fibsbot/engine/record/sgf"
	"fibsbot/engine/record/snowie"
	"fibsbot/internal/testsize"

	"pgregory.net/rapid"
)

// harm is a kind of damage: it returns the damaged text and what may be gone and
// different after it; ok is false where it does not fit.
type harm struct {
	name string
	do   func(r *rand.Rand, text string, row int) (out string, gone, changed int, ok bool)
}

func lineHarm(do func(r *rand.Rand, l []string, i int) []string, gone int) func(*rand.Rand, string, int) (string, int, int, bool) {
	return func(r *rand.Rand, text string, row int) (string, int, int, bool) {
		l := strings.SplitAfter(text, "\n")
		if len(l) < 4 {
			return "", 0, 0, false
		}
		return strings.Join(do(r, l, r.IntN(len(l)-2)), ""), gone * row, 0, true
	}
}

const odds = "#!?x/0123456789:;()[]-.,*XO\t |=BWb"

var harms = []harm{
	{"byte changed", func(r *rand.Rand, text string, _ int) (string, int, int, bool) {
		i := r.IntN(len(text))
		return text[:i] + string(odds[r.IntN(len(odds))]) + text[i+1:], 0, 1, text[i] != '\n'
	}},
	{"byte lost", func(r *rand.Rand, text string, _ int) (string, int, int, bool) {
		i := r.IntN(len(text))
		return text[:i] + text[i+1:], 0, 1, text[i] != '\n'
	}},
	{"byte added", func(r *rand.Rand, text string, _ int) (string, int, int, bool) {
		i := r.IntN(len(text))
		return text[:i] + string(odds[r.IntN(len(odds))]) + text[i:], 0, 1, true
	}},
	{"some bytes lost", func(r *rand.Rand, text string, _ int) (string, int, int, bool) {
		i := r.IntN(len(text))
		k := min(i+2+r.IntN(6), len(text))
		return text[:i] + text[k:], 0, 1, !strings.Contains(text[i:k], "\n")
	}},
	{"line doubled", lineHarm(func(_ *rand.Rand, l []string, i int) []string { return slices.Insert(l, i, l[i]) }, 0)},
	{"lines exchanged", lineHarm(func(_ *rand.Rand, l []string, i int) []string { l[i], l[i+1] = l[i+1], l[i]; return l }, 0)},
	{"line lost", lineHarm(func(_ *rand.Rand, l []string, i int) []string { return slices.Delete(l, i, i+1) }, 1)},
	{"lines far apart exchanged", lineHarm(func(r *rand.Rand, l []string, i int) []string {
		k := r.IntN(len(l) - 2)
		l[i], l[k] = l[k], l[i]
		return l
	}, 0)},
	{"lines joined", lineHarm(func(r *rand.Rand, l []string, i int) []string {
		l[i] = strings.TrimRight(l[i], "\r\n") + pick(r, "", " ", "\t")
		return l
	}, 0)},
	{"block lost", func(r *rand.Rand, text string, row int) (string, int, int, bool) {
		l := strings.SplitAfter(text, "\n")
		if len(l) < 12 {
			return "", 0, 0, false
		}
		i, n := r.IntN(len(l)-8), 2+r.IntN(5)
		return strings.Join(slices.Delete(l, i, i+n), ""), n * row, 0, true
	}},
	{"line broken", func(r *rand.Rand, text string, _ int) (string, int, int, bool) {
		i := r.IntN(len(text))
		return text[:i] + "\n" + text[i:], 0, 1, true
	}},
	{"blank added", func(r *rand.Rand, text string, _ int) (string, int, int, bool) {
		i := r.IntN(len(text))
		return text[:i] + pick(r, " ", "  ", "\t") + text[i:], 0, 1, true
	}},
	{"blanks for tabs", func(_ *rand.Rand, text string, _ int) (string, int, int, bool) {
		return strings.ReplaceAll(text, "\t", "  "), 0, 0, true
	}},
	{"other line ends", func(r *rand.Rand, text string, _ int) (string, int, int, bool) {
		return strings.ReplaceAll(strings.ReplaceAll(text, "\r", ""), "\n", pick(r, "\r\n", "\r")), 0, 0, true
	}},
	{"UTF-16 or a mark", func(r *rand.Rand, text string, _ int) (string, int, int, bool) {
		if r.IntN(3) == 0 {
			return "\ufeff" + text, 0, 0, true
		}
		big := r.IntN(2) == 0
		out := []byte{0xff, 0xfe}
		if big {
			out = []byte{0xfe, 0xff}
		}
		for _, c := range []byte(text) {
			if big {
				out = append(out, 0, c)
			} else {
				out = append(out, c, 0)
			}
		}
		return string(out), 0, 0, true
	}},
}

// damaged is a format in this loop: how its files come to be, and how many actions a line
// of it has.
type damaged struct {
	name  string
	row   int
	write func(*rand.Rand, *record.Match) string
	first bool
}

func damagedFormats() []damaged {
	var out []damaged
	for _, s := range siteFormats {
		row := 1
		switch s.format {
		case "partygammon":
			row = 1000
		case "bkg", "bgammon":
			row = 2 // a double with its answer
		}
		out = append(out, damaged{string(s.format), row, s.write, s.first})
	}
	write := func(f func(*bytes.Buffer, *record.Match) error) func(*rand.Rand, *record.Match) string {
		return func(_ *rand.Rand, m *record.Match) string {
			var b bytes.Buffer
			if err := f(&b, m); err != nil {
				panic(err)
			}
			return b.String()
		}
	}
	return append(out,
		damaged{"mat", 2, write(func(b *bytes.Buffer, m *record.Match) error { return mat.WriteXG(b, m) }), false},
		damaged{"gnubg mat", 2, write(func(b *bytes.Buffer, m *record.Match) error { return mat.Write(b, m) }), false},
		damaged{"gam", 2, write(func(b *bytes.Buffer, m *record.Match) error { return mat.WriteGam(b, m) }), false},
		damaged{"empire", 2, empireText, false},
		damaged{"snowie", 2, write(func(b *bytes.Buffer, m *record.Match) error { return snowie.Write(b, m) }), false},
		damaged{"own oldmoves", 1, write(func(b *bytes.Buffer, m *record.Match) error { return oldmoves.Write(b, m) }), false},
		damaged{"sgf", 4, write(func(b *bytes.Buffer, m *record.Match) error { return sgf.Write(b, m) }), false},
	)
}

// empireText writes a match as GammonEmpire does: two names, then rows, no length.
func empireText(_ *rand.Rand, m *record.Match) string {
	var b bytes.Buffer
	if err := mat.Write(&b, m); err != nil {
		panic(err)
	}
	var out []string
	for _, l := range strings.Split(b.String(), "\n") {
		if strings.HasPrefix(l, ";") || strings.Contains(l, "point match") || strings.HasPrefix(strings.TrimSpace(l), "Game ") {
			continue
		}
		out = append(out, l)
	}
	return strings.Join(out, "\n")
}

// TestRead_damage damages files of every text format in every way. The reader must report
// whatever is then missing or different. FIBSBOT_DAMAGE sets the number of damages of each kind.
func TestRead_damage(t *testing.T) {
	testsize.Medium(t)
	n := recordtest.Damages(t, 24)
	only := os.Getenv("FIBSBOT_DAMAGE_OF")
	for _, f := range damagedFormats() {
		if only != "" && only != f.name {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			silent, tried, show := map[string]int{}, 0, 30
			for i := 0; tried < n; i++ {
				rng := rand.New(rand.NewPCG(14, uint64(i)))
				m := rapid.Custom(randomMatch).Example(4_000_000 + i/8%60)
				if beavers(m) || endsOpen(m) {
					continue
				}
				if f.first {
					m.Games = m.Games[:1]
				}
				text := f.write(rng, m)
				all, _, ws0, err := detect.Read(strings.NewReader(text))
				if err != nil {
					if i < 3 {
						t.Errorf("%v\n%.500s", err, text)
					}
					continue
				}
				want := recordtest.Sum(all)
				for range 8 {
					h := harms[rng.IntN(len(harms))]
					bad, gone, changed, ok := h.do(rng, text, f.row)
					if !ok || bad == text {
						continue
					}
					tried++
					all, _, ws, err := detect.Read(strings.NewReader(bad))
					if err != nil || len(ws) > len(ws0) {
						continue
					}
					if what := want.Less(recordtest.Sum(all), gone, changed); what != "" {
						silent[h.name]++
						if show > 0 {
							show--
							t.Logf("%d %s: %s\n%s", i, h.name, what, difference(text, bad))
						}
					}
				}
			}
			for _, k := range slices.Sorted(maps.Keys(silent)) {
				t.Errorf("%s: %d silent", k, silent[k])
			}
			t.Logf("%d damages", tried)
		})
	}
}

// difference shows where two texts differ.
func difference(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return fmt.Sprintf("%.160q\n%.160q", a[max(i-60, 0):], b[max(i-60, 0):])
}
