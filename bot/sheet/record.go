package sheet

import (
	"fmt"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// About is what a match file says beside the games. Ratings are those at the
// beginning, as the server wrote them; player 0 is the opponent.
type About struct {
	Players [2]record.Player
	Date    string // as 2026-11-21
	Place   string
	Drops   match.DropRule // what giving up costs on that server
}

// Incomplete is the comment of a game of which something is missing: the connection was
// down, or lines were lost or damaged, and the server's list of moves was gone before it
// could be asked for.
const Incomplete = "Incomplete: part of this game was not seen, and the server has no list of its moves."

// Forfeit is the comment of a game that decided the match because its loser was away.
const Forfeit = "Forfeit: the loser had left the match. The points are those that the winner needed."

// IsIncomplete reports whether a comment admits that part of its game is missing, whichever
// version wrote it and whatever was added behind it.
func IsIncomplete(comment string) bool { return strings.HasPrefix(comment, "Incomplete: ") }

// Uncertain is the comment of a game that may lack two turns in which neither side could
// move: an interruption left the board as it was, and the server's list of moves did not
// come to settle it.
const Uncertain = "Uncertain: the connection was down, and two turns without a play may be missing."

// Record turns the sheet into the match that the file formats write. The
// opponent is player 0, Us player 1. It shares no memory with the sheet.
func (s *Sheet) Record(about About) *record.Match {
	m := &record.Match{
		Players: about.Players,
		Length:  max(0, s.Length),
		Rules:   record.Rules{Crawford: s.Length > 0, Drops: about.Drops},
		Date:    about.Date,
		Place:   about.Place,
	}
	if m.Length == 0 {
		m.Rules.Beavers = match.DefaultBeavers // FIBS has them in unlimited matches
	}
	places := make([][]int, len(s.Games))
	var began [2]int // the games of an unlimited match are filed apart, each file from 0-0
	if m.Length == 0 && len(s.Games) > 0 {
		began = s.Games[0].Score
	}
	for i := range s.Games {
		var g record.Game
		g, places[i] = s.Games[i].record(i)
		for side := range began {
			g.Score[side] -= began[side]
		}
		m.Games = append(m.Games, g)
		if g.Comment != "" {
			// Formats without comments on games have one on the match.
			if m.Comment != "" {
				m.Comment += "\n"
			}
			m.Comment += fmt.Sprintf("Game %d. %s", i+1, g.Comment)
		}
	}
	s.remarks(m, places)
	return m
}

// record is the game as match files have it, and which of its actions each act belongs to.
func (g *Game) record(number int) (out record.Game, places []int) {
	out = g.Head(number)
	switch {
	case g.Torn:
		out.Comment = Incomplete
	case g.Forfeit:
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
			// An offer that was refused changes nothing, but it was said.
			out.Actions[n-1].Comment = fmt.Sprintf("player %d refuses a resignation", a.Side)
		}
		places = append(places, max(0, len(out.Actions)-1))
	}
	if g.Finished() {
		out.Result = g.Result()
	}
	return g.withoutLoose(out, places)
}

// withoutLoose leaves out what was told in a hole and cannot follow what stands before it: a
// double by whoever was not on roll there, with its answer. The board behind the hole has what
// came of it.
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

// Head is the game in a match file before anything has happened in it.
func (g *Game) Head(number int) record.Game {
	return record.Game{Number: number, Score: g.Score, Crawford: g.Crawford, Cube: g.Cube}
}

// Record returns an act as an action of a match file. Offers to resign are none:
// an accepted one is the result, a refused one changes nothing.
func (a *Act) Record() (record.Action, bool) {
	out := record.Action{Player: int(a.Side)}
	switch a.Kind {
	case ActPlayed:
		out.Kind, out.Dice = record.Move, a.Dice
		out.Steps = append(a.Play.Steps[:0:0], a.Play.Steps[:a.Play.N]...)
	case ActRolled:
		out.Kind, out.Dice = record.Roll, a.Dice
	case ActDoubled:
		out.Kind = record.Double
	case ActTook:
		out.Kind = record.Take
	case ActDropped:
		out.Kind = record.Drop
	default:
		return record.Action{}, false
	}
	return out, true
}

// SetUp returns a board that was shown as the edits that make it, the position first,
// then the cube's value and its owner: in a file programs must not play on from the
// position before a hole. Us is Me in the position; side is who is on roll.
func SetUp(p board.Position, side Side, cube int, owner match.Owner) []record.Action {
	whose := record.NoPlayer
	switch owner {
	case match.Mine:
		whose = int(Us)
	case match.Theirs:
		whose = int(Them)
	}
	boards := [2]board.Checkers{Them: p.Opp, Us: p.Me}
	player := int(side)
	if side == Nobody {
		player = record.NoPlayer
	}
	return []record.Action{
		// SGF has the player on roll beside the board, so the first one names him.
		{Kind: record.SetUp, Player: player, SetUp: &record.Setup{Board: &boards}},
		{Kind: record.SetUp, Player: record.NoPlayer, SetUp: &record.Setup{Cube: max(1, cube)}},
		{Kind: record.SetUp, Player: player, SetUp: &record.Setup{Owner: whose, SetOwner: true}},
	}
}

// Result returns how a finished game ended, as match files tell it.
func (g *Game) Result() record.Result {
	return record.Result{Points: g.Points, Winner: int(g.Winner), Resigned: g.Resigned}
}
