package position

import (
	"bytes"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
)

// A double, a beaver and a raccoon that wait for an answer come back from an XGID and from
// SGF as they were.
func TestWriteXGID_offers(t *testing.T) {
	for _, c := range []struct {
		id        string
		redoubles int
	}{
		{"XGID=-a--CaCCB---cBa--a-bbb-AbA:0:0:-1:D:0:0:0:5:10", 0},
		{"XGID=-a--CaCCB---cBa--a-bbb-AbA:0:0:1:D:0:0:3:0:10", 0},
		{"XGID=-b----E-C---eE---c-e----B-:0:0:1:B:0:0:3:0:10", 1},
		{"XGID=-b----E-C---eE---c-e----B-:1:-1:-1:R:0:0:3:0:10", 2},
	} {
		all, ws, err := Read(strings.NewReader(c.id + "\n"))
		if err != nil || len(ws) > 0 || !all[0].IsOffer() || all[0].IsPosition() {
			t.Errorf("%s: %v %v", c.id, ws, err)
			continue
		}
		if s, _ := Last(all[0], &all[0].Games[0]); !s.Doubled || s.Redoubles != c.redoubles {
			t.Errorf("%s is read as %+v", c.id, s)
		}
		var kept bytes.Buffer
		if err := sgf.Write(&kept, all[0]); err != nil {
			t.Fatal(err)
		}
		again, _, err := sgf.Read(&kept)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []*record.Match{all[0], again} {
			var b bytes.Buffer
			if err := WriteXGID(&b, m); err != nil || b.String() != c.id+"\n" {
				t.Errorf("%s is written as %s %v", c.id, b.String(), err)
			}
		}
	}
}

// The state D of an OGID is a double that waits, and is written as one.
func TestWriteOGID_offer(t *testing.T) {
	const id = "OGID=11ccccchhhjjjjj:66666888dddddoo:N0O::W:D:0:0:7:0"
	all, ws, err := Read(strings.NewReader(id))
	if err != nil || len(ws) > 0 {
		t.Fatal(ws, err)
	}
	var b bytes.Buffer
	if err := WriteOGID(&b, all[0]); err != nil || b.String() != id+"\n" {
		t.Errorf("%s %v", b.String(), err)
	}
}

// A game whose last double was not answered has both questions: whether to double, and
// what to answer.
func TestWriteXGID_unansweredDouble(t *testing.T) {
	m := &record.Match{Length: 5, Games: []record.Game{{Cube: 1, Actions: []record.Action{
		{Kind: record.Move, Player: 0, Dice: dice(3, 1), Steps: steps(7, 4, 5, 4)},
		{Kind: record.Double, Player: 1},
	}}}}
	var b bytes.Buffer
	if err := WriteXGID(&b, m); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 3 || !strings.Contains(lines[1], ":1:00:") || !strings.Contains(lines[2], ":1:D:") {
		t.Errorf("%s", b.String())
	}
}

// A double that is answered is played on with the cube on the other side.
func TestSituation_taken(t *testing.T) {
	for text, cube := range map[string]int{":0:0:1:D:": 2, ":0:0:1:B:": 4, ":0:0:1:R:": 8} {
		s, err := match.ParseSituation("XGID=-b----E-C---eE---c-e----B-" + text + "0:0:3:0:10")
		if err != nil {
			t.Fatal(err)
		}
		if s = s.Taken(); s.State.Cube != cube || s.State.Owner != match.Theirs || s.Doubled || s.Redoubles != 0 {
			t.Errorf("%s: %+v", text, s)
		}
	}
}

func dice(a, b uint8) board.Dice { return board.Dice{A: a, B: b} }

func steps(points ...int8) (out []board.Step) {
	for i := 0; i < len(points); i += 2 {
		out = append(out, board.Step{From: points[i], To: points[i+1]})
	}
	return out
}
