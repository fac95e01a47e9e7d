package play

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/board"
	"fibsbot/engine/dice"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// Options are the terms of a match: in Go, in saved matches and in requests of the HTTP API.
type Options struct {
	// Length of the match in points, 0 for money play.
	Length int `json:"length,omitempty"`
	// NoCrawford plays a match without the Crawford rule, NoCube without a cube.
	NoCrawford bool `json:"no_crawford,omitempty"`
	NoCube     bool `json:"no_cube,omitempty"`
	// Jacoby (gammons count only after a double) and Beavers (how often players may
	// redouble at once: 1 beavers, 2 or more raccoons too) are rules of money play; nil
	// is true and match.DefaultBeavers, as for positions.
	Jacoby  *bool `json:"jacoby,omitempty"`
	Beavers *int  `json:"beavers,omitempty"`
	// Strength of the opponent; Name of the person, "you" if empty.
	Strength
	Name string `json:"name,omitempty"`
	// Seed of dice and of the opponent's errors; 0 draws one.
	Seed uint64 `json:"seed,omitempty"`
	// Variation is the game, one of record.VariationNames.
	Variation record.Variation `json:"variation,omitempty"`
	// Egyptian: no play puts a sixth checker on a point.
	Egyptian bool `json:"egyptian,omitempty"`
	// AutoDoubles is how often equal dice of an opening throw turn the cube of a game of
	// money play, which stays in the centre; 0 to MaxAutoDoubles.
	AutoDoubles int `json:"auto_doubles,omitempty"`
	// Dice throws the dice. Rolls, digits as dice.Read returns them, come before it.
	// ByHand leaves all dice to the person.
	Dice   dice.Generator `json:"rng,omitempty"`
	Rolls  string         `json:"rolls,omitempty"`
	ByHand bool           `json:"by_hand,omitempty"`
	// Two is a match of two people: Name and Opponent, "opponent" if empty. Event names the
	// occasion, as a tournament.
	Two      bool   `json:"two_players,omitempty"`
	Opponent string `json:"opponent_name,omitempty"`
	Event    string `json:"event,omitempty"`
	// Clock is the time of both sides, nil for none.
	Clock *Clock `json:"clock,omitempty"`
	// From is the position to begin from, see StartFrom; nil begins a game.
	From *From `json:"-"`
}

// UsualLength and UsualPreset are the defaults for a new match in the terminal, the browser
// and the API.
const (
	UsualLength = 5
	UsualPreset = "expert"
)

// maxAutoDoubles bounds Options.AutoDoubles.
const maxAutoDoubles = 6

// rules returns the rules of moving and winning.
func (o *Options) rules() board.Rules { return o.Variation.Board(o.Egyptian) }

// engine returns e for the game of the match.
func (o *Options) engine(ctx context.Context, e *engine.Engine) (*engine.Engine, error) {
	v, err := e.With(ctx, o.rules())
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOptions, err)
	}
	return v, nil
}

// Ready returns why e cannot play the match: hypergammon may lack its database. The error
// wraps ErrOptions.
func (o *Options) Ready(ctx context.Context, e *engine.Engine) error {
	_, err := o.engine(ctx, e)
	return err
}

// other finds who plays against Name.
func (o *Options) other() (Foe, error) {
	if o.Two {
		return Foe{Name: cmp.Or(o.Opponent, "opponent")}, nil
	}
	return o.resolve(o.Length)
}

// maxName bounds the name of a player, in runes.
const maxName = 40

// jacoby reports whether the Jacoby rule holds.
func (o *Options) jacoby() bool {
	return o.Length == 0 && (o.Jacoby == nil || *o.Jacoby)
}

// redoubles is how many instant redoubles are allowed, as match.State counts them.
func (o *Options) redoubles() int {
	switch {
	case o.Length > 0:
		return 0
	case o.Beavers == nil:
		return match.DefaultBeavers
	}
	return *o.Beavers
}

// wrong is the error of an option, by its name in JSON. It wraps ErrOptions and an
// *advice.FieldError.
func wrong(field, format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrOptions, &advice.FieldError{Field: field, Problem: fmt.Sprintf(format, args...)})
}

