package puretd

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"fibsbot/cmd/fibslab/internal/reference"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/external"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

// Player decides by a net. It is not safe for concurrent use.
type Player struct {
	Net *Net
	// Plies is 0 for the net's values, 1 for their means over the 21 rolls that follow.
	Plies int

	scratch   scratch
	inputs    [][]input
	questions []question
	out       []float32
	plays     []board.Play
	replies   []board.Play
}

// The plays to evaluate a ply deeper: at most so many, within so many points of the best. The others
// were never best in a thousand decisions of varied games.
const (
	mostDeeper   = 12
	deeperMargin = 0.2
)

// errMatch is the answer to a match score: the cubeful net knows money games only.
var errMatch = errors.New("money games only")

// mayDouble reports whether the player on roll may, in the eyes of a net that knows the cube.
func (p *Player) mayDouble(st match.State) bool { return p.Net.cubeful && st.Owner != match.Theirs }

// over is the value of a finished game to the player on roll, in points at the present cube. Without a
// cube gammons count.
func (p *Player) over(st match.State, level int) float64 {
	if st.Cube = 1; p.Net.cubeful {
		level = st.Points(level)
	}
	return float64(level)
}

// values appends the net's value of each question to its player on roll. Finished games have their
// result.
func (p *Player) values(dst []float64, st match.State, qs []question) []float64 {
	at := len(dst)
	p.inputs = slices.Grow(p.inputs[:0], len(qs))[:len(qs)]
	for i := range qs {
		p.inputs[i] = p.Net.inputs(p.inputs[i][:0], &qs[i])
	}
	width := p.Net.layers.outputs()
	p.out = slices.Grow(p.out[:0], len(qs)*width)[:len(qs)*width]
	p.Net.layers.run(&p.scratch, p.inputs, p.out)
	for i := range qs {
		switch level := qs[i].position.Result(); {
		case level != 0:
			dst = append(dst, p.over(st, level))
		case p.Net.cubeful:
			dst = append(dst, float64(p.out[i]))
		default:
			dst = append(dst, float64(chances(p.out[5*i:]).Money()))
		}
	}
	return dst[:at+len(qs)]
}

// after are the opponent's questions after plays, whose player had st.
func (p *Player) after(st match.State, plays []board.Play) []question {
	them := st.Swap()
	p.questions = p.questions[:0]
	for i := range plays {
		p.questions = append(p.questions, question{plays[i].Result.Swap(), them.Owner, p.mayDouble(them)})
	}
	return p.questions
}

// Play returns the best play of a roll; ok is false without a legal one.
func (p *Player) Play(pos board.Position, d board.Dice, st match.State) (play board.Play, ok bool) {
	p.plays = board.AppendPlays(p.plays[:0], pos, d)
	if len(p.plays) == 0 {
		return play, false
	}
	type rated struct {
		play  board.Play
		value float64
	}
	list := make([]rated, len(p.plays))
	for i, v := range p.values(nil, st.Swap(), p.after(st, p.plays)) {
		list[i] = rated{p.plays[i], -v}
	}
	best := func(a, b rated) int { return cmp.Compare(b.value, a.value) }
	slices.SortStableFunc(list, best)
	if p.Plies > 0 {
		list = list[:min(len(list), mostDeeper)]
		for list[len(list)-1].value < list[0].value-deeperMargin {
			list = list[:len(list)-1]
		}
		for i := range list {
			list[i].value = -p.decided(list[i].play.Result.Swap(), st.Swap())
		}
		slices.SortStableFunc(list, best)
	}
	return list[0].play, true
}

// rolled is the value to the player on roll before the roll: the net's, or at 1 ply the mean of the
// best plays.
func (p *Player) rolled(pos board.Position, st match.State) float64 {
	if level := pos.Result(); level != 0 {
		return p.over(st, level)
	}
	if p.Plies == 0 {
		return p.values(nil, st, []question{{pos, st.Owner, false}})[0]
	}
	sum := 0.0
	var values []float64
	for _, roll := range board.Rolls {
		p.replies = board.AppendPlays(p.replies[:0], pos, roll.Dice)
		if len(p.replies) == 0 {
			p.replies = append(p.replies, board.Play{Result: pos})
		}
		values = p.values(values[:0], st.Swap(), p.after(st, p.replies))
		sum -= slices.Min(values) * float64(roll.Weight)
	}
	return sum / 36
}

