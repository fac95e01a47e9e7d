package advice

import (
	"fmt"
	"slices"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Rules returns in words what the board does not show: match or money play, score, rules
// and cube.
func Rules(s match.State) string { return strings.Join(rules(s), ", ") }

func rules(s match.State) []string {
	if s.Length == 0 {
		return []string{"money play", jacobyWords(s), beaverWords(s), cubeWords(s)}
	}
	me, opp := s.Away()
	out := []string{fmt.Sprintf("%d-point match", s.Length), fmt.Sprintf("score %d-%d (%d-away %d-away)", s.Score[0], s.Score[1], me, opp)}
	if text := crawfordWords(s); text != "" {
		out = append(out, text)
	}
	if s.Drops == match.DropByPosition {
		out = append(out, "a pass costs what the position says")
	}
	return append(out, cubeWords(s))
}

func jacobyWords(s match.State) string {
	if s.Jacoby {
		return "Jacoby rule"
	}
	return "no Jacoby rule"
}

func beaverWords(s match.State) string {
	if s.Beavers > 0 {
		return "beavers"
	}
	return "no beavers"
}

func crawfordWords(s match.State) string {
	switch {
	case s.Crawford:
		return "Crawford game"
	case match.AtCrawford(s.Length, s.Score):
		return "after the Crawford game"
	}
	return ""
}

func cubeWords(s match.State) string {
	where := map[match.Owner]string{match.Centred: "in the centre", match.Mine: "with the player on roll", match.Theirs: "with the opponent"}[s.Owner]
	if s.Cube <= 1 && s.Owner == match.Centred {
		return "cube " + where
	}
	return fmt.Sprintf("cube %d %s", s.Cube, where)
}

// Assumed lists the rules, in the words of Rules, that are guesses: neither text, which s was
// read from, nor o states them. o may be nil.
func Assumed(text string, s match.Situation, o *Overrides) []string {
	if o == nil {
		o = &Overrides{}
	}
	// What each form leaves out.
	var length, score, crawford, jacoby, beavers, cube bool
	switch id := locate(text); {
	case isOGID(text):
		jacoby, beavers = true, true
	case IsBoardLine(text): // it does not tell one rule from the other
		crawford, jacoby, beavers = true, true, true
	case strings.HasPrefix(id, "XGID=") || strings.Count(id, ":") > 1:
	case strings.Contains(id, ":"): // a Match ID
		beavers = true
	default:
		length, score, jacoby, beavers, cube = true, true, true, true, true
	}
	if o.Length != nil { // another length leaves nothing of the old score
		length, score, crawford, jacoby, beavers = false, true, true, true, true
	}
	if o.Score != nil {
		score, crawford = false, true
	}
	var out []string
	add := func(guessed bool, words string) {
		if guessed && words != "" {
			out = append(out, words)
		}
	}
	all := rules(s.State)
	add(length, all[0])
	if s.State.Length > 0 {
		add(score, all[1])
		add(crawford && o.Crawford == nil, crawfordWords(s.State))
	} else {
		add(jacoby && o.Jacoby == nil, jacobyWords(s.State))
		add(beavers && o.Beavers == nil, beaverWords(s.State))
	}
	add(cube && o.Cube == nil && o.Owner == nil, cubeWords(s.State))
	return out
}

// Game names what of the rules of moving and winning is not backgammon's, "" where they
// are: "Egyptian rule", "hypergammon with 2 checkers".
func Game(r board.Rules) string {
	var out []string
	switch n := r.Each(); n {
	case board.MaxCheckers:
	case 1:
		out = append(out, "hypergammon with 1 checker")
	default:
		out = append(out, fmt.Sprintf("hypergammon with %d checkers", n))
	}
	if r.Egyptian {
		out = append(out, "Egyptian rule")
	}
	return strings.Join(out, ", ")
}

// rulesText is the line that says the rules, with the game in front if it is another, and
// which of them are a guess.
func rulesText(game string, s match.State, assumed []string) string {
	all := rules(s)
	if game != "" {
		game += "; "
	}
	return game + rulesLine(all, assumed)
}

func rulesLine(all, assumed []string) string {
	switch {
	case len(assumed) == 0:
		return strings.Join(all, ", ") + "\n"
	case slices.Equal(all, assumed):
		return "assumed: " + strings.Join(all, ", ") + "\n"
	}
	return strings.Join(all, ", ") + "; assumed: " + strings.Join(assumed, ", ") + "\n"
}

// Heading names a position in the forms of other programs, a line each, and says the
// rules that hold and which of them were assumed.
func Heading(r board.Rules, s match.Situation, assumed []string) string {
	return s.Position.ID() + ":" + s.MatchID() + "\n" + s.XGID() + "\n" + rulesText(Game(r), s.State, assumed)
}
