package train

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestParseMix(t *testing.T) {
	var w [numPlans]float64
	if err := ParseMix(UsualMix, &w); err != nil || w[Natural] != 10 || w[LongRace] != 0.5 {
		t.Errorf("%v, %v", w, err)
	}
	for _, text := range []string{"", "natural", "natural=x", "nosuch=1", "blitz=-1", "blitz=NaN", "blitz=1e7", "blitz=1,,"} {
		if err := ParseMix(text, &w); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestSelfPlay_knowsWhatWasMade(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.grp")
	sp := alone(&SelfPlay{Games: 20, Seed: 5, Group: 7}, &pipTeacher{})
	sp.Weights[Natural] = 1
	var made []Record
	if err := sp.Run(t.Context(), 50, func(r Record) error { made = append(made, r); return nil }); err != nil {
		t.Fatal(err)
	}
	if err := WriteRecords(path, made); err != nil {
		t.Fatal(err)
	}
	again := &SelfPlay{Seen: KeySet{}}
	if n, err := again.Know(path); err != nil || n != len(made) || !again.Seen.Has(made[0].Key) || again.Group != made[len(made)-1].Group {
		t.Errorf("%d of %d, group %d, %v", n, len(made), again.Group, err)
	}
	if _, err := again.Know(path + "x"); err == nil {
		t.Error("a file that is not there is known")
	}
}
