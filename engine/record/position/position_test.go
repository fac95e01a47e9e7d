package position

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestRead_startPosition(t *testing.T) {
	for _, c := range []struct{ name, in string }{
		{"OGID", "11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:7:0\n"},
		{"OGID with its name", "OGID=11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:7:0\n"},
		{"XGID", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10\n"},
		{"XGID cut short", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7\n"},
		{"BGBlitz", " Position-ID: 4HPwATDgc/ABMA    Match-ID: cInlAAAAAAAE\n XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10\n\n Green - 0 Red - 0 in a 7 point match.\n"},
	} {
		all, ws, err := Read(strings.NewReader(c.in))
		if err != nil || len(ws) > 0 || len(all) != 1 {
			t.Errorf("%s: %v %v", c.name, err, ws)
			continue
		}
		s, who := Last(all[0], &all[0].Games[0])
		if s.Position != board.Start || who != 1 || s.State.Length != 7 || !Is(c.in) {
			t.Errorf("%s: %+v %d", c.name, s, who)
		}
	}
}

const page = `XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:0:2:0:7:10

X:Anna   O:Bert
Score is X:0 O:2 7 pt.(s) match.
 +13-14-15-16-17-18------19-20-21-22-23-24-+
O to play 31

    1. XG Roller+  8/5 6/5                      eq:+0.160

eXtreme Gammon Version: 2.19, MET: Kazaross XG2

XGID=-b----E-C---eE---c-e----B-:1:-1:1:D:0:0:0:0:10
X:Anna   O:Bert
`

func TestRead_page(t *testing.T) {
	if _, _, err := Read(strings.NewReader(page)); err == nil {
		t.Fatal("a double with the cube on the other side is a position")
	}
	all, _, err := Read(strings.NewReader(strings.Replace(page, ":1:-1:1:D:", ":1:1:1:D:", 1)))
	if err != nil || len(all) != 2 {
		t.Fatal(err)
	}
	m := all[0]
	s, who := Last(m, &m.Games[0])
	if who != 0 || s.Dice != (board.Dice{A: 3, B: 1}) || s.State.Score != [2]int{2, 0} || m.Players[1].Name != "Anna" || m.Players[0].Name != "Bert" {
		t.Errorf("%+v %d %+v", s, who, m.Players)
	}
	if !strings.Contains(m.Comment, "eq:+0.160") {
		t.Errorf("comment %q", m.Comment)
	}
	if s, _ := Last(all[1], &all[1].Games[0]); !s.Doubled || s.State.Cube != 2 {
		t.Errorf("%+v", s)
	}
}

// A position written as either ID and read again is the same.
func TestIDs_roundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := board.Start
		for range rapid.IntRange(0, 40).Draw(t, "plies") {
			d := board.Dice{A: rapid.Uint8Range(1, 6).Draw(t, "die"), B: rapid.Uint8Range(1, 6).Draw(t, "die")}
			plays := board.AppendPlays(nil, p, d)
			if len(plays) > 0 {
				p = plays[rapid.IntRange(0, len(plays)-1).Draw(t, "play")].Result
			}
			if p.Result() != 0 {
				return
			}
			p = p.Swap()
		}
		s := match.Situation{Position: p, State: match.State{
			Length: rapid.SampledFrom([]int{0, 5, 7}).Draw(t, "length"),
			Cube:   1, Owner: match.Owner(rapid.IntRange(0, 2).Draw(t, "owner")),
		}}
		if s.State.Owner != match.Centred {
			s.State.Cube = 4
		}
		if s.State.Length > 0 {
			s.State.Score = [2]int{rapid.IntRange(0, 3).Draw(t, "score"), rapid.IntRange(0, 3).Draw(t, "score")}
		} else {
			s.State.Jacoby = true
		}
		if rapid.Bool().Draw(t, "rolled") {
			s.Dice = board.Dice{A: 6, B: 2}
		} else if s.State.MayDouble() && rapid.Bool().Draw(t, "doubled") {
			s.Doubled = true
		}
		who := rapid.IntRange(0, 1).Draw(t, "who")
		for _, id := range []string{XGID(s, who), OGID(s, who)} {
			all, _, err := Read(strings.NewReader(id))
			if err != nil {
				t.Fatalf("%s: %v", id, err)
			}
			got, gotWho := Last(all[0], &all[0].Games[0])
			got.State.Beavers = s.State.Beavers
			if diff := cmp.Diff(s, got); diff != "" || gotWho != who {
				t.Fatalf("%s: player %d, want %d\n%s", id, gotWho, who, diff)
			}
			var b bytes.Buffer
			if err := WriteXGID(&b, all[0]); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(page))
	f.Add([]byte("11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:7:0"))
	f.Fuzz(func(t *testing.T, in []byte) {
		all, _, err := Read(bytes.NewReader(in))
		if err != nil {
			return
		}
		for _, m := range all {
			for i := range m.Games {
				s, who := Last(m, &m.Games[i])
				if _, err := FromXGID(strings.TrimPrefix(XGID(s, who), "XGID=")); err != nil {
					t.Fatalf("%s: %v", XGID(s, who), err)
				}
			}
		}
	})
}

// Odd IDs, and text that looks like an ID, give a warning; impossible IDs are
// refused by the field's name.
func TestRead_whatIsOddIsTold(t *testing.T) {
	const (
		start = "-b----E-C---eE---c-e----B-"
		good  = "XGID=" + start + ":0:0:1:31:2:1:0:7:10\n"
		og    = "11ccccchhhjjjjj:66666888dddddoo:"
	)
	for _, c := range []struct{ name, in, want string }{
		{"cut after the dice", "XGID=" + start + ":0:0:1:31\n", "no score of X, no score of O, no rules, no match length"},
		{"a character in the middle", "XGID=" + start + ":0:0:1:31#:2:1:0:7:10\n", `"#:2:1:0:7:10" after the XGID`},
		{"a second ID is damaged", good + strings.Replace(good, "E-C", "E#C", 1), "cannot read"},
		{"a second ID without its name", good + strings.Replace(good, "XGID=", "", 1), "cannot read"},
		{"fields that ran together", "XGID=" + start + ":0:0:1:31:0:01:0:10\n", `the score of O is "01"`},
		{"a checker is missing", strings.Replace(good, "E-C", "D-C", 1), "one side has 14 checkers, 10 of them"},
		{"a cube larger than the match", strings.Replace(good, ":0:0:1", ":5:1:1", 1), "a cube of 32 in a match of 7 points"},
		{"names without an ID", page[strings.Index(page, "X:Anna"):strings.Index(page, "XGID=-b----E-C---eE---c-e----B-:1")] + good, "whose ID is not in the file"},
		{"other dice in the page", good + "\nX to play 51\n", "3 and 1 by the ID, 5 and 1 by the text"},
		{"other pips in the page", good + "Pip count  X: 166  O: 167 X-O: 2-1/7\n", "167 and 167 by the ID, 166 and 167"},
		{"another score in the page", good + "Pip count  X: 167  O: 167 X-O: 2-3/7\n", "2-1 of 7 by the ID, 2-3 of 7"},
		{"another board above", " Position-ID: sGfwATDgc/ABMA    Match-ID: cInlAAAAAAAE\n " + good, "another board"},
		{"an XGID is missing", " Position-ID: 4HPwATDgc/ABMA    Match-ID: cInlAAAAAAAE\n\n Position-ID: 4HPwATDgc/ABMA\n " + good, "is not in the file"},
		{"OGID, neither player to act", og + "N0N:31::R:0:0:7:0\n", "does not say who reached"},
		{"OGID, a score is missing", og + "N0N:31:W:R:0::7:0\n", "both scores"},
		{"OGID, the length is missing", og + "N0N:31:W:R:2:1::0\n", "no length"},
		{"OGID, the dice are missing", og + "N0N::W:R:0:0:7:0\n", "dice were rolled"},
		{"OGID, the double is missing", og + "N0N::W:D:0:0:7:0\n", "no double is read"},
		{"OGID, after the Crawford game", og + "N0N::W:C:0:0:7L:0\n", "after the Crawford game"},
		{"OGID, a checker moved", "11ccccc1hhjjjjj:66666888dddddoo:N0N:31:W:R:0:0:7:0\n", "do not stand together"},
		{"OGID, fewer checkers", og + "N0N:31:W:R:0:0:7:0:14\n", "15 checkers on a side of 14"},
	} {
		all, ws, err := Read(strings.NewReader(c.in))
		if err != nil || len(all) == 0 || !strings.Contains(fmt.Sprint(ws), c.want) {
			t.Errorf("%s: %d positions, %v %v, want a warning with %q", c.name, len(all), err, ws, c.want)
		}
	}
	for _, c := range []struct{ name, in, want string }{
		{"OGID, dice", og + "N0N:3:W:R:0:0:7:0\n", `field 4, the dice, is "3"`},
		{"OGID, no die", og + "N0N:30:W:R:0:0:7:0\n", `field 4`},
		{"OGID, who", og + "N0N:31:X:R:0:0:7:0\n", "field 5"},
		{"OGID, state", og + "N0N:31:W:Q:0:0:7:0\n", "field 6"},
		{"OGID, score", og + "N0N:31:W:R:x:0:7:0\n", "field 7"},
		{"OGID, length", og + "N0N:31:W:R:0:0:7G:0\n", "field 9"},
		{"OGID, the bar of the other side", "p1ccccchhhjjjjj:66666888dddddoo:N0N:31:W:R:0:0:7:0\n", "bar"},
		{"a turned cube without an owner", strings.Replace(good, ":0:0:1", ":1:0:1", 1), "a cube of 2 in the centre"},
		{"a turned cube in the Crawford game", "XGID=" + start + ":1:1:1:31:6:1:1:7:10\n", "a cube of 2 that was turned in the Crawford game"},
		{"OGID, a turned cube without an owner", og + "N1N:31:W:R:0:0:7:0\n", "a cube of 2 in the centre"},
		{"OGID, a turned cube in the Crawford game", og + "W1N:31:W:R:6:0:7C:0\n", "a cube of 2 that was turned in the Crawford game"},
		{"OGID, a Crawford game at an impossible score", og + "N0N:31:W:R:0:0:7C:0\n", "Crawford"},
	} {
		if _, _, err := Read(strings.NewReader(c.in)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", c.name, err, c.want)
		}
	}
	if _, err := FromOGID("a:b:"); err == nil {
		t.Error("an OGID without a cube is read")
	}
}
