package play

import (
	"strings"
	"testing"
	"time"

	"fibsbot/engine/preset"
	"fibsbot/engine/tune"
)

// Ratings follow the order of the presets, all of which have one at every length.
func TestStandingOf_presetsInOrder(t *testing.T) {
	for _, length := range []int{0, 1, 3, 5, 21} {
		before := Standing{}
		for _, p := range preset.All() {
			s := StandingOf(p, length)
			if s.Rating < before.Rating || s.Beyond {
				t.Errorf("length %d: %s is %v behind one of %v", length, p.Name, s, before)
			}
			before = s
		}
	}
	if expert, _ := preset.ByName("expert"); StandingOf(expert, 5).String() != "about 1900 on FIBS" {
		t.Errorf("expert: %v", StandingOf(expert, 5))
	}
	own, _ := preset.ByName("supremo")
	own.Checker.Noise = 0.1
	if s := StandingOf(own, 5); s != (Standing{}) || s.String() != "" {
		t.Errorf("a custom preset: %q", s)
	}
}

// A preset that was not measured is above all measured ones, and no preset is rated below a
// weaker one.
func TestStandingBy_whatWasNotMeasured(t *testing.T) {
	surface, err := tune.ReadSurface([]byte(`{"anchor": 1900, "ratings": [
		{"setting": "expert", "length": 5, "rating": 1900, "stderr": 0},
		{"setting": "noise:0.03:0", "length": 5, "rating": 1520, "stderr": 5},
		{"setting": "noise:0:0.03", "length": 5, "rating": 1890, "stderr": 5},
		{"setting": "noise:0.03:0.03", "length": 5, "rating": 1510, "stderr": 5},
		{"setting": "worldclass", "length": 5, "rating": 1952, "stderr": 5},
		{"setting": "supremo", "length": 5, "rating": 1944, "stderr": 5}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"expert": "about 1900 on FIBS", "worldclass": "about 1950 on FIBS", "supremo": "about 1950 on FIBS",
		"champion": "above 1950 on FIBS", "legend": "above 1950 on FIBS",
	} {
		p, err := preset.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		if s := standingBy(surface, p, 5).String(); s != want {
			t.Errorf("%s: %s, want %s", name, s, want)
		}
	}
}

// A match says how strong its opponent is; ratings are of backgammon with a cube.
func TestMatch_opponentsStanding(t *testing.T) {
	for name, tt := range map[string]struct {
		o    Options
		want string
	}{
		"preset":      {Options{Length: 5, Strength: Strength{Preset: "expert"}}, "about 1900 on FIBS"},
		"rating":      {Options{Length: 5, Strength: Strength{Rating: 1604}}, "about 1604 on FIBS"},
		"character":   {Options{Length: 5, Strength: Strength{Rating: 1604, Character: "careful"}}, "about 1604 on FIBS"},
		"hypergammon": {Options{Length: 5, Variation: "Hypergammon", Strength: Strength{Preset: "expert"}}, ""},
		"no cube":     {Options{Length: 5, NoCube: true, Strength: Strength{Preset: "expert"}}, ""},
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

func TestStrengths_everyPreset(t *testing.T) {
	text := Strengths()
	for _, name := range preset.Names() {
		if !strings.Contains(text, "  "+name+" ") {
			t.Errorf("%s is missing in\n%s", name, text)
		}
	}
}
