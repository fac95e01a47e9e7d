package match

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/internal/reference"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSituation_allReferenceIDs(t *testing.T) {
	in := reference.Lines(t, "reference/ids.jsonl")
	lines := 0
	for in.Scan() {
		var want struct {
			PosID, MatchID, XGID string
			Board                struct{ Me, Opp [25]uint8 }
			ML                   int
			Score                [2]int
			Cube, Owner, Move    int
			Crawford, Doubled    int
			Dice                 [2]uint8
			Jacoby               *int
			XGIDReadsAs          string `json:"xgid_reads_as"`
		}
		if err := json.Unmarshal(in.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		lines++
		s, err := ParseSituation(want.PosID + ":" + want.MatchID)
		if err != nil {
			t.Errorf("%s:%s: %v", want.PosID, want.MatchID, err)
			continue
		}
		owner := Centred
		if want.Owner >= 0 {
			owner = Mine
			if want.Owner != want.Move {
				owner = Theirs
			}
		}
		w := Situation{
			Position: board.Position{Me: want.Board.Me, Opp: want.Board.Opp},
			State: State{
				Length: want.ML, Score: [2]int{want.Score[want.Move], want.Score[1-want.Move]},
				Cube: want.Cube, Owner: owner, Crawford: want.Crawford != 0,
			},
			Dice:    board.Dice{A: want.Dice[0], B: want.Dice[1]},
			Doubled: want.Doubled != 0,
		}
		if want.ML == 0 {
			w.State.Jacoby, w.State.Beavers = want.Jacoby != nil && *want.Jacoby != 0, DefaultBeavers
		}
		if diff := cmp.Diff(w, s); diff != "" {
			t.Errorf("%s (-reference +ours):\n%s", want.MatchID, diff)
		}
		if want.Move == 1 && s.MatchID() != want.MatchID {
			t.Errorf("match ID %s, gnubg writes %s", s.MatchID(), want.MatchID)
		}
		if want.XGIDReadsAs != "" && s.String() != want.XGIDReadsAs {
			t.Errorf("%s, gnubg reads %s", s, want.XGIDReadsAs)
		}
		if want.XGID == "" {
			continue
		}
		x, err := ParseSituation(want.XGID)
		if err != nil {
			t.Errorf("%s: %v", want.XGID, err)
			continue
		}
		x.State.Beavers = s.State.Beavers // a Match ID does not know them
		if diff := cmp.Diff(s, x); diff != "" {
			t.Errorf("%s (-match ID +XGID):\n%s", want.XGID, diff)
		}
		if want.Move == 1 {
			y, _ := ParseSituation(want.XGID)
			if got := y.XGID(); got != want.XGID {
				t.Errorf("XGID %s, want %s", got, want.XGID)
			}
		}
	}
	if lines != 300 {
		t.Errorf("%d lines read", lines)
	}
}

// anySituation draws what text forms can hold.
func anySituation(t *rapid.T) Situation {
	s := Situation{Position: board.Start}
	st := &s.State
	st.Length = rapid.SampledFrom([]int{0, 1, 2, 3, 7, 25, MaxLength}).Draw(t, "length")
	if st.Length == 0 {
		*st = Money(rapid.Bool().Draw(t, "jacoby"), DefaultBeavers)
		st.Score = [2]int{rapid.IntRange(0, 99).Draw(t, "score"), rapid.IntRange(0, 99).Draw(t, "score")}
	} else {
		st.Score = [2]int{rapid.IntRange(0, st.Length-1).Draw(t, "score"), rapid.IntRange(0, st.Length-1).Draw(t, "score")}
		me, opp := st.Away()
		st.Crawford = (me == 1) != (opp == 1) && rapid.Bool().Draw(t, "crawford")
	}
	st.Cube = 1 << rapid.IntRange(0, 10).Draw(t, "cube")
	st.Owner = Owner(rapid.IntRange(0, 2).Draw(t, "owner"))
	if st.Length > 0 && st.Owner == Centred || st.Crawford {
		st.Cube, st.Owner = 1, Centred
	}
	if rapid.Bool().Draw(t, "rolled") {
		s.Dice = board.Dice{A: rapid.Uint8Range(1, 6).Draw(t, "die"), B: rapid.Uint8Range(1, 6).Draw(t, "die")}.Sorted()
	} else if st.MayDouble() {
		s.Doubled = rapid.Bool().Draw(t, "doubled")
	}
	return s
}

