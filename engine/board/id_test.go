package board

import (
	"errors"
	"testing"

	"pgregory.net/rapid"
)

func TestID_start(t *testing.T) {
	if got := Start.ID(); got != "4HPwATDgc/ABMA" {
		t.Errorf("start is %s", got)
	}
	if mustID(t, "4HPwATDgc/ABMA") != Start {
		t.Error("the ID of the start is read as something else")
	}
}

func TestParseID_everyPositionComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPosition(t)
		got, err := ParseID(p.ID())
		if err != nil || got != p {
			t.Fatalf("%s: %v %v", p.ID(), got, err)
		}
		back, err := FromKey(p.Key())
		if err != nil || back != p {
			t.Fatalf("key %x: %v %v", p.Key(), back, err)
		}
	})
}

func TestParseID_badInput(t *testing.T) {
	sixteen := Position{Me: Checkers{0: 8, 1: 8}, Opp: Checkers{0: 2}}
	for _, c := range []struct {
		name, id string
		want     error
	}{
		{"empty", "", ErrBadID},
		{"one short", "4HPwATDgc/ABM", ErrBadID},
		{"one long", "4HPwATDgc/ABMAA", ErrBadID},
		{"not base64", "4HPwATDgc!ABMA", ErrBadID},
		{"bits after the end", "4HPwATDgc/ABMB", ErrBadID},
		{"sixteen checkers", sixteen.ID(), ErrBadID},
		{"all ones", "//////////////", ErrBadID},
		{"an empty board", "AAAAAAAAAAAAAA", ErrIllegalPosition},
		{"both on one point", Position{Me: Checkers{3: 2}, Opp: Checkers{20: 2}}.ID(), ErrIllegalPosition},
	} {
		if _, err := ParseID(c.id); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

func FuzzParseID(f *testing.F) {
	for _, s := range []string{"4HPwATDgc/ABMA", "wtvIgCGG74EBIQ", "AAAAAAAAAAAAAA", "//////////////", "short"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParseID(s)
		if err != nil {
			return
		}
		if err := p.Validate(); err != nil {
			t.Errorf("%q gives %v", s, err)
		}
		if p.ID() != s {
			t.Errorf("%q comes back as %q", s, p.ID())
		}
	})
}
