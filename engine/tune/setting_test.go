package tune

import (
	"errors"
	"fmt"
	"testing"
)

func TestParseSetting_comesBack(t *testing.T) {
	for text, want := range map[string]Setting{
		"expert": Expert, "beginner": {Style: Noise, Checker: 0.06, Cube: 0.06}, "worldclass": {Deep: "worldclass"},
		"noise:0.5:0": {Style: Noise, Checker: 0.5}, "human:0.1:1": {Style: Human, Checker: 0.1, Cube: 1}, "human:0:0": Expert,
		"worldclass:0.25": {Deep: "worldclass", Share: 0.25}, "World Class:1": {Deep: "worldclass"},
	} {
		got, err := ParseSetting(text)
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
		if back, err := ParseSetting(fmt.Sprint(got)); err != nil || back != got {
			t.Errorf("%s became %s", text, back)
		}
	}
	for _, bad := range []string{"", "nobody", "noise:1", "noise:2:0", "noise:-1:0", "noise:NaN:0", "odd:0.1:0.1", "noise:0.1:0.1:0.1",
		"worldclass:0", "worldclass:1.1", "worldclass:-0.5", "worldclass:NaN", "worldclass:", "expert:0.5", "worldclass:0.5:0.5"} {
		if s, err := ParseSetting(bad); !errors.Is(err, ErrSetting) {
			t.Errorf("%q: %+v, %v", bad, s, err)
		}
	}
}

// TestOfPreset: a configured preset that plays as a setting does is that setting, whatever its
// name and seed; one that plays differently is refused.
func TestOfPreset(t *testing.T) {
	for _, want := range []Setting{Expert, {Style: Noise, Checker: 0.02, Cube: 0.1}, {Style: Human, Checker: 0.1}, {Deep: "supremo"}, {Deep: "worldclass", Share: 0.3}} {
		p, err := want.Preset("club")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := OfPreset(p.WithSeed(7)); err != nil || got != want {
			t.Errorf("%s came back as %s, %v", want, got, err)
		}
		p.Checker.Filter.Name, p.Cube.Plies = "own", 1
		if got, err := OfPreset(p); !errors.Is(err, ErrSetting) {
			t.Errorf("%s with another depth for the cube: %s, %v", want, got, err)
		}
	}
}
