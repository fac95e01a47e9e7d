package advice

import (
	"errors"
	"fmt"
	"strings"

	"fibsbot/bearoff"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
)

// HyperPlay is a play of a roll in hypergammon; Diff is its distance from the best.
type HyperPlay struct {
	Rank   int        `json:"rank"`
	Move   string     `json:"move"`
	Equity float64    `json:"equity"`
	Diff   float64    `json:"diff"`
	Probs  [5]float32 `json:"probs"`
}

// Hyper is what a hypergammon database says about a position of money play: the document
// of `fibsbot bearoff show --hyper`. The equities are those before any double now.
type Hyper struct {
	PositionID string      `json:"position_id"`
	MatchID    string      `json:"match_id"`
	Checkers   int         `json:"checkers"`
	Probs      [5]float32  `json:"probs"`
	Cubeless   float64     `json:"cubeless_equity"`
	Jacoby     float64     `json:"centred_jacoby"`
	Centred    float64     `json:"centred"`
	Owned      float64     `json:"owned"`
	OppOwned   float64     `json:"opp_owned"`
	Cube       *Cube       `json:"cube"`
	Dice       *[2]int     `json:"dice,omitempty"`
	Moves      []HyperPlay `json:"moves,omitempty"`

	decision cube.Decision
}

// ErrHyper is wrapped where a hypergammon database cannot be asked about a situation.
var ErrHyper = errors.New("hypergammon")

// HyperOf asks db about a situation of money play: its chances and equities, the cube
// decision, and the ranked plays of a roll. The error wraps ErrHyper if db does not cover
// the situation, and bearoff.ErrDamaged if its file is damaged.
func HyperOf(db *bearoff.Hyper, sit match.Situation) (s Hyper, err error) {
	if sit.State.Length > 0 {
		return s, fmt.Errorf("%w: the equities are those of money play, not of a match to %d points", ErrHyper, sit.State.Length)
	}
	p := sit.Position
	v, ok := db.Value(&p)
	if !ok {
		if db.Damaged() {
			return s, bearoff.ErrDamaged
		}
		return s, fmt.Errorf("%w: %s is not a position with %d checkers a side", ErrHyper, p.ID(), db.Checkers())
	}
	if p.Result() != 0 {
		return s, fmt.Errorf("%w: the game is over", ErrHyper)
	}
	s = Hyper{PositionID: p.ID(), MatchID: sit.MatchID(), Checkers: db.Checkers(), Probs: v.Probs, Cubeless: v.Cubeless(),
		Jacoby: v.Jacoby, Centred: v.Centred, Owned: v.Owned, OppOwned: v.OppOwned}
	st := sit.State
	l, err := cube.NewLadder(nil, st)
	if err != nil {
		return s, fmt.Errorf("%w: %w", ErrHyper, err)
	}
	s.decision = cube.Settle(nil, st, l, &p, v.Probs, v.NoDouble(st.Owner, st.Jacoby), 2*v.OppOwned)
	s.Cube = cubeOf(s.decision, st)
	if sit.Dice.Valid() {
		d := sit.Dice.Sorted()
		s.Dice = &[2]int{int(d.A), int(d.B)}
		list, err := db.Plays(p, sit.Dice, st.Owner, st.Jacoby)
		if err != nil {
			return s, err
		}
		for i, pl := range list {
			s.Moves = append(s.Moves, HyperPlay{Rank: i + 1, Move: board.FormatPlay(p, pl.Play), Equity: pl.Equity,
				Diff: pl.Equity - list[0].Equity, Probs: pl.Probs})
		}
	}
	return s, nil
}

// Text is what people read; st is the state that was asked about.
func (s *Hyper) Text(st match.State) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%s, hypergammon with %d checkers, exact\n", s.PositionID, s.MatchID, s.Checkers)
	fmt.Fprintf(&b, "win %.1f%% (gammon %.1f%%, backgammon %.1f%%)  lose %.1f%% (gammon %.1f%%, backgammon %.1f%%)\n",
		100*s.Probs[0], 100*s.Probs[1], 100*s.Probs[2], 100-100*s.Probs[0], 100*s.Probs[3], 100*s.Probs[4])
	fmt.Fprintf(&b, "equity cubeless %s, own cube %s, centred %s, with Jacoby %s, opponent's cube %s (no double now)\n",
		equity(s.Cubeless), equity(s.Owned), equity(s.Centred), equity(s.Jacoby), equity(s.OppOwned))
	if s.Cube != nil {
		b.WriteString(DescribeCube(s.decision, st))
	}
	if s.Dice != nil && len(s.Moves) == 0 {
		b.WriteString("no legal play\n")
	}
	for _, m := range s.Moves {
		fmt.Fprintf(&b, "%3d. %-24s %s (%s)\n", m.Rank, m.Move, equity(m.Equity), equity(m.Diff))
	}
	return b.String()
}
