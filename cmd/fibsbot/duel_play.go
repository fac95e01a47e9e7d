package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"strings"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

// maxTurns ends a game that does not end: far above anything real.
const maxTurns = 4000

// maxCube is the highest cube of a duel; nobody doubles beyond.
const maxCube = 1024

// player makes the decisions of one side of a duel. seed is different for each
// decision of a duel and the same in each run.
type player interface {
	move(ctx context.Context, p board.Position, d board.Dice, st match.State, cubeless bool, seed uint64) (board.Position, error)
	double(ctx context.Context, p board.Position, st match.State, seed uint64) (bool, error)
	take(ctx context.Context, p board.Position, st match.State, seed uint64) (bool, error)
	close()
}

type playerMaker func(ctx context.Context) (player, error)

// presetPlayer plays with the engine of this process.
type presetPlayer struct {
	engine *engine.Engine
	preset preset.Preset
}

func (x *presetPlayer) move(ctx context.Context, p board.Position, d board.Dice, st match.State, cubeless bool, seed uint64) (board.Position, error) {
	pr := x.preset.WithSeed(seed)
	if cubeless {
		pr.Checker.Cubeful = false
	}
	c, ok, err := x.engine.BestPlay(ctx, p, d, st, pr)
	if err != nil || !ok {
		return p, err
	}
	return c.Play.Result, nil
}

func (x *presetPlayer) double(ctx context.Context, p board.Position, st match.State, seed uint64) (bool, error) {
	double, _, err := x.engine.Double(ctx, p, st, x.preset.WithSeed(seed))
	return double, err
}

func (x *presetPlayer) take(ctx context.Context, p board.Position, st match.State, seed uint64) (bool, error) {
	a, err := x.engine.TakeDecision(ctx, p, st, x.preset.WithSeed(seed))
	return a.Take, err
}

func (x *presetPlayer) close() {}

// linePlayer is another program that speaks the line protocol.
type linePlayer struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	cube bool
}

func startLinePlayer(ctx context.Context, words []string, stderr io.Writer) (player, error) {
	c := exec.CommandContext(ctx, words[0], words[1:]...)
	c.Stderr = stderr
	in, err := c.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", words[0], err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", words[0], err)
	}
	if err := c.Start(); err != nil {
		return nil, usagef("cmd: %v", err)
	}
	x := &linePlayer{cmd: c, in: in, out: bufio.NewReaderSize(out, maxRequest)}
	hello, err := x.ask("hello 1")
	f := strings.Fields(hello)
	if err == nil && (len(f) < 2 || f[0] != "ok") {
		err = fmt.Errorf("%s answered %.60q to hello", words[0], hello)
	}
	if err != nil {
		x.close()
		return nil, err
	}
	for _, w := range f[2:] {
		x.cube = x.cube || w == "cube"
	}
	return x, nil
}

func (x *linePlayer) ask(request string) (string, error) {
	if _, err := io.WriteString(x.in, request+"\n"); err != nil {
		return "", fmt.Errorf("engine %s: %w", x.cmd.Path, err)
	}
	line, err := x.out.ReadSlice('\n')
	if err != nil {
		return "", fmt.Errorf("engine %s: no answer to %q: %w", x.cmd.Path, request, err)
	}
	return strings.TrimSpace(string(line)), nil
}

func contextText(st match.State) string {
	owner := map[match.Owner]int{match.Centred: -1, match.Mine: 0, match.Theirs: 1}[st.Owner]
	flag := map[bool]int{true: 1}
	return fmt.Sprintf("%d %d %d %d %d %d %d", st.Cube, owner, st.Length, st.Score[0], st.Score[1], flag[st.Crawford], flag[st.Jacoby])
}

func (x *linePlayer) move(_ context.Context, p board.Position, d board.Dice, st match.State, cubeless bool, _ uint64) (board.Position, error) {
	d = d.Sorted()
	request := fmt.Sprintf("pos %s %d %d", p.ID(), d.A, d.B)
	if x.cube && !cubeless {
		request = fmt.Sprintf("move %s %d %d %s", p.ID(), d.A, d.B, contextText(st))
	}
	answer, err := x.ask(request)
	if err != nil {
		return p, err
	}
	next, err := board.ParseID(answer)
	if err != nil {
		return p, fmt.Errorf("answer %.60q to %q: %w", answer, request, err)
	}
	result := next.Swap()
	plays := board.AppendPlays(nil, p, d)
	for i := range plays {
		if plays[i].Result == result {
			return result, nil
		}
	}
	if len(plays) == 0 && result == p {
		return p, nil
	}
	return p, fmt.Errorf("answer %s to %q is no legal play", answer, request)
}

func (x *linePlayer) double(_ context.Context, p board.Position, st match.State, _ uint64) (bool, error) {
	if !x.cube {
		return false, nil
	}
	answer, err := x.ask("cube " + p.ID() + " " + contextText(st))
	if err == nil && answer != "double" && answer != "roll" {
		err = fmt.Errorf("answer %.60q to cube", answer)
	}
	return answer == "double", err
}

