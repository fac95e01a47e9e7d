package duel

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/dice"
	"fibsbot/engine/eval"
	"fibsbot/engine/external"
	"fibsbot/engine/luck"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
)

// maxTurns ends a game that does not end: far above anything real.
const maxTurns = 4000

// maxCube is the highest cube of a duel.
const maxCube = 1024

// Settings are the rules of a duel and what is measured in it.
type Settings struct {
	Length      int // match length, 0 for money games
	Cubeless    bool
	Jacoby      bool // in money games with the cube
	Variation   record.Variation
	Egyptian    bool // at most five checkers on a point
	AutoDoubles int  // how often equal dice of a first throw turn the cube of a money game
	Dice        dice.Generator
	Seed        uint64      // of all dice and noise
	Luck        *luck.Meter // nil leaves luck alone
	Differences *Valuer     // nil does not ask what the other player would do
}

// Pair is what the two games or matches of a pair gave A: first with A in the first
// seat, then with the seats exchanged.
type Pair struct {
	// Result is points of a money game, +1 or -1 of a match.
	Result [2]float64 `json:"result"`
	// Luck is A's luck in the same unit; zeros without Settings.Luck.
	Luck  [2]float64 `json:"luck"`
	Games int        `json:"games"`
	// Edge is what A's choices are worth above B's in the same unit, and Differ at
	// how many decisions they were not the same; zeros without Settings.Differences.
	Edge   [2]float64 `json:"edge"`
	Differ int        `json:"differ"`
}

// PlayPair plays the same dice twice with the seats exchanged. pair is the number of
// the pair, from 0, and decides its dice together with the seed of set.
func PlayPair(ctx context.Context, two [2]Player, set Settings, pair uint64) (out Pair, err error) {
	if err := seated(two); err != nil {
		return out, err
	}
	for seat := range 2 {
		t := &table{
			set:   set,
			dice:  set.Dice.New(set.Seed, pair),
			noise: rand.New(rand.NewPCG(set.Seed^0x5bd1e995, pair<<1|uint64(seat))),
			side:  [2]Player{two[seat], two[1-seat]},
		}
		result, n, err := t.play(ctx)
		if err != nil {
			return out, err
		}
		sign := float64(1 - 2*seat)
		out.Games += n
		out.Differ += t.differ
		out.Result[seat], out.Luck[seat], out.Edge[seat] = sign*result, sign*t.luck, sign*t.edge
	}
	return out, nil
}

// PlayOne plays one game or match with dice and noise of the caller's and returns the
// first seat's result and how many games it took. Both players, dice and noise must be
// there.
func PlayOne(ctx context.Context, two [2]Player, set Settings, dice, noise *rand.Rand) (result float64, games int, err error) {
	if err := seated(two); err != nil {
		return 0, 0, err
	}
	if dice == nil || noise == nil {
		return 0, 0, errors.New("duel: no dice, or no noise")
	}
	t := &table{set: set, dice: dice, noise: noise, side: two}
	return t.play(ctx)
}

// Record plays match number match of a stream and returns its record, player 0 in the first seat.
// The match depends on the number and the settings alone; set.Length must not be 0.
func Record(ctx context.Context, two [2]Player, set Settings, match uint64) (*record.Match, error) {
	if err := seated(two); err != nil {
		return nil, err
	}
	if set.Length < 1 {
		return nil, errors.New("duel: a record of money play")
	}
	m := &record.Match{Length: set.Length, Rules: record.Rules{Crawford: true, NoCube: set.Cubeless, Variation: set.Variation, Egyptian: set.Egyptian}}
	t := &table{
		set:   set,
		dice:  set.Dice.New(set.Seed, match),
		noise: rand.New(rand.NewPCG(set.Seed^0x5bd1e995, match<<1)),
		side:  two,
		rec:   m,
	}
	_, _, err := t.play(ctx)
	return m, err
}

