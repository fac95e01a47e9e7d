package preset

import (
	"errors"
	"testing"
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