// decided is the value to the player on roll, who may double first if allowed.
func (p *Player) decided(pos board.Position, st match.State) float64 {
	if pos.Result() != 0 || !p.mayDouble(st) {
		return p.rolled(pos, st)
	}
	hold, taken := p.cube(pos, st)
	return max(hold, min(taken, 1))
}

// cube returns the values of rolling and of a taken double to the player on roll, in points at the
// present cube.
func (p *Player) cube(pos board.Position, st match.State) (hold, taken float64) {
	hold = p.rolled(pos, st)
	st.Owner = match.Theirs
	return hold, 2 * p.rolled(pos, st)
}

// Double reports whether the player on roll doubles.
func (p *Player) Double(pos board.Position, st match.State) (bool, error) {
	if st.Length > 0 {
		return false, errMatch
	}
	if !p.mayDouble(st) {
		return false, nil
	}
	hold, taken := p.cube(pos, st)
	if st.Jacoby && st.Owner == match.Centred && taken >= 1 {
		return true, nil // nothing is too good to double where gammons do not count
	}
	return min(taken, 1) > hold, nil
}

// Take reports whether a double is taken; pos and st are the doubler's.
func (p *Player) Take(pos board.Position, st match.State) (bool, error) {
	if st.Length > 0 {
		return false, errMatch
	}
	if !p.Net.cubeful {
		return true, nil
	}
	_, taken := p.cube(pos, st)
	return taken <= 1, nil
}

// Chances returns the five chances of a cubeless net.
func (p *Player) Chances(pos board.Position) eval.Probs {
	p.values(nil, match.State{}, []question{{position: pos}})
	return chances(p.out)
}

// maxRequest bounds a request line; the longest real one has under 100 bytes.
const maxRequest = 4096

// errOver is the answer to a decision in a finished game.
var errOver = errors.New("the game is over")

// Serve answers the line protocol of `fibsbot help engine` until quit, the end of input or ctx's end:
// hello, pos, eval of a cubeless net; hello, pos, move, cube, take of one that knows the cube.
func (p *Player) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, maxRequest), maxRequest)
	for ctx.Err() == nil && lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) == 0 || f[0][0] == '#' {
			continue
		}
		if f[0] == "quit" {
			return nil
		}
		answer, err := p.answer(f)
		if err != nil {
			answer = "error " + strings.Join(strings.Fields(err.Error()), " ")
		}
		if _, err := io.WriteString(out, answer+"\n"); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil && ctx.Err() == nil {
		return fmt.Errorf("read requests: %w", err)
	}
	return nil
}

// answer handles one request.
func (p *Player) answer(f []string) (string, error) {
	n, known := map[string]int{"hello": 2, "pos": 4, "move": 11, "cube": 9, "take": 9, "eval": 2}[f[0]]
	switch {
	case !known:
		return "", fmt.Errorf("unknown request %.40q", f[0])
	case len(f) != n:
		return "", fmt.Errorf("%s takes %d words, got %d", f[0], n-1, len(f)-1)
	case f[0] == "hello" && f[1] != "1":
		return "", fmt.Errorf("protocol version %.20q, this is 1", f[1])
	case f[0] == "hello" && p.Net.cubeful:
		return "ok puretd cube", nil
	case f[0] == "hello":
		return "ok puretd", nil
	case n >= 9 && !p.Net.cubeful:
		return "", errors.New("this net does not know the cube")
	case f[0] == "eval" && p.Net.cubeful:
		return "", errors.New("this net does not know chances")
	}
	pos, err := board.ParseID(f[1])
	if err == nil {
		err = pos.Validate()
	}
	if err != nil {
		return "", err
	}
	if f[0] == "eval" {
		c := p.Chances(pos)
		return fmt.Sprintf("%.6f %.6f %.6f %.6f %.6f %.6f", c[0], c[1], c[2], c[3], c[4], c.Money()), nil
	}
	if pos.Result() != 0 {
		return "", errOver
	}
	st := match.Money(false, 0)
	if n >= 9 {
		if st, err = external.ParseContext(f[n-7:]); err != nil {
			return "", err
		}
	}
	return p.decide(f, pos, st)
}

