package advice

import (
	"fmt"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
)

// Play is one play of a roll. ResultID is the position after it with the next player
// on roll; Diff what it gives up against the best, 0 or less; Trials the length of the
// rollout that judged it, 0 without one.
type Play struct {
	Rank     int        `json:"rank"`
	Move     string     `json:"move"`
	ResultID string     `json:"result_id"`
	Equity   float64    `json:"equity"`
	Diff     float64    `json:"diff"`
	MWC      *float64   `json:"mwc,omitempty"`
	Probs    eval.Probs `json:"probs"`
	Plies    int        `json:"plies"`
	Trials   int        `json:"trials,omitempty"`
}

// Plays are the legal plays of a roll, best first.
type Plays struct {
	PositionID string `json:"position_id"`
	MatchID    string `json:"match_id"`
	Dice       [2]int `json:"dice"`
	Moves      []Play `json:"moves"`
}

// PlaysOf is the document of candidates in the order of a ranking.
func PlaysOf(s match.Situation, list []search.Candidate) Plays {
	d := s.Dice.Sorted()
	out := Plays{PositionID: s.Position.ID(), MatchID: s.MatchID(), Dice: [2]int{int(d.A), int(d.B)}, Moves: []Play{}}
	for i, c := range list {
		m := Play{
			Rank: i + 1, Move: board.FormatPlay(s.Position, c.Play), ResultID: c.Play.Result.Swap().ID(),
			Equity: c.Equity, Diff: c.Equity - list[0].Equity, Probs: c.Probs, Plies: c.Plies, Trials: c.Trials,
		}
		if s.State.Length > 0 {
			mwc := c.MWC
			m.MWC = &mwc
		}
		out.Moves = append(out.Moves, m)
	}
	return out
}

// Text is the list that people read.
func (h *Plays) Text() string {
	if len(h.Moves) == 0 {
		return "no legal play\n"
	}
	text := fmt.Sprintf("%s roll %d%d\n", h.PositionID, h.Dice[0], h.Dice[1])
	for _, m := range h.Moves {
		depth := fmt.Sprintf("%d-ply", m.Plies)
		if m.Trials > 0 {
			depth = fmt.Sprintf("r%d", m.Trials)
		}
		text += fmt.Sprintf("%3d. %-5s  %-24s %+.4f", m.Rank, depth, m.Move, m.Equity)
		if m.Rank > 1 {
			text += fmt.Sprintf(" (%+.4f)", m.Diff)
		}
		if m.MWC != nil {
			text += fmt.Sprintf("  %.2f%%", 100**m.MWC)
		}
		text += fmt.Sprintf("\n     %.3f %.3f %.3f - %.3f %.3f %.3f\n", m.Probs[0], m.Probs[1], m.Probs[2], 1-m.Probs[0], m.Probs[3], m.Probs[4])
	}
	return text
}
