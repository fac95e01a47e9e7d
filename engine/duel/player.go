package duel

import (
	"context"
	"io"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/external"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

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