func (x *linePlayer) take(_ context.Context, p board.Position, st match.State, _ uint64) (bool, error) {
	if !x.cube {
		return true, nil
	}
	answer, err := x.ask("take " + p.ID() + " " + contextText(st))
	switch {
	case err != nil:
		return false, err
	case answer == "take" || answer == "beaver":
		return true, nil
	case answer == "drop":
		return false, nil
	}
	return false, fmt.Errorf("answer %.60q to take", answer)
}

func (x *linePlayer) close() {
	_, _ = io.WriteString(x.in, "quit\n")
	x.in.Close()
	_ = x.cmd.Wait()
}

// playPair plays the same dice twice with the seats exchanged and returns A's
// two results: points of a money game, +1 or -1 of a match.
func playPair(ctx context.Context, two [2]player, set duelSettings, pair uint64) (results [2]float64, games int, err error) {
	for seat := range 2 {
		t := &duelTable{
			set:   set,
			dice:  rand.New(rand.NewPCG(set.seed, pair)),
			noise: rand.New(rand.NewPCG(set.seed^0x5bd1e995, pair<<1|uint64(seat))),
			side:  [2]player{two[seat], two[1-seat]},
		}
		points, n, err := t.play(ctx)
		if err != nil {
			return results, games, err
		}
		games += n
		if seat == 1 {
			points = -points
		}
		results[seat] = points
	}
	return results, games, nil
}

// duelTable is one game or match in progress; side 0 has the first seat.
type duelTable struct {
	set         duelSettings
	dice, noise *rand.Rand
	side        [2]player
}

func (t *duelTable) die() uint8 { return uint8(1 + t.dice.IntN(6)) }

// play returns the first seat's result and how many games it took.
func (t *duelTable) play(ctx context.Context) (float64, int, error) {
	if t.set.length == 0 {
		points, err := t.game(ctx, [2]int{}, false)
		return float64(points), 1, err
	}
	score, crawfordDone := [2]int{}, false
	for n := 1; ; n++ {
		crawford := !crawfordDone && t.set.length > 1 && (score[0] == t.set.length-1 || score[1] == t.set.length-1)
		points, err := t.game(ctx, score, crawford)
		if err != nil {
			return 0, n, err
		}
		crawfordDone = crawfordDone || crawford
		if points > 0 {
			score[0] += points
		} else {
			score[1] -= points
		}
		switch {
		case score[0] >= t.set.length:
			return 1, n, nil
		case score[1] >= t.set.length:
			return -1, n, nil
		}
	}
}

// game plays one game and returns the points of the first seat.
func (t *duelTable) game(ctx context.Context, score [2]int, crawford bool) (int, error) {
	st := match.State{
		Length: t.set.length, Score: score, Cube: 1, Crawford: crawford,
		Jacoby: t.set.jacoby && t.set.length == 0,
	}
	p := board.Start
	d := board.Dice{A: t.die(), B: t.die()}
	for d.Double() {
		d = board.Dice{A: t.die(), B: t.die()}
	}
	turn, sign := 0, 1
	if d.B > d.A {
		turn, sign = 1, -1
		st = st.Swap()
	}
	for n := range maxTurns {
		if n > 0 {
			if t.mayDouble(st) {
				over, err := t.double(ctx, p, &st, turn)
				if err != nil {
					return 0, err
				}
				if over {
					return sign * st.Cube, nil
				}
			}
			d = board.Dice{A: t.die(), B: t.die()}
		}
		after, err := t.side[turn].move(ctx, p, d, st, t.set.cubeless, t.noise.Uint64())
		if err != nil {
			return 0, err
		}
		if points := after.Result(); points != 0 {
			if st.Jacoby && st.Owner == match.Centred && !t.set.cubeless {
				points = 1
			}
			return sign * points * st.Cube, nil
		}
		p, st, turn, sign = after.Swap(), st.Swap(), 1-turn, -sign
	}
	return 0, errors.New("a game does not end")
}

// mayDouble: the cube is in play, not the opponent's, and of use.
func (t *duelTable) mayDouble(st match.State) bool {
	if t.set.cubeless || st.Crawford || st.Owner == match.Theirs || st.Cube >= maxCube {
		return false
	}
	me, _ := st.Away()
	return st.Length == 0 || me > st.Cube
}

// double asks the player on turn whether to double and the other whether to take;
// over tells that the double was dropped.
func (t *duelTable) double(ctx context.Context, p board.Position, st *match.State, turn int) (over bool, err error) {
	yes, err := t.side[turn].double(ctx, p, *st, t.noise.Uint64())
	if err != nil || !yes {
		return false, err
	}
	take, err := t.side[1-turn].take(ctx, p, *st, t.noise.Uint64())
	if err != nil || !take {
		return true, err
	}
	st.Cube, st.Owner = 2*st.Cube, match.Theirs
	return false, nil
}
