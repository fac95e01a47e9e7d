package link

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/reference"
	"fibsbot/internal/testsize"
)

func written(t testing.TB, m *record.Match) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func read(t testing.TB, text string) *record.Match {
	t.Helper()
	all, _, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return all[0]
}

// reduced is what a link holds of m.
func reduced(m *record.Match) *record.Match {
	out := *m
	out.Other, out.Tags, out.Games = nil, nil, nil
	for i := range m.Games {
		g := m.Games[i]
		g.Other, g.Statistics = nil, nil
		g.Actions = nil
		for _, a := range m.Games[i].Actions {
			a.Marks, a.Other = record.Marks{}, nil
			if a.Analysis != nil {
				x := *a.Analysis
				x.Beside, x.RolloutMarks, x.CubeMarked = nil, nil, false
				if list := x.Candidates; len(list) > 0 {
					x.Candidates = slices.Clone(list[:1])
					if x.Played > 0 {
						if x.Candidates = append(x.Candidates, list[x.Played]); x.Rank == 0 && x.Played > 1 {
							x.Rank = x.Played + 1
						}
						x.Played = 1
					}
					if x.Played >= 0 {
						x.Candidates[x.Played].Steps = a.Steps // in the order of the play
					}
				} else {
					x.Played = -1
				}
				a.Analysis = &x
			}
			g.Actions = append(g.Actions, a)
		}
		out.Games = append(out.Games, g)
	}
	return &out
}

// sealed is the link of a match without regard to its length, which Write refuses.
func sealed(t *testing.T, m *record.Match) string {
	t.Helper()
	if err := Write(io.Discard, m); !errors.Is(err, ErrLong) {
		t.Errorf("Write: %v", err)
	}
	parts, err := pack(m)
	if err != nil {
		t.Fatal(err)
	}
	text, err := seal(parts)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

var files = []string{"analyse/testdata/gnubg/match3.sgf", "analyse/testdata/gnubg/match5.sgf", "analyse/testdata/gnubg/match7.sgf",
	"analyse/testdata/gnubg/session5.sgf", "analyse/testdata/gnubg/autodouble.sgf", "analyse/testdata/gnubg/setscore.sgf", "record/sgf/testdata/rollouts.sgf"}

// What a link holds comes back: words and whole numbers equal, figures within half a step.
func TestLink_holdsTheReview(t *testing.T) {
	within := func(most float64) cmp.Option {
		return cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= most })
	}
	cubeless := func(p cmp.Path) bool { return p.Last().String() == ".Cubeless" } // is made of the chances
	loose := cmp.FilterPath(cubeless, within(0.0046))
	near := cmp.FilterPath(func(p cmp.Path) bool { return !cubeless(p) }, within(0.5/perMille+1e-9))
	for i, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			if i > 0 {
				testsize.Medium(t)
			}
			all, _, err := sgf.ReadFile(filepath.Join("..", "..", name))
			if err != nil {
				t.Fatal(err)
			}
			want := reduced(all)
			text := written(t, all)
			got := read(t, "https://example.org/matches.html#"+text)
			left := cmpopts.IgnoreFields(record.Candidate{}, "Score")
			if diff := cmp.Diff(want, got, loose, near, left,
				cmpopts.EquateEmpty(), cmpopts.IgnoreFields(record.Rollout{}, "Settings", "StdErr")); diff != "" {
				t.Errorf("(-want +got):\n%.3000s", diff)
			}
			if again := written(t, got); again != text {
				t.Error("what was read is written in another way")
			}
			decisions := 0
			for i := range all.Games {
				decisions += len(all.Games[i].Actions)
			}
			t.Logf("%d actions, %d characters", decisions, len(text))
		})
	}
}

func TestLink_sevenPointMatch(t *testing.T) {
	all, _, err := sgf.ReadFile("../../analyse/testdata/gnubg/match7.sgf")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(written(t, all)); n > 8<<10 {
		t.Errorf("%d characters, at most 8 KiB", n)
	}
}

// What a player thought while playing judges nothing, nor what nobody analysed.
func TestLink_thoughts(t *testing.T) {
	all, _, err := sgf.ReadFile("../../analyse/testdata/gnubg/match3.sgf")
	if err != nil {
		t.Fatal(err)
	}
	list := all.Games[0].Actions
	list[0].Analysis, list[1].Analysis.Own = nil, true
	for i, a := range read(t, written(t, all)).Games[0].Actions[:3] {
		if (a.Analysis == nil) != (i == 0) || i > 0 && a.Analysis.Own != (i == 1) {
			t.Errorf("action %d: %+v", i, a.Analysis)
		}
	}
	if list[0].Analysis != nil {
		t.Error("writing gave an action an analysis")
	}
}