// errNoPlayer and errNoEngine are what a duel says that lacks them.
var (
	errNoPlayer = errors.New("duel: a seat without a player")
	errNoEngine = errors.New("duel: no engine")
)

// seated reports a seat without a player.
func seated(two [2]Player) error {
	if two[0] == nil || two[1] == nil {
		return errNoPlayer
	}
	return nil
}

// table is one game or match in progress; side 0 has the first seat.
type table struct {
	set         Settings
	dice, noise *rand.Rand
	side        [2]Player
	// The first seat's so far, in the unit of results.
	luck, edge float64
	differ     int           // decisions that the two would have made differently
	rec        *record.Match // of the match, or nil
}

// note adds an action to the record, if there is one.
func (t *table) note(a record.Action) {
	if t.rec != nil {
		g := &t.rec.Games[len(t.rec.Games)-1]
		g.Actions = append(g.Actions, a)
	}
}

// begin and end note a game with the score before it, and what the first seat won in it.
func (t *table) begin(score [2]int, crawford bool) {
	if t.rec != nil {
		t.rec.Games = append(t.rec.Games, record.Game{Number: len(t.rec.Games), Score: score, Crawford: crawford, Cube: 1})
	}
}

func (t *table) end(points int) {
	switch {
	case t.rec == nil:
	case points > 0:
		t.rec.Games[len(t.rec.Games)-1].Result = record.Result{Points: points}
	default:
		t.rec.Games[len(t.rec.Games)-1].Result = record.Result{Points: -points, Winner: 1}
	}
}

func (t *table) die() uint8 { return uint8(1 + t.dice.IntN(6)) }

// play returns the first seat's result and how many games it took.
func (t *table) play(ctx context.Context) (float64, int, error) {
	if t.set.Length == 0 {
		points, err := t.game(ctx, [2]int{}, false)
		return float64(points), 1, err
	}
	st := match.State{Length: t.set.Length, Cube: 1}
	for n := 1; ; n++ {
		t.begin(st.Score, st.Crawford)
		points, err := t.game(ctx, st.Score, st.Crawford)
		if err != nil {
			return 0, n, err
		}
		t.end(points)
		if st = st.NextGame(points, true); st.Finished() {
			if points > 0 {
				return 1, n, nil
			}
			return -1, n, nil
		}
	}
}

// game plays one game and returns the points of the first seat.
func (t *table) game(ctx context.Context, score [2]int, crawford bool) (int, error) {
	st := match.State{
		Length: t.set.Length, Score: score, Cube: 1, Crawford: crawford,
		Jacoby: t.set.Jacoby && t.set.Length == 0 && !t.set.Cubeless,
	}
	p := t.set.Variation.Start()
	d := board.Dice{A: t.die(), B: t.die()}
	for ties := 0; d.Double(); ties++ {
		if ties < t.set.AutoDoubles && t.set.Length == 0 && !t.set.Cubeless {
			st.Cube *= 2
		}
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
		if t.set.Luck != nil {
			if err := t.judge(ctx, p, st, d, n == 0, sign); err != nil {
				return 0, err
			}
		}
		after, err := t.move(ctx, p, d, st, turn)
		if err != nil {
			return 0, err
		}
		rules := t.set.Variation.Board(t.set.Egyptian)
		if points := rules.Result(&after); points != 0 {
			if st.Jacoby && st.Owner == match.Centred {
				points = 1
			}
			return sign * points * st.Cube, nil
		}
		p, st, turn, sign = after.Swap(), st.Swap(), 1-turn, -sign
	}
	return 0, errors.New("a game does not end")
}

// mayDouble: the cube is in play, not the opponent's, and of use.
func (t *table) mayDouble(st match.State) bool {
	if t.set.Cubeless || st.Crawford || st.Owner == match.Theirs || st.Cube >= maxCube {
		return false
	}
	me, _ := st.Away()
	return st.Length == 0 || me > st.Cube
}

