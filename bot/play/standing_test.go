package play

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fibsbot/engine/preset"
)

// Ratings follow the order of the presets; those that were not measured are above all
// that were.
func TestStandingOf_presetsInOrder(t *testing.T) {
	for _, length := range []int{0, 1, 3, 5, 21} {
		before := Standing{}
		for _, p := range preset.All() {
			s := StandingOf(p, length)
			if s.Rating < before.Rating || before.Beyond && !s.Beyond {
				t.Errorf("length %d: %s is %v behind one of %v", length, p.Name, s, before)
			}
			before = s
		}
		if before.Beyond == (length == 5) { // at 5 points the last was measured
			t.Errorf("length %d: the last is %v", length, before)
		}
	}
	if expert, _ := preset.ByName("expert"); StandingOf(expert, 5).String() != "about 1900 on FIBS" {
		t.Errorf("expert: %v", StandingOf(expert, 5))
	}
	own, _ := preset.ByName("supremo")
	own.Checker.Noise = 0.1
	if s := StandingOf(own, 5); s != (Standing{}) || s.String() != "" {
		t.Errorf("a preset of one's own: %q", s)
	}
}

// A match says how strong its opponent is; ratings are of backgammon with a cube.
func TestMatch_opponentsStanding(t *testing.T) {
	for name, tt := range map[string]struct {
		o    Options
		want string
	}{
		"preset":      {Options{Length: 5, Opponent: Strength{Preset: "expert"}}, "about 1900 on FIBS"},
		"rating":      {Options{Length: 5, Opponent: Strength{Rating: 1604}}, "about 1604 on FIBS"},
		"hypergammon": {Options{Length: 5, Variation: "Hypergammon", Opponent: Strength{Preset: "expert"}}, ""},
		"no cube":     {Options{Length: 5, NoCube: true, Opponent: Strength{Preset: "expert"}}, ""},
	} {
		m, err := New(tt.o, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		if v := m.View(); v.Opponent.String() != tt.want {
			t.Errorf("%s: %q, want %q", name, v.Opponent, tt.want)
		}
	}
}

// Personas are in the order of their strength where they play at a rating.
func TestPersonas_weakestFirst(t *testing.T) {
	var ratings []float64
	for _, p := range Personas() {
		f, err := p.foe(5)
		if err != nil {
			t.Fatal(err)
		}
		if s := StandingOf(f.Preset, 5); s.Rating > 0 {
			ratings = append(ratings, float64(s.Rating))
		}
	}
	if len(ratings) < 4 || !slices.IsSorted(ratings) {
		t.Errorf("ratings of the styles: %v", ratings)
	}
}

func TestStrengths_everyPreset(t *testing.T) {
	text := Strengths()
	for _, name := range preset.Names() {
		if !strings.Contains(text, "  "+name+" ") {
			t.Errorf("%s is missing in\n%s", name, text)
		}
	}
}