// A cubeless equity that rounds to 0 is read as none, as from the match file that the reader keeps: the link of that is the same.
func TestLink_equityOfNothing(t *testing.T) {
	all, _, err := sgf.ReadFile("../../analyse/testdata/gnubg/match7.sgf")
	if err != nil {
		t.Fatal(err)
	}
	o := &all.Games[0].Actions[0].Analysis.Candidates[0].Outcome
	o.Probs, o.Cubeless = [5]float64{0.5021, 0.145, 0.009, 0.149, 0.009}, 0.0002
	got := read(t, written(t, all))
	if v := got.Games[0].Actions[0].Analysis.Candidates[0].Outcome.Cubeless; v != 0 {
		t.Errorf("the equity is %v", v)
	}
	var b bytes.Buffer
	if err := sgf.Write(&b, got); err != nil {
		t.Fatal(err)
	}
	kept, _, err := sgf.ReadAll(&b)
	if err != nil {
		t.Fatal(err)
	}
	if written(t, kept[0]) != written(t, all) {
		t.Error("the match that was kept has another link")
	}
}

func TestRead_hostile(t *testing.T) {
	all, _, err := sgf.ReadFile("../../analyse/testdata/gnubg/match3.sgf")
	if err != nil {
		t.Fatal(err)
	}
	good := strings.TrimSpace(written(t, all))
	bomb := *all
	bomb.Comment = strings.Repeat("a", maxColumns+1)
	games, many := *all, *all
	games.Games = make([]record.Game, maxGames+1)
	many.Games = []record.Game{{Actions: make([]record.Action, maxActions)}, {Actions: make([]record.Action, 1)}}
	long := *all
	long.Length = 100
	wrong := *all
	wrong.Rules.Variation = "<script>"
	for name, text := range map[string]string{
		"empty": "", "another fragment": "#top", "cut off": good[:len(good)-40], "changed": good[:200] + "AAAA" + good[204:],
		"no letters of base64": prefix + "1.***", "no version": "#" + prefix + "<img>", "markup": "#" + prefix + "1.%3Cimg%20src=x%3E", "another version": prefix + "2" + good[len(prefix)+1:], "short": prefix + "1.AAA", "no columns": prefix + "1." + base64.RawURLEncoding.EncodeToString(make([]byte, 40)),
		"a bomb": sealed(t, &bomb), "a match of 100 points": written(t, &long), "an unknown game": written(t, &wrong), "more games than there are": sealed(t, &games), "more actions": sealed(t, &many), "too long": good + strings.Repeat("A", maxText),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := Read(strings.NewReader(text))
		if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 16<<20 {
			t.Errorf("%s: %d MB to refuse %d characters", name, (after.TotalAlloc-before.TotalAlloc)>>20, len(text))
		}
		if !errors.Is(err, ErrLink) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 200 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzUnpack: columns of any kind are read without a panic, and what was read is written and read again alike.
func FuzzUnpack(f *testing.F) {
	for _, name := range files[4:] {
		m, _, err := sgf.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			f.Fatal(err)
		}
		columns, err := pack(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(slices.Concat(columns...))
	}
	f.Fuzz(func(t *testing.T, columns []byte) {
		m := &record.Match{}
		if unpack(columns, m) != nil {
			return
		}
		parts, err := pack(m)
		if err != nil {
			t.Fatal(err)
		}
		again := slices.Concat(parts...)
		same := &record.Match{}
		if err := unpack(again, same); err != nil {
			t.Fatal(err)
		}
		third, err := pack(same)
		if err != nil || !bytes.Equal(again, slices.Concat(third...)) {
			t.Fatal("what was read is written in another way")
		}
	})
}

// The reference files of other programs, where they are.
func TestLink_samples(t *testing.T) {
	list, err := filepath.Glob(filepath.Join(reference.Path(t, "formats", "samples"), "*.sgf"))
	if err != nil || len(list) == 0 {
		t.Fatal(err, len(list))
	}
	for _, name := range list {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		all, _, err := sgf.ReadAll(f)
		f.Close()
		if err != nil {
			continue
		}
		for _, m := range all {
			text := written(t, m)
			if written(t, read(t, text)) != text {
				t.Errorf("%s is written in another way", name)
			}
		}
	}
}
