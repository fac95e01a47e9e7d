package advice

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
)

// Play is one play of a roll. ResultID is the position after it with the next player on roll;
// Diff its equity less that of the best play. Trials and StdErr are those of the rollout that
// judged it, 0 without one.
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
	StdErr   float64    `json:"equity_stderr,omitempty"`
}

// Plays are the legal plays of a roll, best first.
type Plays struct {
	PositionID string `json:"position_id"`
	MatchID    string `json:"match_id"`
	XGID       string `json:"xgid"`
	// Game names the game if it is not backgammon, see Game.
	Game  string `json:"game,omitempty"`
	Rules string `json:"rules"` // in words, see Rules
	// Assumed are those of the rules that are a guess, see Assumed; set by the caller.
	Assumed []string `json:"assumed,omitempty"`
	Dice    [2]int   `json:"dice"`
	Moves   []Play   `json:"moves"`
}

// PlaysOf returns the document of candidates in the order of a ranking, in a game by rules r.
func PlaysOf(r board.Rules, s match.Situation, list []search.Candidate) Plays {
	d := s.Dice.Sorted()
	out := Plays{PositionID: s.Position.ID(), MatchID: s.MatchID(), XGID: s.XGID(), Game: Game(r), Rules: Rules(s.State), Dice: [2]int{int(d.A), int(d.B)}, Moves: []Play{}}
	for i, c := range list {
		m := Play{
			Rank: i + 1, Move: board.FormatPlay(s.Position, c.Play), ResultID: c.Play.Result.Swap().ID(),
			Equity: c.Equity, Diff: c.Equity - list[0].Equity, Probs: c.Probs, Plies: c.Plies, Trials: c.Trials, StdErr: c.StdErr,
		}
		if s.State.Length > 0 {
			mwc := c.MWC
			m.MWC = &mwc
		}
		out.Moves = append(out.Moves, m)
	}
	return out
}

// Text returns the list that people read, for a situation with state s; by are the settings of
// the search.
func (h *Plays) Text(s match.State, by *search.Settings) string {
	text := fmt.Sprintf("%s:%s roll %d%d\n%s\n%s", h.PositionID, h.MatchID, h.Dice[0], h.Dice[1], h.XGID, rulesText(h.Game, s, h.Assumed))
	if len(h.Moves) == 0 {
		return text + "no legal play\n"
	}
	behind := 10 // columns of what a play is behind the best
	if h.Moves[0].Trials > 0 {
		behind = 18
	}
	text += fmt.Sprintf("%4s %-6s %-24s %7s", "", "depth", "play", "equity")
	if h.Moves[0].MWC != nil {
		text += fmt.Sprintf(" %*s %7s", behind, "", "MWC")
	}
	text += "\n"
	at, rolled := map[int]int{}, false // plays by depth
	for _, m := range h.Moves {
		depth := fmt.Sprintf("%d-ply", m.Plies)
		if m.Trials > 0 {
			depth, rolled = fmt.Sprintf("r%d", m.Trials), true
		} else {
			at[m.Plies]++
		}
		diff := ""
		if m.Rank > 1 {
			diff = "(" + equity(m.Diff) + ")"
		}
		if m.Trials > 0 {
			diff = strings.TrimLeft(fmt.Sprintf("±%.4f %s", m.StdErr, diff), " ")
		}
		line := fmt.Sprintf("%3d. %-6s %-24s %s %-*s", m.Rank, depth, m.Move, equity(m.Equity), behind, diff)
		if m.MWC != nil {
			line += fmt.Sprintf(" %6.2f%%", 100**m.MWC)
		}
		text += strings.TrimRight(line, " ")
		text += fmt.Sprintf("\n     %.3f %.3f %.3f - %.3f %.3f %.3f\n", m.Probs[0], m.Probs[1], m.Probs[2], 1-m.Probs[0], m.Probs[3], m.Probs[4])
	}
	return text + depthNote(at, by, rolled)
}

// depthNote explains the column of depths if it has more than one; at counts the plays that
// were not rolled out by depth.
func depthNote(at map[int]int, by *search.Settings, rolled bool) string {
	var notes []string
	depths := slices.Sorted(maps.Keys(at))
	slices.Reverse(depths)
	rest := depths
	if !rolled {
		rest = depths[1:]
	}
	for _, plies := range rest {
		word := "plays"
		if at[plies] == 1 {
			word = "play"
		}
		notes = append(notes, fmt.Sprintf("%d weaker %s at %d-ply", at[plies], word, plies))
	}
	if len(notes) > 0 {
		notes[len(notes)-1] += " (--filter large looks deeper at more)"
	}
	if !rolled && depths[0] < by.Plies && by.Budget > 0 {
		notes = append(notes, fmt.Sprintf("time ran out before any play was judged at %d-ply", by.Plies))
	}
	if rolled {
		notes = append(notes, "r and a number: close plays, rolled out that many times, with the standard error of the equity")
	}
	if notes == nil {
		return ""
	}
	return "depth: " + strings.Join(notes, "; ") + "\n"
}
