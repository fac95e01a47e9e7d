package input

import (
	"errors"
	"strings"
	"testing"

	"fibsbot/engine/advice"
	"fibsbot/engine/board"
	"fibsbot/engine/match"

	"github.com/google/go-cmp/cmp"
)

const (
	start  = "4HPwATDgc/ABMA"
	match7 = "4HPwATDgc/ABMA:cAnqAAAAAAAE"
)

func ptr[T any](v T) *T { return &v }

func TestRead_whatIsAssumedIsSaid(t *testing.T) {
	money := []string{"money play", "Jacoby rule", "beavers", "cube in the centre"}
	for name, c := range map[string]struct {
		text string
		o    advice.Overrides
		want []string
	}{
		"an ID alone":    {start, advice.Overrides{}, money},
		"rules given":    {start, advice.Overrides{Length: ptr(0), Jacoby: ptr(true), Beavers: ptr(0), Cube: ptr(1)}, nil},
		"length alone":   {start, advice.Overrides{Length: ptr(7)}, []string{"score 0-0 (7-away 7-away)", "cube in the centre"}},
		"match point":    {start, advice.Overrides{Length: ptr(7), Score: ptr(advice.JSONScore{6, 2}), Cube: ptr(1)}, []string{"after the Crawford game"}},
		"Crawford":       {start, advice.Overrides{Length: ptr(7), Score: ptr(advice.JSONScore{6, 2}), Cube: ptr(1), Crawford: ptr(true)}, nil},
		"a match":        {start + " QYkqASAAIAAA", advice.Overrides{}, nil},
		"money match ID": {start + ":cAkAAAAAAAAA", advice.Overrides{}, []string{"beavers"}},
		"an XGID":        {"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10", advice.Overrides{}, nil},
		"XGID elsewhere": {"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:2:0:7:10", advice.Overrides{Length: ptr(5)}, []string{"score 0-0 (5-away 5-away)"}},
		"XGID for money": {"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:2:0:7:10", advice.Overrides{Length: ptr(0)}, []string{"Jacoby rule", "beavers"}},
	} {
		q, err := (&Position{Position: c.text, Overrides: c.o}).Question()
		if diff := cmp.Diff(c.want, q.Assumed); err != nil || diff != "" {
			t.Errorf("%s: %v %s", name, err, diff)
		}
	}
}

func TestRead_overridesAreThoseOfThePlayerOnRoll(t *testing.T) {
	p := board.Start
	p.Me[5], p.Me[4] = 4, 1
	q, err := (&Position{Position: p.ID(), Dice: Roll{3, 1}, Overrides: advice.Overrides{OnRoll: "opponent", Length: ptr(5), Score: ptr(advice.JSONScore{3, 1}), Cube: ptr(2), Owner: ptr("opponent")}}).Question()
	want := match.Situation{Position: p.Swap(), Dice: board.Dice{A: 3, B: 1},
		State: match.State{Length: 5, Score: [2]int{3, 1}, Cube: 2, Owner: match.Theirs}}
	if diff := cmp.Diff(want, q.Situation); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
}

func TestRead_refusesByField(t *testing.T) {
	for field, o := range map[string]advice.Overrides{
		"length":   {Length: ptr(100)},
		"score":    {Score: ptr(advice.JSONScore{3, 1})},
		"cube":     {Cube: ptr(3)},
		"owner":    {Owner: ptr("us")},
		"crawford": {Length: ptr(7), Crawford: ptr(true)},
		"jacoby":   {Length: ptr(7), Jacoby: ptr(true)},
		"beavers":  {Beavers: ptr(-1)},
	} {
		_, err := (&Position{Position: start, Overrides: o}).Question()
		var wrong *advice.FieldError
		if !errors.As(err, &wrong) || wrong.Field != field || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", field, err)
		}
	}
	for _, o := range []advice.Overrides{{Length: ptr(7), Score: ptr(advice.JSONScore{7, 0})}, {Length: ptr(0), Crawford: ptr(true)}} {
		if _, err := (&Position{Position: start, Overrides: o}).Question(); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
	if _, err := new(Position).Question(); err == nil {
		t.Error("no position is accepted")
	}
}