// move asks the player on turn for his play.
func (t *table) move(ctx context.Context, p board.Position, d board.Dice, st match.State, turn int) (board.Position, error) {
	seed := t.noise.Uint64()
	after, err := t.side[turn].Move(ctx, p, d, st, t.set.Cubeless, seed)
	if err == nil && t.rec != nil {
		t.note(record.Action{Kind: record.Move, Player: turn, Dice: d, Steps: t.steps(p, d, after)})
	}
	if err != nil || t.set.Differences == nil {
		return after, err
	}
	return after, t.otherPlay(ctx, p, d, st, turn, seed, after)
}

// steps are those of the play of d that leads from p to after.
func (t *table) steps(p board.Position, d board.Dice, after board.Position) []board.Step {
	for _, play := range t.set.Variation.Board(t.set.Egyptian).AppendPlays(nil, p, d) {
		if play.Result == after {
			return slices.Clone(play.Steps[:play.N])
		}
	}
	return nil
}

// double asks the player on turn whether to double and the other whether to take;
// over tells that the double was dropped.
func (t *table) double(ctx context.Context, p board.Position, st *match.State, turn int) (over bool, err error) {
	seed := t.noise.Uint64()
	yes, err := t.side[turn].Double(ctx, p, *st, seed)
	if err != nil {
		return false, err
	}
	var take bool
	if yes {
		seed = t.noise.Uint64()
		if take, err = t.side[1-turn].Take(ctx, p, *st, seed); err != nil {
			return false, err
		}
		t.note(record.Action{Kind: record.Double, Player: turn})
		answer := record.Drop
		if take {
			answer = record.Take
		}
		t.note(record.Action{Kind: answer, Player: 1 - turn})
	}
	if t.set.Differences != nil {
		if err := t.otherCube(ctx, p, *st, turn, seed, yes, take); err != nil {
			return false, err
		}
	}
	if !yes || !take {
		return yes, nil
	}
	st.Cube, st.Owner = 2*st.Cube, match.Theirs
	return false, nil
}

// judge adds the luck of roll d, thrown by the player on roll at p, to the first
// seat's; sign is -1 when the other seat threw it.
func (t *table) judge(ctx context.Context, p board.Position, st match.State, d board.Dice, opening bool, sign int) error {
	of := t.set.Luck.Roll
	if opening {
		of = t.set.Luck.Opening
	}
	v, err := of(ctx, p, st, d)
	if err != nil {
		return err
	}
	t.luck += float64(sign) * unit(st) * v
	return nil
}

// unit is what one unit of the judges is worth as a result: equity at the present
// cube in points, match winning chance on the scale from -1 to 1.
func unit(st match.State) float64 {
	if st.Length == 0 {
		return float64(st.Cube)
	}
	return 2
}

// Player makes the decisions of one side of a duel. All positions and states are
// seen by the player on roll. seed is different for each decision of a duel and the
// same in each run of it.
type Player interface {
	// Move returns the position after the play, still seen by the mover: p itself
	// where no play is legal.
	Move(ctx context.Context, p board.Position, d board.Dice, st match.State, cubeless bool, seed uint64) (board.Position, error)
	// Double reports whether the player on roll at p doubles.
	Double(ctx context.Context, p board.Position, st match.State, seed uint64) (bool, error)
	// Take reports whether the player who was doubled takes; p and st are the doubler's.
	Take(ctx context.Context, p board.Position, st match.State, seed uint64) (bool, error)
	// Close ends the player.
	Close()
}

// Maker makes a player. Each job of a [Run] has players of its own.
type Maker func(ctx context.Context) (Player, error)

// Preset makes players of e's with the settings p. The players share the engine; without
// one making them is an error.
func Preset(e *engine.Engine, p preset.Preset) Maker {
	return func(context.Context) (Player, error) {
		if e == nil {
			return nil, errNoEngine
		}
		return &presetPlayer{engine: e, preset: p}, nil
	}
}

// presetPlayer plays with the engine of this process.
type presetPlayer struct {
	engine *engine.Engine
	preset preset.Preset
}

