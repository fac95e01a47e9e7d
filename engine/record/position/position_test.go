package position

import (
	"bytes"
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
