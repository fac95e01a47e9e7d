package duel

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"

	"fibsbot/engine"
	"fibsbot/engine/analyse"
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
	KeepOpening bool        // with Luck: does not take the luck of first rolls off
	Differences *Valuer     // nil does not ask what the other player would do
	// Judge judges the decisions of both (see Pair.Profile); nil leaves that. Each game or match
	// has a copy of its own.
	Judge *analyse.Analyst
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
	// Profile is what A's and B's decisions gave up; nil without Settings.Judge.
	Profile *[2]analyse.Profile `json:"profile,omitempty"`
	// Asked is what A and B were asked for; nil unless both are [Watched]. A seed does not
	// determine its times.
	Asked *[2]Asked `json:"asked,omitempty"`
}

// PlayPair plays the same dice twice with the seats exchanged. pair is the number of
// the pair, from 0, and decides its dice together with the seed of set.
func PlayPair(ctx context.Context, two [2]Player, set Settings, pair uint64) (out Pair, err error) {
	if set.Judge != nil {
		out.Profile = new([2]analyse.Profile)
	}
	for seat := range 2 {
		t := &table{set: set, by: set.chance(pair, seat), side: [2]Player{two[seat], two[1-seat]}}
		if set.Judge != nil {
			t.rec = set.record()
		}
		if err := t.play(ctx); err != nil {
			return out, err
		}
		sign := float64(1 - 2*seat)
		out.Games += t.Games
		out.Differ += t.Differ
		out.Result[seat], out.Luck[seat], out.Edge[seat] = sign*t.Result, sign*t.Luck, sign*t.Edge
		if set.Judge == nil {
			continue
		}
		judge := *set.Judge
		found, err := judge.Analyse(ctx, t.rec)
		if err != nil {
			return out, err
		}
		for side, p := range found.Profiles() {
			out.Profile[side^seat].Add(&p)
		}
	}
	out.Asked = askedOf(two)
	return out, nil
}

// Chance is what is drawn at random in a game or match.
type Chance struct {
	Roll func() board.Dice
	// Noise seeds the decisions.
	Noise *rand.Rand
	// Begin, unless nil, is called before each game with its number, from 1.
	Begin func(game int)
}

// chance is that of a pair, with A in a seat.
func (s *Settings) chance(pair uint64, seat int) Chance {
	return Chance{Roll: Dice(s.Dice.New(s.Seed, pair)), Noise: rand.New(rand.NewPCG(s.Seed^0x5bd1e995, pair<<1|uint64(seat)))}
}

// Dice returns the throws of two dice, one after the other, by r.
func Dice(r *rand.Rand) func() board.Dice {
	return func() board.Dice { return board.Dice{A: uint8(1 + r.IntN(6)), B: uint8(1 + r.IntN(6))} }
}

// Played is what one game or match gave the first seat, in the units of Pair.
type Played struct {
	Result, Luck, Edge float64
	Games, Differ      int
}

// PlayOne plays one game or match. Both players, Roll and Noise must be there.
func PlayOne(ctx context.Context, two [2]Player, set Settings, by Chance) (Played, error) {
	t := &table{set: set, by: by, side: two}
	err := t.play(ctx)
	return t.Played, err
}

// Record plays match number match of a stream and returns its record, player 0 in the first seat.
// The match depends on the number and the settings alone; set.Length must not be 0.
func Record(ctx context.Context, two [2]Player, set Settings, match uint64) (*record.Match, error) {
	if set.Length < 1 {
		return nil, errors.New("duel: a record of money play")
	}
	m := set.record()
	t := &table{set: set, by: set.chance(match, 0), side: two, rec: m}
	return m, t.play(ctx)
}

// record is that of a match or money game before its first game.
func (s *Settings) record() *record.Match {
	return &record.Match{Length: s.Length, Rules: record.Rules{Crawford: s.Length > 0, Jacoby: s.Jacoby && !s.Cubeless && s.Length == 0, NoCube: s.Cubeless, Variation: s.Variation, Egyptian: s.Egyptian}}
}

// errNoEngine is what a duel without an engine says.
var errNoEngine = errors.New("duel: no engine")

// table is one game or match in progress; side 0 has the first seat.
type table struct {
	Played
	set  Settings
	by   Chance
	side [2]Player
	game match.Game
	rec  *record.Match // of the match, or nil
}

// note adds an action to the record, if there is one.
func (t *table) note(a record.Action) {
	if t.rec != nil {
		g := &t.rec.Games[len(t.rec.Games)-1]
		g.Actions = append(g.Actions, a)
	}
}

// begin and end note a game with the score before it, and who won it.
func (t *table) begin() {
	if t.rec != nil {
		g := record.Game{Number: len(t.rec.Games), Score: t.game.Score, Crawford: t.game.Crawford, Cube: 1}
		t.rec.Games = append(t.rec.Games, g)
	}
}

func (t *table) end(winner, points int) {
	if t.rec != nil {
		t.rec.Games[len(t.rec.Games)-1].Result = record.Result{Points: points, Winner: winner}
	}
}

