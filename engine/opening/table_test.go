package opening

import (
	"bytes"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// The shipped table answers for the position itself, whatever the match length.
func TestShipped_findsBookPlays(t *testing.T) {
	table := Shipped()
	for _, s := range Scores {
		if n := len(table.Openings(s)); n != 15 {
			t.Errorf("%s: %d openings", s, n)
		}
	}
	d, ok := table.Find(match.Situation{Position: board.Start, Dice: board.Dice{A: 1, B: 3}, State: match.Money(true, 0)})
	if !ok || d.Plays[0].Move != "8/5 6/5" || d.Plays[0].Trials < 144 || d.Plays[0].StdErr <= 0 {
		t.Errorf("31: %+v", d)
	}
	dmp := match.State{Length: 7, Score: [2]int{6, 6}, Cube: 1}
	if d, ok = table.Find(match.Situation{Position: board.Start, Dice: board.Dice{A: 6, B: 4}, State: dmp}); !ok || d.Score != DMP {
		t.Errorf("64 at 6-6 of 7: %+v", d)
	}
	if _, ok = table.Find(match.Situation{Position: board.Start, Dice: board.Dice{A: 6, B: 4}, State: match.State{Length: 7, Cube: 1}}); ok {
		t.Error("0-0 of 7 is not a score of the table")
	}
	for _, c := range []struct {
		st   match.State
		want bool
	}{{match.State{Length: 7, Cube: 1}, true}, {match.Money(false, 0), true}, {match.State{Length: 7, Cube: 1, Score: [2]int{4, 0}}, false}, {match.State{Length: 7, Cube: 2}, false}, {dmp, true}} {
		d, ok := table.Near(match.Situation{Position: board.Start, Dice: board.Dice{A: 6, B: 4}, State: c.st})
		if ok != c.want || ok && (d.Score == DMP) != (c.st == dmp) {
			t.Errorf("%+v: %v %s", c.st, ok, d.Score)
		}
	}
}

// Every difference that decides is known to 0.006, or the play is clearly worse.
func TestShipped_isExact(t *testing.T) {
	for _, d := range Shipped().All() {
		for _, p := range d.Plays {
			if p.LossErr > 0.006 && p.Loss < 4*p.LossErr {
				t.Errorf("%s %s %s %s: loss %.4f ± %.4f", d.Score, d.First, d.Roll, p.Move, p.Loss, p.LossErr)
			}
		}
	}
}

func TestRead_whatWriteWrote(t *testing.T) {
	list := []Entry{
		{Score: DMP, Roll: "21", Plays: []Play{{Move: "13/10", Equity: -0.02, StdErr: 0.003, Loss: 0.03, LossErr: 0.004, Trials: 144, Plies: 12}, {Move: "13/11 6/5", Equity: 0.01, Probs: [5]float64{0.5, 0.1, 0.01, 0.2, 0.02}, Trials: 288, Early: 2}}},
		{Score: Money, First: "31 8/5 6/5", Roll: "66", Plays: []Play{{Move: "24/18(2) 13/7(2)"}}},
	}
	table, err := NewTable(list)
	if err != nil {
		t.Fatal(err)
	}
	var first, second bytes.Buffer
	if err := table.Write(&first); err != nil {
		t.Fatal(err)
	}
	again, err := Read(bytes.NewReader(first.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Write(&second); err != nil || first.String() != second.String() {
		t.Errorf("%v\n%s\n%s", err, &first, &second)
	}
	if d, ok := again.find(DMP, "", "21"); !ok || d.Plays[0].Move != "13/11 6/5" {
		t.Errorf("the best play is not first: %+v", d)
	}
}

func TestRead_refusesOtherFiles(t *testing.T) {
	line := "money\t-\t31\t8/5 6/5\t0.2\t0.004\t0\t0\t0.5\t0.1\t0\t0.1\t0\t144\t12\t0\n"
	if _, err := Read(strings.NewReader(line)); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"hello", strings.Replace(line, "money", "rubber", 1), strings.Replace(line, "31", "33", 1), strings.Replace(line, "8/5 6/5", "8/3", 1), strings.Replace(line, "0.2", "x", 1)} {
		if _, err := Read(strings.NewReader(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestLook(t *testing.T) {
	table := Shipped()
	for _, c := range []struct{ first, play, reply, wrong string }{
		{"", "", "", ""}, {"31", "", "", ""}, {"1-3", "8/5 6/5", "", ""},
		{"33", "", "", "no game starts with 33"}, {"70", "", "", "not a roll"}, {"31", "13/9", "", "was not rolled out"}, {"31", "8/4", "7", "was not rolled out"}, {"31", "13/12", "", "play"},
	} {
		_, err := table.Look(Money, c.first, c.play, c.reply)
		if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
