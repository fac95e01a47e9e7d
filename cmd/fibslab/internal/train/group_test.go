package train

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/engine/nn"
	"fibsbot/internal/testsize"

	"github.com/google/go-cmp/cmp"
)

func TestSelfPlay_groups(t *testing.T) {
	sp := alone(&SelfPlay{Games: 20, Seed: 5, Group: 100}, &pipTeacher{})
	sp.Weights[Natural] = 1
	var got []Record
	if err := sp.Run(t.Context(), 500, func(r Record) error { got = append(got, r); return nil }); err != nil {
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
		t.Errorf("%d groups from %d on", len(size), got[0].Group)
	}
}

func TestLoadStart_takesANetFromAWeightsFile(t *testing.T) {
	testsize.Alone(t)
	dir := t.TempDir()
	file := func(name string, s Shape, seed uint64) string {
		f := &Fit{Shape: s, Seed: seed}
		p := newParams(s)
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