// Move implements Player.
func (x *presetPlayer) Move(ctx context.Context, p board.Position, d board.Dice, st match.State, cubeless bool, seed uint64) (board.Position, error) {
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

// Double implements Player.
func (x *presetPlayer) Double(ctx context.Context, p board.Position, st match.State, seed uint64) (bool, error) {
	double, _, err := x.engine.Double(ctx, p, st, x.preset.WithSeed(seed))
	return double, err
}

// Take implements Player.
func (x *presetPlayer) Take(ctx context.Context, p board.Position, st match.State, seed uint64) (bool, error) {
	a, err := x.engine.TakeDecision(ctx, p, st, x.preset.WithSeed(seed))
	return a.Take, err
}

// Close implements Player.
func (x *presetPlayer) Close() {}

// Program makes players that are other programs: words are a command and its
// arguments, and it speaks the line protocol (package external) on its standard input
// and output. What it says on standard error goes to stderr. The seed of a decision
// has no part in it.
func Program(words []string, stderr io.Writer) Maker {
	return func(ctx context.Context) (Player, error) {
		c, err := external.Start(ctx, words, stderr)
		if err != nil {
			return nil, err
		}
		return &programPlayer{c}, nil
	}
}

// External makes players that are a program at HOST:PORT that serves gnubg's
// external-player protocol, each with a connection of its own. The seed of a decision has
// no part in it.
func External(address string) Maker {
	return func(ctx context.Context) (Player, error) {
		c, err := external.Dial(ctx, address)
		if err != nil {
			return nil, err
		}
		return &programPlayer{c}, nil
	}
}

// programPlayer is another program. One that does not know the cube plays
// cubeless, never doubles and always takes.
type programPlayer struct {
	client interface {
		Cube() bool
		Move(board.Position, board.Dice, match.State) (board.Position, error)
		MoveCubeless(board.Position, board.Dice) (board.Position, error)
		Double(board.Position, match.State) (bool, error)
		Take(board.Position, match.State) (bool, error)
		Close() error
	}
}

// Move implements Player.
func (x *programPlayer) Move(_ context.Context, p board.Position, d board.Dice, st match.State, cubeless bool, _ uint64) (board.Position, error) {
	if cubeless || !x.client.Cube() {
		return x.client.MoveCubeless(p, d)
	}
	return x.client.Move(p, d, st)
}

// Double implements Player.
func (x *programPlayer) Double(_ context.Context, p board.Position, st match.State, _ uint64) (bool, error) {
	if !x.client.Cube() {
		return false, nil
	}
	return x.client.Double(p, st)
}

// Take implements Player.
func (x *programPlayer) Take(_ context.Context, p board.Position, st match.State, _ uint64) (bool, error) {
	if !x.client.Cube() {
		return true, nil
	}
	return x.client.Take(p, st)
}

// Close implements Player.
func (x *programPlayer) Close() { _ = x.client.Close() }

// Pubeval makes players that play as Tesauro's benchmark does ([eval.Pubeval]). It knows
// no cube: it never doubles and always takes.
func Pubeval(context.Context) (Player, error) { return &pubevalPlayer{}, nil }

type pubevalPlayer struct {
	judge eval.Pubeval
	plays []board.Play
}

// Move implements Player.
func (x *pubevalPlayer) Move(_ context.Context, p board.Position, d board.Dice, _ match.State, _ bool, _ uint64) (board.Position, error) {
	x.plays = board.AppendPlays(x.plays[:0], p, d)
	if len(x.plays) == 0 {
		return p, nil
	}
	return x.plays[x.judge.Best(&p, x.plays)].Result, nil
}

// Double implements Player.
func (x *pubevalPlayer) Double(context.Context, board.Position, match.State, uint64) (bool, error) {
	return false, nil
}

// Take implements Player.
func (x *pubevalPlayer) Take(context.Context, board.Position, match.State, uint64) (bool, error) {
	return true, nil
}

// Close implements Player.
func (x *pubevalPlayer) Close() {}
