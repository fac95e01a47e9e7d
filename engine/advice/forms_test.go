package advice

import (
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Every form that people paste is the same opening position, at 2-1 in a match to 7.
func TestRead_forms(t *testing.T) {
	want := match.Situation{Position: board.Start, State: match.State{Length: 7, Score: [2]int{2, 1}, Cube: 1}}
	id := want.String()
	for _, text := range []string{
		id, want.XGID(), strings.Replace(id, ":", " ", 1),
		"GNUBGID " + id, "gnubgid=" + id, "GNUbg ID: " + id,
		"11ccccchhhjjjjj:66666888dddddoo:N0N::W:C:1:2:7:0",
		"OGID=11ccccchhhjjjjj:66666888dddddoo:N0N::W:C:1:2:7:0",
	} {
		if s, err := Read(text); err != nil || s != want {
			t.Errorf("%s: %+v %v", text, s, err)
		}
	}
	// The rules of money play are not in an OGID.
	const money = "OGID=11ccccchhhjjjjj:66666888dddddoo:N0N::W:C:0:0:0:0"
	s, err := Read(money)
	if got := strings.Join(Assumed(money, s, nil), ", "); err != nil || got != "Jacoby rule, beavers" {
		t.Errorf("%s: %v, assumed %q", money, err, got)
	}
}

// A beaver and a raccoon of an XGID are answered: what is asked is how the position goes on.
func TestRead_beaverAndRaccoon(t *testing.T) {
	for letter, cube := range map[string]int{"B": 4, "R": 8} {
		s, err := Read("XGID=-b----E-C---eE---c-e----B-:0:0:1:" + letter + ":0:0:3:0:10")
		if err != nil || s.Doubled || s.State.Cube != cube || s.State.Owner != match.Theirs {
			t.Errorf("%s: %+v %v", letter, s, err)
		}
	}
}

// States that no match can have are refused in every form.
func TestRead_impossibleStates(t *testing.T) {
	for _, text := range []string{
		"XGID=-b----E-C---eE---c-e----B-:1:0:1:00:0:0:0:7:10",
		"XGID=-b----E-C---eE---c-e----B-:1:1:1:00:6:0:1:7:10",
		"OGID=11ccccchhhjjjjj:66666888dddddoo:N1N::W:C:0:0:7:0",
		"OGID=11ccccchhhjjjjj:66666888dddddoo:W1N::W:C:6:0:7C:0",
		match.Situation{Position: board.Start, State: match.State{Length: 7, Cube: 2}}.String(),
		match.Situation{Position: board.Start, State: match.State{Length: 7, Score: [2]int{6, 0}, Crawford: true, Cube: 2, Owner: match.Mine}}.String(),
	} {
		if s, err := Read(text); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s is read as %+v, %v", text, s, err)
		}
	}
	two := 2
	s := match.Situation{Position: board.Start, State: match.State{Length: 7, Cube: 1}}
	if err := (&Overrides{Cube: &two}).Apply(&s); err == nil {
		t.Error("a centred cube of 2 in a match is accepted from fields")
	}
	if err := CheckState(match.State{Length: 7, Cube: 2}); err == nil {
		t.Error("a centred cube of 2 in a match is a state")
	}
}
