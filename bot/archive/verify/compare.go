package verify

import (
	"fmt"
	"slices"
	"strings"

	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
	"fibsbot/engine/record"
)

// illegal describes the first action of a match that the rules do not allow, or whose analysis
// has plays of another position, or returns "".
func illegal(m *record.Match) string {
	var plays []board.Play
	for i := range m.Games {
		for turn := range m.Turns(&m.Games[i]) {
			a := turn.Action
			if a.Illegal || !turn.Legal {
				return fmt.Sprintf("game %d, action %d: illegal %v: %s", i+1, turn.Index+1, a.Kind, turn.Problem)
			}
			if a.Analysis == nil || len(a.Analysis.Candidates) == 0 || !a.Dice.Valid() {
				continue
			}
			plays = m.Rules.Board().AppendPlays(plays[:0], turn.Position, a.Dice)
			for _, c := range a.Analysis.Candidates {
				result := record.Apply(turn.Position, c.Steps)
				if !slices.ContainsFunc(plays, func(p board.Play) bool { return p.Result == result }) {
					return fmt.Sprintf("game %d, action %d: its analysis is of another position or roll", i+1, turn.Index+1)
				}
			}
		}
	}
	return ""
}

// torn reports whether a game is marked as having a hole.
func torn(g *record.Game) bool {
	return sheet.IsIncomplete(g.Comment) || slices.ContainsFunc(g.Actions, func(a record.Action) bool { return a.Kind == record.SetUp })
}

// acts are the resulting positions of a game's plays, and its cube actions. Two formats must
// agree on them.
func acts(m *record.Match, g *record.Game) (out []string) {
	for turn := range m.Turns(g) {
		switch a := turn.Action; a.Kind {
		case record.Move:
			out = append(out, fmt.Sprint(a.Dice.Sorted(), turn.Play.Result.ID()))
		case record.Double, record.Take, record.Drop:
			out = append(out, a.Kind.String())
		}
	}
	return out
}

// stops reports whether a game ends at a roll that was not played, or at a double followed by
// a resignation.
func stops(g *record.Game) bool {
	n := len(g.Actions)
	return n > 0 && (g.Actions[n-1].Kind == record.Roll || g.Actions[n-1].Kind == record.Double && g.Result.Resigned)
}

// added reports whether act is what a reader adds to a game that stops so: a play of the
// roll, or an answer to the double.
func added(g *record.Game, act string) bool {
	last := &g.Actions[len(g.Actions)-1]
	if last.Kind == record.Roll {
		return strings.HasPrefix(act, fmt.Sprint(last.Dice.Sorted()))
	}
	return act == record.Take.String() || act == record.Drop.String()
}

// sameHead describes the first difference between the players and lengths of two records of a
// match, or returns "".
func sameHead(want, got *record.Match) string {
	for i := range want.Players {
		if w, g := want.Players[i].Name, got.Players[i].Name; !strings.EqualFold(w, g) {
			return fmt.Sprintf("the player %s instead of %s", g, w)
		}
	}
	if want.Length != got.Length {
		return fmt.Sprintf("a length of %d instead of %d", got.Length, want.Length)
	}
	return ""
}

// samePlays describes the first difference between the plays and results of two records of a
// match, or returns "". Not every format can hold the plays of a game with a hole; they are
// skipped. loose means that got comes from a format that cannot express that a game stopped
// before its end.
func samePlays(want, got *record.Match, loose bool) string {
	if len(want.Games) != len(got.Games) {
		return fmt.Sprintf("%d games instead of %d", len(got.Games), len(want.Games))
	}
	for i := range want.Games {
		wg, gg := &want.Games[i], &got.Games[i]
		stopped, hole := loose && stops(wg), torn(wg) || torn(gg)
		if !hole {
			w, g := acts(want, wg), acts(got, gg)
			if stopped && len(g) == len(w)+1 && added(wg, g[len(w)]) {
				g = g[:len(w)]
			}
			for k := range max(len(w), len(g)) {
				if k >= len(w) || k >= len(g) {
					return fmt.Sprintf("game %d: %d actions instead of %d", i+1, len(g), len(w))
				}
				if w[k] != g[k] {
					return fmt.Sprintf("game %d, action %d: %s instead of %s", i+1, k+1, g[k], w[k])
				}
			}
		}
		// Some formats bound the points of a game, which a forfeit exceeds, and some programs do not
		// know each price of a pass.
		if w, g := outcome(wg), outcome(gg); w != g && !stopped && !(loose && (hole || wg.Comment == sheet.Forfeit || want.Rules.Drops != got.Rules.Drops)) {
			return fmt.Sprintf("game %d: %s instead of %s", i+1, g, w)
		}
	}
	return ""
}

// outcome describes the score of a game and its result.
func outcome(g *record.Game) string {
	s := fmt.Sprintf("at %d-%d ", g.Score[0], g.Score[1])
	if !g.Result.Finished() {
		return s + "no one wins"
	}
	return s + fmt.Sprintf("player %d wins %d", g.Result.Winner, g.Result.Points)
}
