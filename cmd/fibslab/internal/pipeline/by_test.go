package pipeline

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/nn"
	"fibsbot/internal/testsize"
)

// A file of labels has one teacher; another teacher is refused with the differences.
func TestLabel_byOneTeacher(t *testing.T) {
	testsize.Medium(t)
	dir := t.TempDir()
	small := filepath.Join(dir, "small.weights")
	smallWeights(t, small)
	own := func(change func(o *train.Options, plies *int)) string {
		o, plies := train.Options{}, 2
		change(&o, &plies)
		by, err := ByOf(o, plies)
		if err != nil {
			t.Fatal(err)
		}
		return by
	}
	begun := own(func(*train.Options, *int) {})
	for name, tt := range map[string]struct {
		by     string
		finish bool
		spoil  string // content of the .by file instead, "-" for no file
		want   string
	}{
		"the same":          {by: begun},
		"the same, all":     {by: begun, finish: true},
		"plies":             {by: own(func(_ *train.Options, p *int) { *p = 0 }), want: ", --plies 0\" (use another OUT"},
		"plies, all":        {by: own(func(_ *train.Options, p *int) { *p = 1 }), finish: true, want: ", --plies 1\" (use"},
		"weights":           {by: own(func(o *train.Options, _ *int) { o.Weights = small }), want: "not of \"small ("},
		"databases":         {by: own(func(o *train.Options, _ *int) { o.BearoffDir = dir }), want: ", --bearoff-dir " + dir},
		"made before":       {by: own(func(_ *train.Options, p *int) { *p = 0 }), spoil: "-"},
		"damaged":           {by: begun, spoil: "nonsense", want: "labels of \"nonsense\""},
		"whoever it may be": {by: ""},
	} {
		from, to := filepath.Join(t.TempDir(), "a.grp"), filepath.Join(t.TempDir(), "b.grp")
		write(t, from, records(350))
		calls := 1
		if tt.finish {
			calls = 4
		}
		_ = (&Labels{Crew: teacher(&counting{calls: calls}, 2), Plies: 2, By: begun}).Label(context.Background(), from, to) // tired after 100
		switch tt.spoil {
		case "":
		case "-":
			if err := os.Remove(to + ".by"); err != nil {
				t.Fatal(err)
			}
		default:
			if err := os.WriteFile(to+".by", []byte(tt.spoil), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		had, said := len(read(t, to)), ""
		err := (&Labels{Crew: teacher(&counting{calls: 9}, 2), Plies: 2, By: tt.by, Say: func(line string) { said = line }}).Label(context.Background(), from, to)
		if tt.want != "" {
			refused(t, err, tt.want)
			if got := len(read(t, to)); got != had {
				t.Errorf("%s: refused, and %d labels became %d", name, had, got)
			}
			continue
		}
		if err != nil || len(read(t, to)) != 350 {
			t.Errorf("%s: %d labels, %v", name, len(read(t, to)), err)
		}
		if want := map[bool]string{true: "has all 350 labels", false: "has 100 of 350 labels"}[tt.finish]; !strings.Contains(said, want) {
			t.Errorf("%s: said %q, want %q", name, said, want)
		}
	}
}

// A file without labels becomes that of its next teacher.
func TestLabel_anEmptyFileIsNobodys(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "a.grp"), filepath.Join(t.TempDir(), "b.grp")
	write(t, from, records(5))
	for _, plies := range []int{1, 2} {
		by := fmt.Sprint(plies)
		if err := (&Labels{Crew: teacher(&counting{calls: plies - 1}, 2), Plies: plies, By: by}).Label(context.Background(), from, to); (err == nil) != (plies == 2) {
			t.Errorf("%d plies: %v", plies, err)
		}
	}
}

// smallWeights packs nets of random weights.
func smallWeights(t *testing.T, path string) {
	t.Helper()
	checkpoint := func(kind train.Kind, seed uint64) string {
		f := train.Fit{Shape: train.Shape{Kind: kind, Hidden: 32, Activation: "squared-clipped"}, Samples: 64, Batch: 64, Seed: seed,
			Checkpoint: filepath.Join(t.TempDir(), "a.fit")}
		plan := train.BackGame
		if kind == train.KindRace {
			plan = train.LongRace
		}
		f.Sources = []*train.Source{{Records: []train.Record{{Key: train.StartOf(plan, rand.New(rand.NewPCG(1, 1))).Key()}}, Share: 1}}
		if _, err := f.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		return f.Checkpoint
	}
	contact := checkpoint(train.KindContact, 1)
	if err := train.Pack(path, nn.Manifest{Name: "small"}, map[string]string{nn.ClassContact: contact, nn.ClassCrashed: contact, nn.ClassRace: checkpoint(train.KindRace, 2)}, false); err != nil {
		t.Fatal(err)
	}
}
