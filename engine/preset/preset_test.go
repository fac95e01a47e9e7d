package preset

import (
	"errors"
	"testing"

	"fibsbot/engine/search"
)

func TestAll_areValidAndFound(t *testing.T) {
	noise := 1.0
	for _, p := range All() {
		if err := p.Checker.Validate(); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		if err := p.Cube.Validate(); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		got, err := ByName(p.Name)
		if err != nil || got.Name != p.Name {
			t.Errorf("%s: %v, %v", p.Name, got.Name, err)
		}
		if p.Checker.Noise > noise {
			t.Errorf("%s has more noise than the level below", p.Name)
		}
		noise = p.Checker.Noise
	}
}

func TestByName_spellings(t *testing.T) {
	for name, want := range map[string]string{"World Class": "worldclass", "world-class": "worldclass", "Casual play": "casual", "EXPERT": "expert"} {
		p, err := ByName(name)
		if err != nil || p.Name != want {
			t.Errorf("%q: %q, %v", name, p.Name, err)
		}
	}
	if _, err := ByName("godlike"); !errors.Is(err, ErrUnknown) {
		t.Errorf("got %v", err)
	}
}

func TestWithPlies_prunes(t *testing.T) {
	for _, p := range All() {
		deep, flat := p.WithPlies(2), p.WithPlies(0)
		for kind, s := range map[string]search.Settings{"plays": deep.Checker, "cube": deep.Cube} {
			if s.Plies != 2 || !s.Prune {
				t.Errorf("%s at 2 plies: %s: plies %d, prune %v", p.Name, kind, s.Plies, s.Prune)
			}
			if err := s.Validate(); err != nil {
				t.Errorf("%s at 2 plies: %v", p.Name, err)
			}
		}
		if deep.Close != (Close{}) || flat.Close != (Close{}) {
			t.Errorf("%s: plies were asked for, and plays are rolled out", p.Name)
		}
		if flat.Checker.Plies != 0 || flat.Checker.Prune != p.Checker.Prune {
			t.Errorf("%s at 0 plies: %+v", p.Name, flat.Checker)
		}
	}
	reduced := All()[4]
	reduced.Checker.Reduced = 7
	if p := reduced.WithPlies(2); p.Checker.Prune || p.Checker.Validate() != nil {
		t.Error("reduced rolls and pruning exclude each other")
	}
}