// check reports the first option that makes no sense, see wrong.
func (o *Options) check() error {
	state := advice.Overrides{Length: &o.Length, Jacoby: o.Jacoby, Beavers: o.Beavers}
	if err := state.Apply(&match.Situation{Position: board.Start, State: match.Money(true, match.DefaultBeavers)}); err != nil {
		return fmt.Errorf("%w: %w", ErrOptions, err)
	}
	for _, text := range []struct{ field, value string }{{"name", o.Name}, {"opponent_name", o.Opponent}, {"event", o.Event}} {
		if utf8.RuneCountInString(text.value) > maxName || !utf8.ValidString(text.value) || strings.ContainsFunc(text.value, unicode.IsControl) {
			return wrong(text.field, "want at most %d printable characters", maxName)
		}
	}
	v, err := record.ReadVariation(string(o.Variation))
	o.Variation = v
	switch {
	case err != nil:
		return wrong("variation", "%v", err)
	case o.AutoDoubles < 0 || o.AutoDoubles > maxAutoDoubles:
		return wrong("auto_doubles", "%d is not between 0 and %d", o.AutoDoubles, maxAutoDoubles)
	case o.AutoDoubles > 0 && (o.Length > 0 || o.NoCube):
		return wrong("auto_doubles", "a rule of money play with a cube")
	case o.Two && (o.Preset != "" && o.Own == nil || o.Rating != 0 || o.Character != ""):
		return wrong("two_players", "two people need no preset, rating or character")
	case o.Two && cmp.Or(o.Opponent, "opponent") == cmp.Or(o.Name, "you"):
		return wrong("opponent_name", "both players have the name %s", o.Opponent)
	case !o.Two && o.Opponent != "":
		return wrong("opponent_name", "names the second of two people (give two_players too)")
	case o.ByHand && o.Rolls != "":
		return wrong("rolls", "dice come from a file or by hand, not both")
	}
	if o.Rolls != "" {
		if err := dice.Check(o.Rolls); err != nil {
			return wrong("rolls", "%v", err)
		}
	}
	if err := o.Dice.Check(); err != nil {
		return wrong("rng", "%v", err)
	}
	if o.From != nil {
		if err := o.From.check(o); err != nil {
			return err
		}
	}
	if o.Clock != nil {
		if err := o.Clock.check(); err != nil {
			return err
		}
	}
	foe, err := o.other()
	if err == nil && foe.Benchmark && o.rules() != (board.Rules{}) {
		err = wrong("preset", "%s plays only games of 15 checkers without the Egyptian rule", foe.Name)
	}
	return err
}

// From is a position from which a match begins instead of the start of a game. Pairs and
// sides are those of the match.
type From struct {
	// Position is the Position ID as Side sees it, who is on roll.
	Position string `json:"position"`
	Side     int    `json:"side"`
	Score    [2]int `json:"score"`
	Cube     int    `json:"cube"`
	// Owner is the side that holds the cube, or record.NoPlayer.
	Owner    int  `json:"owner"`
	Crawford bool `json:"crawford,omitempty"`
	// Dice on the table, zero before the roll. Doubled: Side has doubled instead.
	Dice    [2]uint8 `json:"dice,omitzero"`
	Doubled bool     `json:"doubled,omitempty"`
}

// StartFrom sets position, length and score, and the rules of money play, to those of q.
// The person is the player on roll, or the one who has to answer a double; opponent gives
// the person the other side.
func (o *Options) StartFrom(q match.Situation, opponent bool) {
	side := You
	if opponent != q.Doubled {
		side = Opponent
	}
	f := &From{Position: q.Position.ID(), Side: side, Cube: q.State.Cube, Owner: record.NoPlayer, Crawford: q.State.Crawford, Doubled: q.Doubled}
	f.Score[side], f.Score[1-side] = q.State.Score[0], q.State.Score[1]
	switch q.State.Owner {
	case match.Mine:
		f.Owner = side
	case match.Theirs:
		f.Owner = 1 - side
	}
	if q.Dice.Valid() && !q.Doubled {
		f.Dice = [2]uint8{q.Dice.A, q.Dice.B}
	}
	o.From, o.Length = f, q.State.Length
	o.Jacoby, o.Beavers = nil, nil
	if o.Length == 0 {
		jacoby, beavers := q.State.Jacoby, q.State.Beavers
		o.Jacoby, o.Beavers = &jacoby, &beavers
	}
}

// situation is the position with the state of the match as Side sees it.
func (f *From) situation(o *Options) (q match.Situation, err error) {
	if f.Side != You && f.Side != Opponent || f.Owner < record.NoPlayer || f.Owner > 1 {
		return q, wrong("position", "side %d, owner %d", f.Side, f.Owner)
	}
	if q.Position, err = board.ParseID(f.Position); err != nil {
		return q, wrong("position", "%v", err)
	}
	q.State = match.State{Length: o.Length, Score: [2]int{f.Score[f.Side], f.Score[1-f.Side]}, Cube: f.Cube, Crawford: f.Crawford,
		Jacoby: o.jacoby(), Beavers: o.redoubles()}
	switch f.Owner {
	case f.Side:
		q.State.Owner = match.Mine
	case 1 - f.Side:
		q.State.Owner = match.Theirs
	}
	return q, nil
}

