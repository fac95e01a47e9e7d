package puretd

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

// tiny is a net of random weights, cubeful or not.
func tiny(t testing.TB, in, out int) *Net {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(in), uint64(out)))
	b := binary.LittleEndian.AppendUint32(nil, 2)
	for _, l := range [][2]int{{in, 8}, {8, out}} {
		b = binary.LittleEndian.AppendUint32(b, uint32(l[1]))
		b = binary.LittleEndian.AppendUint32(b, uint32(l[0]))
		for range l[1] * (l[0] + 1) {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(rng.NormFloat64())/8))
		}
	}
	n, err := Read(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestRead_refusesOtherShapes(t *testing.T) {
	b := binary.LittleEndian.AppendUint32(nil, 1)
	b = binary.LittleEndian.AppendUint32(b, 5)
	b = binary.LittleEndian.AppendUint32(b, 200)
	b = append(b, make([]byte, 4*5*201)...)
	if _, err := Read(bytes.NewReader(b)); !errors.Is(err, ErrNet) {
		t.Errorf("200 inputs and 5 outputs: %v", err)
	}
	if _, err := Read(strings.NewReader("ABCDEFGH")); !errors.Is(err, ErrFile) {
		t.Errorf("a text: %v", err)
	}
}

func TestInputs_startAndBar(t *testing.T) {
	in := func(q question, cubeful bool) map[int]float32 {
		out := map[int]float32{}
		for _, v := range (&Net{cubeful: cubeful}).inputs(nil, &q) {
			if _, twice := out[int(v.At)]; twice {
				t.Errorf("input %d twice", v.At)
			}
			out[int(v.At)] = v.Value
		}
		return out
	}
	got := in(question{position: board.Start}, false)
	want := map[int]float32{}
	for point, n := range map[int]int{6: 5, 8: 3, 13: 5, 24: 2} {
		for _, base := range []int{4 * (point - 1), sideInputs + 4*(24-point)} {
			for k := range min(n, 3) {
				want[base+k] = 1
			}
			if n > 3 {
				want[base+3] = float32(n-3) / 2
			}
		}
	}
	if len(got) != len(want) {
		t.Errorf("start: %v, want %v", got, want)
	}
	for k, v := range want {
		if got[k] != v {
			t.Errorf("start: input %d is %v, want %v", k, got[k], v)
		}
	}
	p := board.Position{Me: board.Checkers{board.Bar: 1, 0: 2}, Opp: board.Checkers{board.Bar: 3, 5: 2}}
	got = in(question{position: p, owner: match.Theirs, mayDouble: true}, true)
	for k, v := range map[int]float32{96: 0.5, 97: 12. / 15, 98 + 96: 1.5, 98 + 97: 10. / 15, 0: 1, 1: 1, 98 + 4*18: 1, 98 + 4*18 + 1: 1, 198: 1, 199: 1} {
		if got[k] != v {
			t.Errorf("input %d is %v, want %v", k, got[k], v)
		}
	}
	if len(got) != 10 {
		t.Errorf("%d inputs, want 10: %v", len(got), got)
	}
}

// TestPlay_isTheBestByItsOwnValues compares plays with values asked one by one.
func TestPlay_isTheBestByItsOwnValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, n := range []*Net{tiny(t, 196, 5), tiny(t, 200, 1)} {
		p, one := &Player{Net: n}, &Player{Net: n}
		pos := board.Start
		for move := range 60 {
			d := board.Dice{A: uint8(1 + rng.IntN(6)), B: uint8(1 + rng.IntN(6))}.Sorted()
			st := match.State{Cube: 1, Jacoby: true, Owner: match.Owner(move % 3)}
			play, ok := p.Play(pos, d, st)
			plays := board.AppendPlays(nil, pos, d)
			if ok != (len(plays) > 0) {
				t.Fatalf("play %v of %d", ok, len(plays))
			}
			if !ok {
				pos = pos.Swap()
				continue
			}
			them := st.Swap()
			value := func(pl board.Play) float64 {
				return -one.values(nil, them, []question{{pl.Result.Swap(), them.Owner, one.mayDouble(them)}})[0]
			}
			best := math.Inf(-1)
			for _, pl := range plays {
				best = max(best, value(pl))
			}
			if got := value(play); got < best-1e-5 {
				t.Fatalf("move %d: a play of %v, the best has %v", move, got, best)
			}
			if pos = play.Result.Swap(); pos.Result() != 0 {
				pos = board.Start
			}
		}
	}
}