// play plays the game or match.
func (t *table) play(ctx context.Context) error {
	switch {
	case t.side[0] == nil || t.side[1] == nil:
		return errors.New("duel: a seat without a player")
	case t.by.Roll == nil || t.by.Noise == nil:
		return errors.New("duel: no dice, or no noise")
	}
	money := t.set.Length == 0
	t.game = match.Game{Length: t.set.Length, Cube: 1, Owner: match.NoSide, Jacoby: t.set.Jacoby && !t.set.Cubeless}
	for over := false; !over; {
		t.Games++
		if t.by.Begin != nil {
			t.by.Begin(t.Games)
		}
		t.begin()
		winner, points, err := t.playGame(ctx)
		if err != nil {
			return err
		}
		t.end(winner, points)
		t.Result = sign(winner)
		if money {
			t.Result *= float64(points)
		}
		t.game = t.game.Next(winner, points, true)
		over = money || t.game.State(0).Finished()
	}
	return nil
}

// sign is 1 for the first seat, -1 for the second.
func sign(seat int) float64 { return float64(1 - 2*seat) }

// first throws the dice of the first play: the higher die decides whose it is. Equal dice turn the cube
// of a money game as often as the settings say.
func (t *table) first() (d board.Dice, turn int) {
	d = t.by.Roll()
	for ties := 0; d.Double(); ties++ {
		if ties < t.set.AutoDoubles && t.set.Length == 0 && !t.set.Cubeless {
			t.game.Cube *= 2
		}
		d = t.by.Roll()
	}
	if d.B > d.A {
		turn = 1
	}
	return d, turn
}

// playGame plays one game and returns who won how many points.
func (t *table) playGame(ctx context.Context) (winner, points int, err error) {
	rules := t.set.Variation.Board(t.set.Egyptian)
	p := t.set.Variation.Start()
	d, turn := t.first()
	for n := range maxTurns {
		if n > 0 {
			dropped, err := t.double(ctx, p, turn)
			if err != nil || dropped {
				return turn, t.game.Cube, err
			}
			d = t.by.Roll()
		}
		st := t.game.State(turn)
		if err := t.judge(ctx, p, st, d, n == 0, turn); err != nil {
			return 0, 0, err
		}
		after, err := t.move(ctx, p, d, st, turn)
		if err != nil {
			return 0, 0, err
		}
		if level := rules.Result(&after); level != 0 {
			return turn, st.Points(level), nil
		}
		p, turn = after.Swap(), 1-turn
	}
	return 0, 0, errors.New("a game does not end")
}

// mayDouble: the cube is in play, not the opponent's, and of use.
func (t *table) mayDouble(st match.State) bool {
	return !t.set.Cubeless && st.MayDouble() && !st.DeadCube() && st.Cube < maxCube
}

// move asks the player on turn for his play.
func (t *table) move(ctx context.Context, p board.Position, d board.Dice, st match.State, turn int) (board.Position, error) {
	seed := t.by.Noise.Uint64()
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

// double asks the player on turn, if the cube is of use to him, whether to double and the other whether to
// take.
func (t *table) double(ctx context.Context, p board.Position, turn int) (dropped bool, err error) {
	st := t.game.State(turn)
	if !t.mayDouble(st) {
		return false, nil
	}
	seed := t.by.Noise.Uint64()
	yes, err := t.side[turn].Double(ctx, p, st, seed)
	if err != nil {
		return false, err
	}
	var take bool
	if yes {
		seed = t.by.Noise.Uint64()
		if take, err = t.side[1-turn].Take(ctx, p, st, seed); err != nil {
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
		if err := t.otherCube(ctx, p, st, turn, seed, yes, take); err != nil {
			return false, err
		}
	}
	if yes && take {
		t.game.Double(turn)
		t.game.Take()
	}
	return yes && !take, nil
}

// judge adds the luck of roll d, thrown by the player on turn at p, to the first
// seat's, if luck is measured.
func (t *table) judge(ctx context.Context, p board.Position, st match.State, d board.Dice, opening bool, turn int) error {
	if t.set.Luck == nil || opening && t.set.KeepOpening {
		return nil
	}
	of := t.set.Luck.Roll
	if opening {
		of = t.set.Luck.Opening
	}
	v, err := of(ctx, p, st, d)
	if err != nil {
		return err
	}
	t.Luck += sign(turn) * unit(st) * v
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

// Outside makes players that are another engine (package external), each with a program or a
// connection of its own. What a started program says on standard error goes to stderr. The seed
// of a decision has no part in it. One that does not know the cube plays cubeless, never doubles
// and always takes.
func Outside(spec external.Spec, stderr io.Writer) Maker {
	return func(ctx context.Context) (Player, error) {
		engine, err := spec.Open(ctx, stderr)
		if err != nil {
			return nil, err
		}
		return &outside{engine}, nil
	}
}

type outside struct{ engine external.Asked }

// Move implements Player.
func (x *outside) Move(ctx context.Context, p board.Position, d board.Dice, st match.State, cubeless bool, _ uint64) (board.Position, error) {
	a, err := x.engine.Decide(ctx, match.Situation{Position: p, State: st, Dice: d}, cubeless || !x.engine.Cube())
	return a.After(p), err
}

// Double implements Player.
func (x *outside) Double(ctx context.Context, p board.Position, st match.State, _ uint64) (bool, error) {
	if !x.engine.Cube() {
		return false, nil
	}
	a, err := x.engine.Decide(ctx, match.Situation{Position: p, State: st}, false)
	return a.Double, err
}

// Take implements Player.
func (x *outside) Take(ctx context.Context, p board.Position, st match.State, _ uint64) (bool, error) {
	if !x.engine.Cube() {
		return true, nil
	}
	a, err := x.engine.Decide(ctx, match.Situation{Position: p, State: st, Doubled: true}, false)
	return a.Take, err
}

// Close implements Player.
func (x *outside) Close() { _ = x.engine.Close() }

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