// decide answers a play or a cube decision.
func (p *Player) decide(f []string, pos board.Position, st match.State) (string, error) {
	switch f[0] {
	case "cube":
		double, err := p.Double(pos, st)
		return map[bool]string{true: "double", false: "roll"}[double], err
	case "take":
		take, err := p.Take(pos, st)
		return map[bool]string{true: "take", false: "drop"}[take], err
	}
	d, err := external.ParseDice(f[2], f[3])
	if err != nil {
		return "", err
	}
	if st.Length > 0 {
		return "", errMatch
	}
	play, ok := p.Play(pos, d, st)
	if !ok {
		return pos.Swap().ID(), nil
	}
	return play.Result.Swap().ID(), nil
}

// Measure prints the losses of the player on the rolled out decisions of all, in millipoints a decision:
// plays of cubeless money games, beside those of own at the same depth, and cube decisions in money games if
// the net knows the cube.
func (p *Player) Measure(ctx context.Context, w io.Writer, own *engine.Engine, all []reference.Reference, reserved bool) error {
	expert, err := preset.ByName("expert")
	if err != nil {
		return err
	}
	expert = expert.WithPlies(p.Plies)
	if p.Net.cubeful {
		return p.measureCube(ctx, w, all, reserved, reference.CubeByPreset(ctx, own, expert))
	}
	ds, err := reference.Plays(all, reserved)
	if err != nil {
		return err
	}
	theirs, err := reference.Losses(ctx, ds, func() reference.Chooser { return (&Player{Net: p.Net, Plies: p.Plies}).Chooser(ctx) }, nil)
	if err != nil {
		return err
	}
	ours, err := reference.Losses(ctx, ds, func() reference.Chooser { return reference.ByPreset(ctx, own, expert) }, nil)
	if err != nil {
		return err
	}
	for _, l := range train.CompareLosses(ds, theirs, ours) {
		fmt.Fprintf(w, "%-16s %5d decisions  %6.2f ± %.2f millipoints  ours %6.2f  difference %+6.2f ± %.2f\n",
			l.Tag, l.Decisions, l.Mean, l.Error, l.Beside.Mean, l.Mean-l.Beside.Mean, l.Paired)
	}
	return nil
}

// Chooser chooses plays of cubeless money games until ctx ends.
func (p *Player) Chooser(ctx context.Context) reference.Chooser {
	return func(pos board.Position, d board.Dice) (board.Play, bool, error) {
		play, ok := p.Play(pos, d, match.Money(false, 0))
		return play, ok, ctx.Err()
	}
}

// measureCube measures the cube decisions of money games, and own's.
func (p *Player) measureCube(ctx context.Context, w io.Writer, all []reference.Reference, reserved bool, own reference.CubeChooser) error {
	var money []reference.Reference
	for _, d := range all {
		if d.Cube == nil {
			continue
		}
		st, err := d.Cube.State()
		if err != nil {
			return err
		}
		if st.Length == 0 {
			money = append(money, d)
		}
	}
	theirs, err := reference.CubeLosses(money, reserved, func(pos board.Position, st match.State) (double, take bool, err error) {
		if double, err = p.Double(pos, st); err == nil {
			take, err = p.Take(pos, st)
		}
		return double, take, cmp.Or(err, ctx.Err())
	})
	if err != nil {
		return err
	}
	ours, err := reference.CubeLosses(money, reserved, own)
	if err != nil {
		return err
	}
	for i, l := range theirs { // both lists have the same kinds
		o := &ours[i]
		fmt.Fprintf(w, "%-16s %5d decisions  doubling %6.2f  taking %6.2f ± %.2f millipoints  ours %6.2f  %6.2f ± %.2f\n",
			l.Tag, l.Decisions, l.Doubling, l.Taking, l.Error, o.Doubling, o.Taking, o.Error)
	}
	return nil
}
