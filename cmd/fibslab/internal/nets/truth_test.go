package nets

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine"
	"fibsbot/engine/preset"
)

// TestPlays_withoutGnubg has neither a column nor a ratio of gnubg.
func TestPlays_withoutGnubg(t *testing.T) {
	e, err := engine.Open(engine.Options{CacheMB: -1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	expert, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	o := Truth{Gnubg: -1, Warn: func(text string) { said = append(said, text) }}
	r, err := o.Plays(t.Context(), e, expert)
	if err != nil || len(r.Losses) == 0 {
		t.Fatalf("%d losses, %v", len(r.Losses), err)
	}
	if l := r.Losses[0]; r.Gnubg != nil || l.Mean <= 0 || l.Beside != nil || len(said) != 0 {
		t.Errorf("%+v, told %q", r.Measured, said)
	}
	document := func() string {
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if doc := document(); strings.Contains(doc, "gnubg") || strings.Contains(doc, "ratio") || !strings.Contains(doc, `"preset":"expert","plies":0,`) || !strings.Contains(doc, `"half":"open"`) || !strings.Contains(doc, `"nets":"fibsbot-`) {
		t.Errorf("%.300s", doc)
	}
	for _, want := range []bool{false, true} {
		if want {
			plies := 2
			r.Gnubg = &plies
			for i := range r.Losses {
				r.Losses[i].Beside = &train.Beside{Mean: 1, Ratio: 2, Paired: 3}
			}
			if doc := document(); !strings.Contains(doc, `"gnubg_plies":2,`) || !strings.Contains(doc, `"gnubg_millipoints":1,"ratio":2,"paired_error":3`) || strings.Contains(doc, "gnubg_0ply") {
				t.Errorf("%.300s", doc)
			}
		}
		var out strings.Builder
		r.Print(&out)
		if strings.Contains(out.String(), "ratio") != want || strings.Contains(out.String(), "gnubg 2") != want {
			t.Errorf("beside gnubg %v:\n%s", want, out.String())
		}
	}
}

// TestTruth_nothingToMeasure: a file without decisions of the kind asked for is named, and
// options that exclude each other are refused, before gnubg starts.
func TestTruth_nothingToMeasure(t *testing.T) {
	e, err := engine.Open(engine.Options{CacheMB: -1, Seed: 1, NoBearoff: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	expert, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	const play = `{"tag":"natural","position":"4HPwATDgc/ABMA","dice":"31","plays":[{"after":"sGfwATDgc/ABMA","equity":0.1}]}` + "\n"
	const kept = `{"tag":"natural","position":"4HPwATDgc/ABMA","reserved":true,"cube":{"value":1,"no_double":{"equity":1}}}` + "\n"
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	none, both, cut := file("none.jsonl", ""), file("both.jsonl", play+kept), file("cut.jsonl", play+kept[:40])
	for _, c := range []struct {
		o     Truth
		cube  bool
		fault string // empty where it can be measured
	}{
		{Truth{File: none}, false, "no open checker decisions in " + none},
		{Truth{File: none}, true, "no open cube decisions in " + none},
		{Truth{File: both}, false, ""},
		{Truth{File: both}, true, "no open cube decisions in " + both},
		{Truth{File: both, Release: true}, false, "no reserved checker decisions in " + both},
		{Truth{File: both, Release: true}, true, ""},
		{Truth{File: cut}, false, cut + ", line 2: bad truth file: cut off"},
		{Truth{Bearoffs: 2, Release: true}, true, "--bearoffs draws decisions and goes with neither"},
		{Truth{Bearoffs: 2, File: both}, true, "--bearoffs draws decisions and goes with neither"},
		{Truth{Bearoffs: 2}, true, ""},
	} {
		if c.o.Gnubg == 0 {
			c.o.Gnubg = -1
		}
		c.o.Warn = func(string) { t.Errorf("%+v: gnubg was asked for", c.o) }
		if c.cube {
			_, err = c.o.Cubes(t.Context(), e, expert, 1)
		} else {
			_, err = c.o.Plays(t.Context(), e, expert)
		}
		if c.fault == "" && err != nil || c.fault != "" && (!errors.Is(err, ErrTruth) || !strings.Contains(err.Error(), c.fault)) {
			t.Errorf("%+v: %v, want %q", c.o, err, c.fault)
		}
	}
}
