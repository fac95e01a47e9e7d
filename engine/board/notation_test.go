package board

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func mustID(t testing.TB, id string) Position {
	t.Helper()
	p, err := ParseID(id)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestFormatPlay_asGnubgPrintsIt(t *testing.T) {
	n := 0
	var buf []Play
	eachLine(t, "reference/moves.jsonl", func(line []byte) {
		var want struct {
			ID   string
			Dice [2]uint8
			N    int
			Top  []struct{ Mv, Res string }
		}
		if err := json.Unmarshal(line, &want); err != nil {
			t.Fatal(err)
		}
		p, d := mustID(t, want.ID), Dice{want.Dice[0], want.Dice[1]}
		buf = AppendPlays(buf[:0], p, d)
		if len(buf) != want.N {
			t.Errorf("%s %v: %d plays, gnubg has %d", want.ID, d, len(buf), want.N)
		}
		for _, top := range want.Top {
			parsed, err := ParsePlay(p, d, top.Mv)
			if err != nil {
				t.Errorf("%s %v %s: %v", want.ID, d, top.Mv, err)
				continue
			}
			if got := parsed.Result.Swap().ID(); got != top.Res {
				t.Errorf("%s %v %s leads to %s, want %s", want.ID, d, top.Mv, got, top.Res)
			}
			checkSteps(t, p, d, &parsed)
			if got := FormatPlay(p, parsed); got != top.Mv {
				t.Errorf("%s %v: parsed steps print %q, want %q", want.ID, d, got, top.Mv)
			}
			for i := range buf {
				if buf[i].Result != parsed.Result {
					continue
				}
				n++
				if got := FormatPlay(p, buf[i]); got != top.Mv {
					t.Errorf("%s %v: %q, gnubg prints %q", want.ID, d, got, top.Mv)
				}
			}
		}
	})
	if n < 6000 {
		t.Errorf("only %d plays compared", n)
	}
}

func TestParsePlay(t *testing.T) {
	bearoff := Position{Me: Checkers{5: 2, 3: 1, 0: 1}, Opp: Checkers{0: 2}}
	hit := Position{Me: Checkers{12: 2, 5: 2, Bar: 1}, Opp: Checkers{3: 1, 16: 1, 5: 2, Bar: 0}}
	for _, c := range []struct {
		name string
		p    Position
		d    Dice
		text string
		want string // as FormatPlay prints it; empty means an error
	}{
		{"plain", Start, Dice{3, 1}, "8/5 6/5", "8/5 6/5"},
		{"other order and dashes", Start, Dice{3, 1}, "6-5, 8-5", "8/5 6/5"},
		{"two dice in one", Start, Dice{6, 5}, "24/13", "24/13"},
		{"chain", Start, Dice{6, 5}, "24/18/13", "24/13"},
		{"repeat", Start, Dice{1, 1}, "8/7(2) 6/5(2)", "8/7(2) 6/5(2)"},
		{"four in one", Start, Dice{3, 3}, "24/12", ""},
		{"upper case, final dot", Start, Dice{6, 4}, " 24/14. ", "24/14"},
		{"bear off", bearoff, Dice{6, 4}, "6/OFF 4/0", "6/off 4/off"},
		{"bear off with a larger die", bearoff, Dice{6, 5}, "6/off 6/1", "6/1 6/off"},
		{"bar by number", hit, Dice{4, 2}, "25/21 6/4", "bar/21* 6/4"},
		{"star missing", hit, Dice{4, 2}, "bar/21 6/4", "bar/21* 6/4"},
		{"not from the bar", hit, Dice{4, 2}, "13/9 6/4", ""},
		{"wrong dice", Start, Dice{3, 1}, "8/4 6/5", ""},
		{"one die unused", Start, Dice{3, 1}, "8/5", ""},
		{"backwards", Start, Dice{3, 1}, "5/8 6/5", ""},
		{"no such point", Start, Dice{3, 1}, "26/23 6/5", ""},
		{"star on the origin", Start, Dice{3, 1}, "8*/5 6/5", ""},
		{"nothing though there is a play", Start, Dice{3, 1}, "", ""},
		{"no dice", Start, Dice{}, "8/5", ""},
		{"nonsense", Start, Dice{3, 1}, "castle long", ""},
		{"empty part", Start, Dice{3, 1}, "8//5 6/5", ""},
		{"too often", Start, Dice{1, 1}, "8/7(9)", ""},
		{"five checkers", Start, Dice{1, 1}, "8/7(3) 6/5(2)", ""},
	} {
		pl, err := ParsePlay(c.p, c.d, c.text)
		switch {
		case c.want == "" && err == nil:
			t.Errorf("%s: %q accepted as %q", c.name, c.text, FormatPlay(c.p, pl))
		case c.want == "" && !errors.Is(err, ErrBadPlay):
			t.Errorf("%s: error %v does not wrap ErrBadPlay", c.name, err)
		case c.want != "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && FormatPlay(c.p, pl) != c.want:
			t.Errorf("%s: %q, want %q", c.name, FormatPlay(c.p, pl), c.want)
		}
	}
}

func TestParsePlay_emptyWhenNothingIsLegal(t *testing.T) {
	p := Position{Me: Checkers{Bar: 1, 3: 2}, Opp: Checkers{0: 2, 1: 2, 2: 2, 3: 2, 4: 2, 5: 2}}
	for _, text := range []string{"", "-", "Cannot Move", "can't move"} {
		pl, err := ParsePlay(p, Dice{6, 1}, text)
		if err != nil || pl.N != 0 || pl.Result != p {
			t.Errorf("%q: %v %v", text, pl, err)
		}
	}
}

func TestFormatPlay_stars(t *testing.T) {
	p := Position{Me: Checkers{23: 2, 12: 2, 5: 2}, Opp: Checkers{1: 1, 6: 1, 23: 1, 18: 2}}
	for _, c := range []struct {
		name  string
		steps []Step
		want  string
	}{
		{"hit on the way", []Step{{23, 22}, {22, 19}}, "24/23*/20"},
		{"two into a hit point", []Step{{5, 0}, {5, 0}}, "6/1*(2)"},
		{"chain without a hit", []Step{{12, 10}, {10, 8}}, "13/9"},
		{"nothing", nil, ""},
	} {
		p := p
		p.Opp[1], p.Opp[23] = 1, 1
		if got := FormatSteps(p, c.steps); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestParsePlay_readsWhatFormatPlayWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, d := anyPosition(t), anyDice(t)
		for _, pl := range AppendPlays(nil, p, d) {
			text := FormatPlay(p, pl)
			got, err := ParsePlay(p, d, text)
			if err != nil {
				t.Fatalf("%s %v: %v", p.ID(), d, err)
			}
			if diff := cmp.Diff(pl.Result, got.Result); diff != "" {
				t.Fatalf("%s %v %s: other result", p.ID(), d, text)
			}
		}
	})
}

func FuzzParsePlay(f *testing.F) {
	for _, s := range []string{"8/5 6/5", "bar/21*", "13/7*(2)", "6/off", "25/21", "24/18/13", "(2)", "8/5*/2 ,,;", "1/0(4)"} {
		f.Add(s, "4HPwATDgc/ABMA", uint8(3), uint8(1))
	}
	f.Fuzz(func(t *testing.T, text, id string, a, b uint8) {
		p, err := ParseID(id)
		if err != nil {
			p = Start
		}
		d := Dice{a%6 + 1, b%6 + 1}
		pl, err := ParsePlay(p, d, text)
		if err != nil {
			if !errors.Is(err, ErrBadPlay) {
				t.Errorf("%v does not wrap ErrBadPlay", err)
			}
			return
		}
		if pl.N == 0 {
			return
		}
		checkSteps(t, p, d, &pl)
	})
}
