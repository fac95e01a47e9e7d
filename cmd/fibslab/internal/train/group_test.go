package train

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/nn"

	"github.com/google/go-cmp/cmp"
)

func TestRecords_groupsAreKeptInGrpFilesAlone(t *testing.T) {
	recs := benchRecords(7)
	for i := range recs {
		recs[i].Group = uint32(1 + i/3)
	}
	for _, name := range []string{"a.grp", "a.grp.gz", "a.bin", "a.bin.gz"} {
		path := filepath.Join(t.TempDir(), name)
		if err := WriteRecords(path, recs); err != nil {
			t.Fatal(err)
		}
		got, err := ReadRecords(nil, path)
		if err != nil {
			t.Fatal(err)
		}
		want := append([]Record(nil), recs...)
		if SizeOf(path) == recordSize {
			for i := range want {
				want[i].Group = 0
			}
		}
		if !cmp.Equal(got, want) {
			t.Errorf("%s: read %v, wrote %v", name, got, want)
		}
	}
}

// pairs are n records of two siblings each, in the order of files.
func pairs(n int) []Record {
	recs := benchRecords(2 * n)
	for i := range recs {
		recs[i].Group = uint32(1 + i/2)
	}
	return recs
}

func TestSource_drawGroupBringsSiblingsTogetherAgain(t *testing.T) {
	s := &Source{Records: append(pairs(20), Record{}, Record{}), rng: rand.New(rand.NewPCG(1, 2))}
	for range 13 {
		s.draw() // shuffles
	}
	seen := map[uint32]int{}
	for range 22 {
		g := s.drawGroup()
		switch {
		case g[0].Group == 0 && len(g) != 1:
			t.Errorf("%d records without a group came together", len(g))
		case g[0].Group != 0 && (len(g) != 2 || g[0].Group != g[1].Group):
			t.Errorf("drew %v, want two siblings", g)
		}
		seen[g[0].Group]++
	}
	if len(seen) != 21 || seen[0] != 2 {
		t.Errorf("a pass drew %d decisions, want 20 and two lone records", len(seen))
	}
}

// Nets that learn siblings together end with smaller errors of differences than the same run without,
// and resume a checkpoint inside that part.
func TestFit_togetherLearnsDifferences(t *testing.T) {
	run := func(differences float64, stopAt int) float64 {
		f := smallFit(t, 1)
		f.Together, f.Differences = 0.9, differences
		recs := f.Sources[0].Records
		for i := range recs {
			recs[i].Group = uint32(1 + i/3)
		}
		held := append([]Record(nil), recs[:300]...)
		if stopAt > 0 {
			f.Checkpoint = filepath.Join(t.TempDir(), "c.fit")
			ctx, stop := context.WithCancel(context.Background())
			f.ReportEvery = stopAt
			f.Report = func(*Fit, int, float64, float64, Params) error { stop(); return nil }
			if _, err := f.Run(ctx); err == nil {
				t.Fatal("the run was not stopped")
			}
			f.Report = nil
			if _, err := os.Stat(f.Checkpoint); err != nil {
				t.Fatal(err)
			}
		}
		p, err := f.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		probe, sum := NewProbe(f.Shape, p), 0.0
		for i := 0; i+3 <= len(held); i += 3 {
			var e [3]float64
			for k := range e {
				pos, err := board.FromKey(held[i+k].Key)
				if err != nil {
					t.Fatal(err)
				}
				e[k] = float64(probe.Eval(&pos).Money() - held[i+k].Label.Probs().Money())
			}
			m := (e[0] + e[1] + e[2]) / 3
			for _, v := range e {
				sum += (v - m) * (v - m)
			}
		}
		return sum
	}
	without, with, resumed := run(0, 0), run(4, 0), run(4, 20000)
	if with >= without || resumed >= without {
		t.Errorf("squared errors of differences: %.4f with, %.4f resumed, %.4f without the loss", with, resumed, without)
	}
}

func TestSelfPlay_groups(t *testing.T) {
	for _, within := range []float32{0, 0.1} {
		sp := &SelfPlay{Teacher: &pipTeacher{}, Games: 20, Seed: 5, Group: 100, Within: within}
		sp.Weights[Natural] = 1
		var got []Record
		if err := sp.Run(context.Background(), 500, func(_ Plan, r Record) error { got = append(got, r); return nil }); err != nil {
			t.Fatal(err)
		}
		size, last := map[uint32]int{}, uint32(100)
		for _, r := range got {
			if r.Group < last {
				t.Fatalf("group %d after %d", r.Group, last)
			}
			last = r.Group
			size[r.Group]++
		}
		if len(size) < 20 || size[100] > 0 {
			t.Errorf("within %v: %d groups from %d on", within, len(size), got[0].Group)
		}
	}
}

func TestLoadStart_takesANetFromAWeightsFile(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, s Shape, seed uint64) string {
		f := &Fit{Shape: s, Seed: seed}
		p := NewParams(s)
		p.Randomise(s, rand.New(rand.NewPCG(seed, 1)))
		f.state = fitState{Shape: s, Weights: p.All, Average: p.All, Mean: make([]float32, len(p.All)), Square: make([]float32, len(p.All))}
		path := filepath.Join(dir, name)
		if err := f.state.save(path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	contact := Shape{Kind: KindContact, Hidden: 64, Activation: "squared-clipped"}
	race := Shape{Kind: KindRace, Hidden: 32, Activation: "squared-clipped"}
	out := filepath.Join(dir, "n.weights")
	back := nn.ClassOfPlan(nn.PlanBackgame)
	err := Pack(out, nn.Manifest{Name: "test"}, map[string]string{
		nn.ClassContact: file("c.fit", contact, 1), back: file("b.fit", contact, 2), nn.ClassRace: file("r.fit", race, 3)}, false)
	if err != nil {
		t.Fatal(err)
	}
	load := func(class string) Params {
		s, p, err := LoadStart(out + ":" + class)
		if err != nil {
			t.Fatal(err)
		}
		if want := map[bool]Shape{true: race, false: contact}[class == nn.ClassRace]; s != want {
			t.Errorf("%s: shape %+v, want %+v", class, s, want)
		}
		return p
	}
	c, b, open := load(nn.ClassContact), load(back), load(nn.ClassOfPlan(nn.PlanOpen))
	load(nn.ClassRace)
	if cmp.Equal(c.All, b.All) || !cmp.Equal(c.All, open.All) {
		t.Error("a plan with a net has that, one without the contact net")
	}
	_, first, err := loadParams(filepath.Join(dir, "b.fit"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range first.All {
		if d := first.All[i] - b.All[i]; d > 1e-3 || d < -1e-3 {
			t.Fatalf("weight %d: %v came back as %v", i, first.All[i], b.All[i])
		}
	}
	for from, want := range map[string]string{out + ":nosuch": "no net of that class", "embedded:nosuch": "no net of that class",
		out: out + " is a weights file (name one of its nets, as in " + out + ":contact)"} {
		if _, _, err := LoadStart(from); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", from, err, want)
		}
	}
	if s, _, err := LoadStart("embedded:" + back); err != nil || s.Kind != KindContact {
		t.Errorf("a net of the program: %+v, %v", s, err)
	}
	// A file with nets by plan is a model, and its plan's net is another.
	repacked := filepath.Join(dir, "again.weights")
	if err := Pack(repacked, nn.Manifest{}, map[string]string{nn.ClassContact: out + ":contact", back: out + ":" + back, nn.ClassRace: out + ":race"}, false); err != nil {
		t.Fatal(err)
	}
}
