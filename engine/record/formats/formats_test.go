package formats_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/detect"
	"fibsbot/engine/record/formats"
)

// forPeople is the format that no one reads again.
const forPeople = "text"

// Every format writes a match, and those that hold matches are read again with the same
// games; what is lost is named.
func TestWritten_isReadAgain(t *testing.T) {
	f, err := os.Open("../../analyse/testdata/gnubg/match3.sgf")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	matches, _, _, err := detect.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	m := matches[0]
	for _, format := range formats.Written {
		var b bytes.Buffer
		if err := format.Write(&b, m); err != nil || b.Len() == 0 {
			t.Errorf("%s: %d bytes, %v", format.Name, b.Len(), err)
			continue
		}
		positions := strings.Contains(strings.Join(format.Lost(m), ""), "position")
		if format.Name == forPeople {
			continue
		}
		got, _, _, err := detect.Read(&b)
		switch {
		case err != nil:
			t.Errorf("%s: %v", format.Name, err)
		case positions != got[0].IsPosition():
			t.Errorf("%s: said to lose %q, came back a position: %v", format.Name, format.Lost(m), got[0].IsPosition())
		case !positions && (len(got) != 1 || len(got[0].Games) != len(m.Games) || len(got[0].Games[0].Actions) != len(m.Games[0].Actions)):
			t.Errorf("%s: other games came back", format.Name)
		}
		if !format.Together {
			continue
		}
		b.Reset()
		if err := format.WriteAll(&b, []*record.Match{m, m}); err != nil {
			t.Errorf("%s: %v", format.Name, err)
		}
		if got, _, _, err := detect.Read(&b); err != nil || len(got) < 2 {
			t.Errorf("%s: two matches in one file came back as %d, %v", format.Name, len(got), err)
		}
	}
}

func TestFind(t *testing.T) {
	for _, c := range []struct{ name, ext, want, err string }{
		{"", ".MAT", "mat", ""},
		{"gnubg-mat", ".sgf", "gnubg-mat", ""},
		{"", ".fibs", "oldmoves", ""},
		{"", ".foo", "", ".sgf, .fibs, .mat, .gam, "},
		{"foo", ".sgf", "", `unknown format "foo" (use sgf, oldmoves, mat, gnubg-mat, `},
	} {
		f, err := formats.Find(formats.Written, c.name, c.ext)
		if f.Name != c.want || (err != nil) != (c.err != "") || err != nil && (!errors.Is(err, formats.ErrUnknown) || !strings.HasPrefix(err.Error(), c.err)) {
			t.Errorf("%q, %q: %q, %v", c.name, c.ext, f.Name, err)
		}
	}
}

// TestLost_verdictsBesideARollout: the text has the verdict that counts, and SGF both.
func TestLost_verdictsBesideARollout(t *testing.T) {
	m := &record.Match{Games: []record.Game{{Actions: []record.Action{{Analysis: &record.Analysis{Beside: []record.Replaced{{By: "gnubg"}}}}}}}}
	for _, f := range formats.Written {
		if lost := f.Lost(m); (len(lost) == 0) != (f.Name == "sgf") || f.Name == forPeople && (len(lost) != 1 || lost[0] != "1 verdict beside a rollout") {
			t.Errorf("%s: %q", f.Name, lost)
		}
	}
	m.Games[0].Actions[0].Analysis.Beside = nil
	if f, err := formats.Find(formats.Written, forPeople, ""); err != nil || len(f.Lost(m)) != 0 {
		t.Error(f.Lost(m), err)
	}
}

func TestLost_illegalPlays(t *testing.T) {
	m := &record.Match{Games: []record.Game{{Actions: []record.Action{{}, {Raw: "6/off"}}}}}
	f, err := formats.Find(formats.Written, "sgf", "")
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Lost(m); len(got) != 1 {
		t.Errorf("illegal play: %q", got)
	}
}