func TestSituation_everyTextFormComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySituation(t)
		for _, text := range []string{s.String(), s.XGID(), strings.TrimPrefix(s.XGID(), "XGID=")} {
			got, err := ParseSituation(text)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if diff := cmp.Diff(s, got); diff != "" {
				t.Fatalf("%s:\n%s", text, diff)
			}
		}
	})
}

func TestParseSituation_positionAloneIsMoney(t *testing.T) {
	got, err := ParseSituation(" 4HPwATDgc/ABMA\n")
	want := Situation{Position: board.Start, State: Money(true, DefaultBeavers)}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestParseSituation_badInput(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       error
	}{
		{"empty", "", board.ErrBadID},
		{"junk behind", "4HPwATDgc/ABMA:cIkqAAAAAAAE x", ErrBadSituation},
		{"junk behind the position", "4HPwATDgc/ABMA hello", board.ErrBadID},
		{"short match ID", "4HPwATDgc/ABMA:cIkqAAAAAAA", ErrBadSituation},
		{"no match ID", "4HPwATDgc/ABMA:", ErrBadSituation},
		{"match ID not base64", "4HPwATDgc/ABMA:cIkqAAAAA!AE", ErrBadSituation},
		{"bits behind the match ID", "4HPwATDgc/ABMA:cIkqAAAAAAD/", ErrBadSituation},
		{"dice of 7", "4HPwATDgc/ABMA:cIk+AAAAAAAE", ErrBadSituation},
		{"score beyond the match", "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:3:0:0:3:10", ErrBadSituation},
		{"negative score", "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:-1:0:0:3:10", ErrBadSituation},
		{"cube beyond all", "XGID=-b----E-C---eE---c-e----B-:99:0:1:52:0:0:0:3:10", ErrBadSituation},
		{"owner 2", "XGID=-b----E-C---eE---c-e----B-:1:2:1:52:0:0:0:3:10", ErrBadSituation},
		{"turn 0", "XGID=-b----E-C---eE---c-e----B-:0:0:0:52:0:0:0:3:10", ErrBadSituation},
		{"dice 70", "XGID=-b----E-C---eE---c-e----B-:0:0:1:70:0:0:0:3:10", ErrBadSituation},
		{"nine fields", "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:3", ErrBadSituation},
		{"junk in a number", "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:3:10x", ErrBadSituation},
		{"short board", "XGID=-b----E-C---eE---c-e----B:0:0:1:52:0:0:0:3:10", ErrBadSituation},
		{"letter p", "XGID=-b----P-C---eE---c-e----B-:0:0:1:52:0:0:0:3:10", ErrBadSituation},
		{"20 checkers", "XGID=-b----O-C---eE---c-e----B-:0:0:1:52:0:0:0:3:10", board.ErrIllegalPosition},
		{"Crawford at 2-away", "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:1:0:1:3:10", ErrBadSituation},
		{"double after the roll in the Crawford game", "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:2:0:1:3:10", ErrBadSituation},
		{"a centred cube of 2 in a match", "XGID=-b----E-C---eE---c-e----B-:1:0:1:52:0:0:0:3:10", ErrBadSituation},
		{"the same as a match ID", "4HPwATDgc/ABMA:cQkgAAAAAAAE", ErrBadSituation},
		{"a turned cube in the Crawford game", "XGID=-b----E-C---eE---c-e----B-:1:1:1:52:2:0:1:3:10", ErrBadSituation},
		{"a match of 100 points", "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:100:10", ErrBadSituation},
		{"a beaver in a match", "XGID=-b----E-C---eE---c-e----B-:0:0:1:B:0:0:0:3:10", ErrBadSituation},
		{"a raccoon beyond the highest cube", "XGID=-b----E-C---eE---c-e----B-:13:1:1:R:0:0:3:0:10", ErrBadSituation},
		{"a long text", strings.Repeat("A", 10000), ErrBadSituation},
	} {
		s, err := ParseSituation(c.text)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v %v, want %v", c.name, s, err, c.want)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error is more than a line: %q", c.name, err)
		}
	}
}