// rolled is the text of a situation with a roll.
func rolled(text string, a, b uint8) string {
	s, err := match.ParseSituation(text)
	if err != nil {
		panic(err)
	}
	s.Dice = board.Dice{A: a, B: b}
	return s.String()
}

func TestLines(t *testing.T) {
	const in = `# openings
4HPwATDgc/ABMA

4HPwATDgc/ABMA cAnqAAAAAAAE
 GNU Backgammon  Position ID: 4HPwATDgc/ABMA
                 Match ID   : cAnqAAAAAAAE
 +13-14-15-16-17-18------19-20-21-22-23-24-+     O: gnubg
 | X           O    |   | O              X |     0 points
v|                  |BAR|                  |     (Cube: 1)
 +12-11-10--9--8--7-------6--5--4--3--2--1-+     X: me
Position ID: 4HPwATDgc/ABMA
{"position": "4HPwATDgc/ABMA", "length": 5, "score": [3, 1], "dice": [6, 5]}
nonsense
{"position": "4HPwATDgc/ABMA", "lenght": 5}
{"position": "4HPwATDgc/ABMA", "on_roll": "she"}
XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10
4HPwATDgc/ABMA 31
4HPwATDgc/ABMA cAnqAAAAAAAE	5-6
XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10 3:1
4HPwATDgc/ABMA 37
{"position": "4HPwATDgc/ABMA 22"}
4HPwATDgc/ABMA 6 1`
	type seen struct {
		Line     int
		ID, Fail string
	}
	var got []seen
	for l := range Lines(strings.NewReader(in), Position{}) {
		s := seen{Line: l.Number}
		if l.Err != nil {
			s.Fail = l.Err.Error()
		} else {
			s.ID = l.Question.String()
		}
		got = append(got, s)
	}
	five := match.Situation{Position: board.Start, State: match.State{Length: 5, Score: [2]int{3, 1}, Cube: 1}, Dice: board.Dice{A: 6, B: 5}}
	xg, _ := match.ParseSituation("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10")
	money := match.Situation{Position: board.Start, State: match.Money(true, match.DefaultBeavers)}.String()
	want := []seen{
		{2, money, ""}, {4, match7, ""}, {6, match7, ""}, {11, money, ""}, {12, five.String(), ""},
		{13, "", "position: not a position ID: length 8, not 14"}, {14, "", "lenght: unknown field"},
		{15, "", `on_roll: unknown value "she" (use me or opponent)`}, {16, xg.String(), ""},
		{17, rolled(money, 3, 1), ""}, {18, rolled(match7, 6, 5), ""}, {19, xg.String(), ""},
		{20, "", "position: not a position: the match ID has length 2, not 12"}, {21, rolled(money, 2, 2), ""}, {22, rolled(money, 6, 1), ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLines_endWithALineThatNeverEnds(t *testing.T) {
	n := 0
	for l := range Lines(strings.NewReader(start+"\n"+strings.Repeat("x", 1<<20)), Position{}) {
		if n++; n == 2 && (l.Err == nil || l.Number != 2) {
			t.Errorf("%+v", l)
		}
	}
	if n != 2 {
		t.Errorf("%d lines", n)
	}
}

func FuzzLines(f *testing.F) {
	f.Add("Position ID: 4HPwATDgc/ABMA\nMatch ID: cAnqAAAAAAAE\n" + `{"position": "4HPwATDgc/ABMA", "length": 5}`)
	f.Add("board:me:you:5:1:2:0:2:0:0:0")
	f.Fuzz(func(t *testing.T, text string) {
		for l := range Lines(strings.NewReader(text), Position{}) {
			if l.Err != nil {
				continue
			}
			if err := l.Question.Position.Validate(); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
	})
}
