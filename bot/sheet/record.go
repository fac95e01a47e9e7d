package sheet

import (
	"fmt"
	"slices"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// About is what a match file says apart from the games. Ratings are those at the beginning,
// as the server wrote them; player 0 is the opponent.
type About struct {
	Players [2]record.Player
	Date    string // as 2026-11-21
	Place   string
	Drops   match.DropRule // the price of a pass on that server
}

// Incomplete is the comment of a game with a hole: lines were lost or damaged, and the
// server's list of moves was gone before the bot could ask for it.
const Incomplete = "Incomplete: part of this game was not seen, and the server has no list of its moves."

// Forfeit is the comment of a game that decided the match because its loser was away.
const Forfeit = "Forfeit: the loser had left the match. The points are those that the winner needed."

// IsIncomplete reports whether a comment starts by saying that part of its game is missing.
func IsIncomplete(comment string) bool { return strings.HasPrefix(comment, "Incomplete: ") }

// Uncertain is the comment of a game that may lack two turns in which neither side could
// move: an interruption did not change the board, and the server's list of moves did not
// come.
const Uncertain = "Uncertain: the connection was down, and two turns without a play may be missing."

// Record returns the sheet as a match for the file formats. The opponent is player 0, Us
// player 1. The match shares no memory with the sheet.
func (s *Sheet) Record(about About) *record.Match {
	m := &record.Match{
		Players: about.Players,
		Length:  max(0, s.Length),
		Rules:   record.Rules{Crawford: s.Length > 0, Drops: about.Drops},
		Date:    about.Date,
		Place:   about.Place,
	}
	if m.Length == 0 {
		m.Rules.Beavers = match.DefaultBeavers // FIBS allows them in unlimited matches
	}
	places := make([][]int, len(s.Games))
	var began [2]int // the games of an unlimited match are filed apart, each file from 0-0
	if m.Length == 0 && len(s.Games) > 0 {
		began = s.Games[0].Score
	}
	for i := range s.Games {
		var g record.Game
		g, places[i] = s.Games[i].record(i)
		m.Rules.Crawford = m.Rules.Crawford && g.Crawford == s.Games[i].Crawford
		for side := range began {
			g.Score[side] -= began[side]
		}
		m.Games = append(m.Games, g)
		if g.Comment != "" {
			// Some formats have comments on the match only.
			if m.Comment != "" {
				m.Comment += "\n"
			}
			m.Comment += fmt.Sprintf("Game %d. %s", i+1, g.Comment)
		}
	}
	s.remarks(m, places)
	return m
}

// record returns the game as match files have it, and for each act the index of its action.
func (g *Game) record(number int) (out record.Game, places []int) {
	out = g.Head(number)
	switch {
	case g.Torn:
		out.Comment = Incomplete
	case g.Forfeit:
		out.EndUnknown = true
		out.Comment = Forfeit
	case g.doubtful:
		out.Comment = Uncertain
	case g.Told != nil:
		out.Comment = fmt.Sprintf("The game began at %d-%d, and the server has told another score since.", g.Told[Them], g.Told[Us])
	}
	for i := range g.Acts {
		a := &g.Acts[i]
		if a.Kind == ActShown {
			out.Actions = append(out.Actions, SetUp(*a.Shown, a.Side, a.Cube, a.Owner)...)
		} else if act, ok := a.Record(); ok {
			out.Actions = append(out.Actions, act)
		} else if n := len(out.Actions); a.Kind == ActRefused && n > 0 {
			// A refused offer changes nothing, but belongs to the record.
			out.Actions[n-1].Comment = fmt.Sprintf("player %d refuses a resignation", a.Side)
		}
		places = append(places, max(0, len(out.Actions)-1))
	}
	if g.Finished() {
		out.Result = g.Result()
	}
	return g.withoutLoose(out, places)
}

// withoutLoose leaves out acts in a hole that cannot follow the acts before it: a double by
// the side that was not on roll, with its answer. The board after the hole shows the
// outcome.
func (g *Game) withoutLoose(out record.Game, places []int) (record.Game, []int) {
	for i := range g.Acts {
		if a := &g.Acts[i]; !a.Loose || a.Kind != ActDoubled && a.Kind != ActTook && a.Kind != ActDropped {
			continue
		}
		at := places[i]
		m := &record.Match{Rules: record.Rules{Beavers: 3}, Games: []record.Game{{Cube: out.Cube, Actions: out.Actions[:at+1]}}}
		legal := true
		for turn := range m.Turns(&m.Games[0]) {
			legal = turn.Legal
		}
		if legal {
			continue
		}
		out.Actions = append(out.Actions[:at:at], out.Actions[at+1:]...)
		for k := i; k < len(places); k++ {
			places[k] = max(0, places[k]-1)
		}
	}
	return out, places
}

// InCrawford reports whether g is the Crawford game. A double shows that the match is played
// without one.
func (g *Game) InCrawford() bool {
	return g.Crawford && !slices.ContainsFunc(g.Acts, func(a Act) bool { return a.Kind == ActDoubled })
}

// Head returns the game of a match file before its first action.
func (g *Game) Head(number int) record.Game {
	return record.Game{Number: number, Score: g.Score, Crawford: g.InCrawford(), Cube: g.Cube}
}

// recorded are the acts that match files have as actions.
var recorded = map[ActKind]record.Kind{ActPlayed: record.Move, ActRolled: record.Roll, ActDoubled: record.Double, ActTook: record.Take, ActDropped: record.Drop}

// Record returns an act as an action of a match file. Offers to resign have no action: an
// accepted one is the result, a refused one changes nothing.
func (a *Act) Record() (record.Action, bool) {
	kind, ok := recorded[a.Kind]
	out := record.Action{Kind: kind, Player: int(a.Side), Dice: a.Dice}
	if a.Kind == ActPlayed {
		out.Steps = append(a.Play.Steps[:0:0], a.Play.Steps[:a.Play.N]...)
	}
	return out, ok
}

// SetUp returns the edits that set up a board: the position first, then the cube's value and
// its owner. Programs that read the file must not continue from the position before a hole.
// Us is Me in the position; side is on roll. Nobody is record.NoPlayer.
func SetUp(p board.Position, side Side, cube int, owner match.Owner) []record.Action {
	holder := map[match.Owner]Side{match.Centred: Nobody, match.Mine: Us, match.Theirs: Them}[owner]
	boards, player := [2]board.Checkers{Them: p.Opp, Us: p.Me}, int(side)
	return []record.Action{
		// SGF stores the player on roll with the board, so the first edit names him.
		{Kind: record.SetUp, Player: player, SetUp: &record.Setup{Board: &boards}},
		{Kind: record.SetUp, Player: record.NoPlayer, SetUp: &record.Setup{Cube: max(1, cube)}},
		{Kind: record.SetUp, Player: player, SetUp: &record.Setup{Owner: int(holder), SetOwner: true}},
	}
}

// Result returns how a finished game ended, in the terms of match files.
func (g *Game) Result() record.Result {
	return record.Result{Points: g.Points, Winner: int(g.Winner), Resigned: g.Resigned}
}