// TestRolled_isTheMeanOfBestPlays computes a bearoff: one checker each, on roll first.
func TestRolled_isTheMeanOfBestPlays(t *testing.T) {
	p := &Player{Net: tiny(t, 196, 5), Plies: 1}
	pos := board.Position{Me: board.Checkers{0: 1}, Opp: board.Checkers{0: 1}}
	if v := p.rolled(pos, match.State{}); v != 1 {
		t.Errorf("a checker on the ace point is worth %v, want 1", v)
	}
	if v := (&Player{Net: p.Net}).rolled(board.Position{Opp: board.Checkers{0: 15}}, match.State{}); v != 2 {
		t.Errorf("a gammon is worth %v", v)
	}
	cubeful := &Player{Net: tiny(t, 200, 1), Plies: 1}
	if v := cubeful.rolled(board.Position{Opp: board.Checkers{0: 15}}, match.Money(true, 0)); v != 1 {
		t.Errorf("with the cube in the middle under Jacoby a gammon is worth %v", v)
	}
}

func TestServe_answers(t *testing.T) {
	const start = "4HPwATDgc/ABMA"
	for _, c := range []struct {
		in, out int
		ask     string
		want    []string // beginnings of the answers
	}{
		{196, 5, "hello 1\n# note\n\npos " + start + " 3 1\neval " + start + "\ncube " + start + " 1 -1 0 0 0 0 1\nhello 2\nmove\nfly\npos nonsense 1 1\npos " + start + " 7 1\nquit\npos",
			[]string{"ok puretd", "", "0.", "error this net does not know the cube", "error protocol", "error move takes 10", "error unknown request", "error not a position ID", "error dice"}},
		{200, 1, "hello 1\nmove " + start + " 3 1 1 -1 0 0 0 0 1\ncube " + start + " 1 1 0 0 0 0 1\ntake " + start + " 1 -1 0 0 0 0 1\ncube " + start + " 1 -1 5 0 0 0 0\nmove " + start + " 3 1 1 -1 5 0 0 0 0\neval " + start + "\ncube " + start + " 1 7 0 0 0 0 1\npos 4HPwATAAAAAAAA 3 1\n",
			[]string{"ok puretd cube", "", "roll", "", "error money games only", "error money games only", "error this net does not know chances", "error context", "error the game is over"}},
	} {
		var out strings.Builder
		p := &Player{Net: tiny(t, c.in, c.out)}
		if err := p.Serve(t.Context(), strings.NewReader(c.ask), &out); err != nil {
			t.Fatal(err)
		}
		got := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if len(got) != len(c.want) {
			t.Fatalf("%d answers, want %d:\n%s", len(got), len(c.want), out.String())
		}
		for i := range got {
			if !strings.HasPrefix(got[i], c.want[i]) {
				t.Errorf("answer %d is %q, want %q", i+1, got[i], c.want[i])
			}
		}
		after, err := board.ParseID(got[1])
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(board.AppendPlays(nil, board.Start, board.Dice{A: 3, B: 1}), func(pl board.Play) bool { return pl.Result == after.Swap() }) {
			t.Errorf("%s is not a legal play", got[1])
		}
	}
}

func TestServe_endsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out strings.Builder
	if err := (&Player{Net: tiny(t, 196, 5)}).Serve(ctx, strings.NewReader("hello 1\n"), &out); err != nil || out.Len() > 0 {
		t.Errorf("%v, %q", err, out.String())
	}
}

func TestChances_areConsistent(t *testing.T) {
	c := chances([]float32{-1, 2, 3, 4, 5})
	if c[eval.WinGammon] > c[eval.Win] || c[eval.WinBackgammon] > c[eval.WinGammon] || c[eval.LoseGammon] > 1-c[eval.Win] || c[eval.LoseBackgammon] > c[eval.LoseGammon] {
		t.Errorf("%v", c)
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add("move 4HPwATDgc/ABMA 3 1 1 -1 0 0 0 0 1")
	f.Add("take AAAAAAAAAAAAAA 2 0 0 0 0 0 0")
	f.Add("pos 4HPwATDgc/ABMA 6 6")
	f.Add("eval VVVVVVVVVVVVVV")
	players := []*Player{{Net: tiny(f, 196, 5)}, {Net: tiny(f, 200, 1)}}
	f.Fuzz(func(t *testing.T, line string) {
		words := strings.Fields(line)
		if len(words) == 0 {
			return
		}
		for _, p := range players {
			if answer, err := p.answer(words); err == nil && (answer == "" || strings.ContainsAny(answer, "\r\n")) {
				t.Errorf("%q: %q", line, answer)
			}
		}
	})
}