// check reports a position that no game of the match can reach, see wrong.
func (f *From) check(o *Options) error {
	q, err := f.situation(o)
	if err != nil {
		return err
	}
	rules := o.rules()
	dice := board.Dice{A: f.Dice[0], B: f.Dice[1]}
	switch {
	case max(q.Position.Me.Count(), q.Position.Opp.Count()) > o.Variation.Checkers():
		return wrong("position", "more than %d checkers on one side", o.Variation.Checkers())
	case rules.Result(&q.Position) != 0:
		return wrong("position", "the game is over in this position")
	case dice != (board.Dice{}) && !dice.Valid():
		return wrong("dice", "want two numbers from 1 to 6")
	case o.NoCube && (f.Cube > 1 || f.Doubled):
		return wrong("cube", "%d in a match without a cube", f.Cube)
	}
	if err := q.Position.Validate(); err != nil {
		return wrong("position", "%v", err)
	}
	if err := advice.CheckState(q.State); err != nil {
		return fmt.Errorf("%w: %w", ErrOptions, err)
	}
	if f.Doubled && (!q.State.MayDouble() || q.State.DeadCube()) {
		return wrong("position", "the player on roll may not double here")
	}
	return nil
}

// place sets up the position of the match. It was checked before.
func (s *state) place() {
	f := s.opts.From
	side, owner, score := f.Side, f.Owner, f.Score
	if s.swapped {
		side, score = 1-side, [2]int{score[1], score[0]}
		if owner != record.NoPlayer {
			owner = 1 - owner
		}
	}
	p, _ := board.ParseID(f.Position)
	if side == Opponent {
		p = p.Swap()
	}
	s.posed, s.pos, s.turn, s.Cube, s.Owner, s.Score, s.Crawford = true, p, side, f.Cube, owner, score, f.Crawford
	switch {
	case f.Doubled:
		s.Game.Double(side)
		s.phase, s.turn = ToAnswer, 1-side
	case f.Dice != [2]uint8{}:
		s.phase, s.dice = ToMove, board.Dice{A: f.Dice[0], B: f.Dice[1]}
	default:
		s.phase = ToRoll
	}
}

// Tally counts the games that were played to their end from the position of a match.
type Tally struct {
	Games int `json:"games"`
	// Won, Gammons and Points are by side; a backgammon counts as a gammon.
	Won     [2]int `json:"won"`
	Gammons [2]int `json:"gammons"`
	Points  [2]int `json:"points"`
}

// add counts a game.
func (t *Tally) add(r Result) {
	t.Games++
	t.Won[r.Winner]++
	t.Points[r.Winner] += r.Points
	if r.Level > 1 && r.How != "drop" {
		t.Gammons[r.Winner]++
	}
}

func (t Tally) swap() Tally {
	flip := func(p [2]int) [2]int { return [2]int{p[1], p[0]} }
	return Tally{t.Games, flip(t.Won), flip(t.Gammons), flip(t.Points)}
}

// again begins the position of the match once more. A game in progress does not count.
func (s *state) again(a *Act) error {
	if s.opts.From == nil {
		return fmt.Errorf("%w: again is for a match that began from a position", ErrNotNow)
	}
	if s.phase == MatchOver {
		return s.notNow(a)
	}
	s.game++
	s.begin()
	s.place()
	return nil
}

// swap gives the person the other side, with its score, cube and checkers.
func (s *state) swap() error {
	switch s.phase {
	case ToRoll, ToMove, ToAnswer:
	default:
		return fmt.Errorf("%w: sides are swapped before a roll, a play or an answer", ErrNotNow)
	}
	if s.opts.Two {
		return fmt.Errorf("%w: each of two people keeps a side", ErrNotNow)
	}
	s.swapped = !s.swapped
	s.clock.left = [2]int64{s.clock.left[1], s.clock.left[0]}
	s.pos, s.turn = s.pos.Swap(), 1-s.turn
	s.Game.Swap()
	s.tally = s.tally.swap()
	// The acts of this game keep their checkers.
	entries := make([]Entry, len(s.entries))
	for i, e := range s.entries {
		if e.Game == s.game {
			e.Side = 1 - e.Side
		}
		entries[i] = e
	}
	s.entries = entries
	return nil
}
