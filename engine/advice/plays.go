package advice

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/search"
	"fibsbot/internal/figure"
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
	about
	Dice  [2]int `json:"dice"`
	Moves []Play `json:"moves"`
}

// PlaysOf returns the document of candidates in the order of a ranking, in a game by rules r.
func PlaysOf(r board.Rules, s match.Situation, list []search.Candidate) Plays {
	d := s.Dice.Sorted()
	out := Plays{about: aboutOf(r, s), Dice: [2]int{int(d.A), int(d.B)}, Moves: []Play{}}
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

// RollReply is one of the 21 rolls with the play that is best and what it leads to.
type RollReply struct {
	Dice   [2]int `json:"dice"`
	Weight int    `json:"weight"` // of 36
	Best   string `json:"best"`
	// NoDouble is the equity after the play with the cube as it is; DoubleTake that of
	// having doubled before the roll, and been taken, at the present cube. Nil where
	// the cube cannot be turned.
	NoDouble   float64  `json:"no_double"`
	DoubleTake *float64 `json:"double_take,omitempty"`
	// Loser reports whether the roll loses the market: without a double the player is then at
	// or above the value of a pass.
	Loser bool `json:"market_loser"`
	// Lose is the opponent's chance to win after the play.
	Lose float64 `json:"lose"`
}

// RollMap is every roll, in the order of board.Rolls, and the means.
type RollMap struct {
	Rolls      []RollReply `json:"rolls"`
	NoDouble   float64     `json:"no_double"`
	DoubleTake *float64    `json:"double_take,omitempty"`
	// Losers is the number of the 36 throws that lose the market.
	Losers int `json:"market_losers"`
	// Beaver reports whether the opponent would beaver the double; double_take then counts
	// twice.
	Beaver bool `json:"beaver,omitempty"`
}

// RollsOf answers each roll of the player on roll with the best play of pr, once with
// the cube as it is and once after double and take; the dice of s are ignored. Equities
// are cubeful, in EMG of the present cube. Errors are those of the search.
func RollsOf(ctx context.Context, e *engine.Engine, s match.Situation, pr preset.Preset) (*RollMap, error) {
	pr.Checker.Cubeful, pr.Cube.Cubeful = true, true
	out := &RollMap{}
	doubling := s.State.MayDouble() && !s.State.DeadCube()
	mean := 0.0
	for _, roll := range board.Rolls {
		x := RollReply{Dice: [2]int{int(roll.Dice.A), int(roll.Dice.B)}, Weight: roll.Weight}
		var err error
		if x.NoDouble, x.Lose, x.Best, err = afterRoll(ctx, e, s.Position, roll.Dice, s.State, pr); err != nil {
			return nil, fmt.Errorf("roll %d%d: %w", roll.Dice.A, roll.Dice.B, err)
		}
		w := float64(roll.Weight) / 36
		out.NoDouble += w * x.NoDouble
		if doubling {
			st := s.State.Doubled()
			v, _, _, err := afterRoll(ctx, e, s.Position, roll.Dice, st, pr)
			if err != nil {
				return nil, fmt.Errorf("roll %d%d, doubled: %w", roll.Dice.A, roll.Dice.B, err)
			}
			if t := e.Table(); s.State.Length > 0 {
				v = t.EMG(s.State, t.MWC(st, v))
			} else {
				v *= 2
			}
			x.DoubleTake = &v
			mean += w * v
			if x.Loser = x.NoDouble >= 1; x.Loser {
				out.Losers += roll.Weight
			}
		}
		out.Rolls = append(out.Rolls, x)
	}
	if doubling {
		out.DoubleTake = &mean
		out.Beaver = s.State.Length == 0 && s.State.Beavers > 0 && mean < 0
	}
	return out, nil
}

// afterRoll is the cubeful equity of roll d after its best play, the opponent's chance
// to win then, and the play in words.
func afterRoll(ctx context.Context, e *engine.Engine, p board.Position, d board.Dice, st match.State, pr preset.Preset) (equity, lose float64, best string, err error) {
	list, err := e.RankPlays(ctx, p, d, st, pr)
	if err != nil {
		return 0, 0, "", err
	}
	if len(list) > 0 {
		return list[0].Equity, 1 - float64(list[0].Probs[0]), board.FormatPlay(p, list[0].Play), nil
	}
	list, err = e.Search().Rate(ctx, p, []board.Play{{Result: p}}, st, pr.Checker)
	if err != nil {
		return 0, 0, "", err
	}
	return list[0].Equity, 1 - float64(list[0].Probs[0]), "cannot move", nil
}

// Text is the table that people read.
func (m *RollMap) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-5s %-24s %10s", "roll", "best play", "no double")
	if m.DoubleTake != nil {
		fmt.Fprintf(&b, " %12s", "double, take")
	}
	b.WriteByte('\n')
	line := func(name, play string, noDouble float64, doubleTake *float64, loser bool) {
		fmt.Fprintf(&b, "%-5s %-24s %s", name, play, figure.Text("%+10.4f", noDouble))
		if doubleTake != nil {
			b.WriteString(figure.Text(" %+12.4f", *doubleTake))
		}
		if loser {
			b.WriteString("  loses the market")
		}
		b.WriteByte('\n')
	}
	for _, r := range m.Rolls {
		line(fmt.Sprintf("%d%d", r.Dice[0], r.Dice[1]), r.Best, r.NoDouble, r.DoubleTake, r.Loser)
	}
	line("mean", "", m.NoDouble, m.DoubleTake, false)
	if m.DoubleTake != nil {
		fmt.Fprintf(&b, "%d of 36 throws lose the market\n", m.Losers)
	}
	if m.Beaver {
		fmt.Fprintf(&b, "double, beaver: %s\n", equity(2*(*m.DoubleTake)))
	}
	return b.String()
}