func FuzzParseSituation(f *testing.F) {
	for _, s := range []string{
		"4HPwATDgc/ABMA", "4HPwATDgc/ABMA:cIkqAAAAAAAE", "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:1:10",
		"-A--ccB-CBB-B-a-A-AAa-bbc-:3:1:-1:D:0:0:3:0:10", ":::::::::",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSituation(text)
		if err != nil {
			return
		}
		again, err := ParseSituation(s.String())
		if err != nil {
			t.Fatalf("%q gives %s: %v", text, s, err)
		}
		s.State.Beavers, again.State.Beavers = 0, 0
		s.Redoubles = 0
		s.Dice, again.Dice = s.Dice.Sorted(), again.Dice.Sorted()
		if diff := cmp.Diff(s, again); diff != "" {
			t.Errorf("%q:\n%s", text, diff)
		}
	})
}

func TestState_nextGame(t *testing.T) {
	for _, c := range []struct {
		name   string
		s      State
		points int
		rule   bool
		want   State
	}{
		{"ordinary game", State{Length: 5, Cube: 2, Owner: Mine}, 2, true, State{Length: 5, Score: [2]int{2, 0}, Cube: 1}},
		{"lost game", State{Length: 5, Cube: 2}, -2, true, State{Length: 5, Score: [2]int{0, 2}, Cube: 1}},
		{"Crawford game comes", State{Length: 5, Score: [2]int{2, 3}, Cube: 2}, 2, true, State{Length: 5, Score: [2]int{4, 3}, Cube: 1, Crawford: true}},
		{"without the rule", State{Length: 5, Score: [2]int{2, 3}, Cube: 2}, 2, false, State{Length: 5, Score: [2]int{4, 3}, Cube: 1}},
		{"after the Crawford game", State{Length: 5, Score: [2]int{4, 2}, Cube: 1, Crawford: true}, -2, true, State{Length: 5, Score: [2]int{4, 4}, Cube: 1}},
		{"post-Crawford stays", State{Length: 5, Score: [2]int{4, 1}, Cube: 1}, -2, true, State{Length: 5, Score: [2]int{4, 3}, Cube: 1}},
		{"match over", State{Length: 5, Score: [2]int{4, 1}, Cube: 1}, 2, true, State{Length: 5, Score: [2]int{5, 1}, Cube: 1}},
		{"money", State{Cube: 4, Owner: Theirs, Jacoby: true, Score: [2]int{3, 1}}, -8, true, State{Cube: 1, Jacoby: true, Score: [2]int{3, 9}}},
	} {
		if diff := cmp.Diff(c.want, c.s.NextGame(c.points, c.rule)); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}

func TestState_questions(t *testing.T) {
	type answers struct{ Finished, PostCrawford, MayDouble, DeadCube bool }
	for _, c := range []struct {
		name string
		s    State
		want answers
	}{
		{"start of a match", State{Length: 3, Cube: 1}, answers{MayDouble: true}},
		{"Crawford", State{Length: 3, Score: [2]int{0, 2}, Cube: 1, Crawford: true}, answers{}},
		{"post-Crawford trailer", State{Length: 3, Score: [2]int{0, 2}, Cube: 1}, answers{PostCrawford: true, MayDouble: true}},
		{"post-Crawford leader", State{Length: 3, Score: [2]int{2, 0}, Cube: 1}, answers{PostCrawford: true, MayDouble: true, DeadCube: true}},
		{"cube on the other side", State{Length: 3, Cube: 2, Owner: Theirs}, answers{}},
		{"cube wins the match", State{Length: 3, Cube: 4, Owner: Mine}, answers{MayDouble: true, DeadCube: true}},
		{"over", State{Length: 3, Score: [2]int{4, 2}, Cube: 1}, answers{Finished: true, DeadCube: true}},
		{"money", Money(true, 0), answers{MayDouble: true}},
	} {
		got := answers{c.s.Finished(), c.s.PostCrawford(), c.s.MayDouble(), c.s.DeadCube()}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}

func TestState_points(t *testing.T) {
	for _, c := range []struct {
		name  string
		s     State
		level int
		want  int
	}{
		{"gammon with the cube on 2", State{Length: 5, Cube: 2, Owner: Mine}, 2, 4},
		{"Jacoby, no double", Money(true, 0), -3, -1},
		{"Jacoby, after a double", State{Cube: 2, Owner: Theirs, Jacoby: true}, -3, -6},
		{"money without Jacoby", Money(false, 0), 2, 2},
		{"Jacoby means nothing in a match", State{Length: 5, Cube: 1, Jacoby: true}, 2, 2},
	} {
		if got := c.s.Points(c.level); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
