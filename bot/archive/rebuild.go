package archive

import (
	"fmt"
	"time"

	"fibsbot/bot/table"
	"fibsbot/engine/record"
	"fibsbot/fibs/clip"
)

// head is what a journal knows beside the lines.
type head struct {
	account, opponent, server string
	started                   time.Time
	ratings                   [2]string // opponent, account
}

// headOf reads the first entry; ratings come from the first sitting that knew them.
func headOf(entries []entry) head {
	h := head{account: entries[0].Account, opponent: entries[0].Opponent, server: entries[0].Server,
		started: entries[0].At, ratings: entries[0].Ratings}
	for _, e := range entries {
		if h.ratings != [2]string{} {
			break
		}
		h.ratings = e.Ratings
	}
	return h
}

// rebuild reads the lines of a journal again, as the table did when they came.
func rebuild(entries []entry) *table.Sheet {
	length := -1
	if entries[0].Length != nil {
		length = *entries[0].Length
	}
	fromStart := true
	for _, e := range entries {
		if e.Kind == kindOpen {
			fromStart = !e.Resumed
			break
		}
	}
	s := table.NewSheet(entries[0].Opponent, length, fromStart)
	p := clip.RunningParser()
	var events []clip.Event
	for _, e := range entries {
		switch e.Kind {
		case kindLine:
			events = p.Append(events[:0], e.Raw)
			for _, ev := range events {
				s.Apply(ev, entries[0].Account)
			}
		case kindSent:
			s.Sent(e.Raw)
		case kindSaved, kindOpen:
			s.Interrupted()
			p = clip.RunningParser()
		case kindOver:
			s.Ended()
		}
	}
	return s
}

// matchOf turns a sheet into the record that the file formats write. The
// opponent is player 0, the bot player 1.
func matchOf(s *table.Sheet, h head) *record.Match {
	m := &record.Match{
		Players: [2]record.Player{
			{Name: h.opponent, Rating: h.ratings[0]},
			{Name: h.account, Rating: h.ratings[1]},
		},
		Length: max(0, s.Length),
		Rules:  record.Rules{Crawford: s.Length > 0},
		Date:   h.started.UTC().Format("2006-01-02"),
		Place:  h.server,
	}
	for i := range s.Games {
		m.Games = append(m.Games, gameOf(&s.Games[i], i))
	}
	return m
}

// Incomplete is the comment of a game of which something is missing: it happened
// while the connection was down, and the server's list of moves was gone before
// it could be asked for.
const Incomplete = "Incomplete: moves were played while the connection was down, and the server keeps no list of them."

func gameOf(g *table.Game, number int) record.Game {
	out := record.Game{Number: number, Score: g.Score, Crawford: g.Crawford, Cube: g.Cube}
	if g.Torn {
		out.Comment = Incomplete
	}
	for _, a := range g.Acts {
		player := int(a.Side)
		switch a.Kind {
		case table.ActPlayed:
			out.Actions = append(out.Actions, record.Action{Kind: record.Move, Player: player, Dice: a.Dice,
				Steps: append(a.Play.Steps[:0:0], a.Play.Steps[:a.Play.N]...)})
		case table.ActRolled:
			out.Actions = append(out.Actions, record.Action{Kind: record.Roll, Player: player, Dice: a.Dice})
		case table.ActDoubled:
			out.Actions = append(out.Actions, record.Action{Kind: record.Double, Player: player})
		case table.ActTook:
			out.Actions = append(out.Actions, record.Action{Kind: record.Take, Player: player})
		case table.ActDropped:
			out.Actions = append(out.Actions, record.Action{Kind: record.Drop, Player: player})
		case table.ActRefused:
			if n := len(out.Actions); n > 0 {
				// An offer that was refused changes nothing, but it was said.
				out.Actions[n-1].Comment = fmt.Sprintf("player %d refuses a resignation", player)
			}
		case table.ActOffered:
			// Accepted offers are the result, refused ones a comment.
		}
	}
	if g.Finished() {
		out.Result = record.Result{Points: g.Points, Winner: int(g.Winner), Resigned: g.Resigned}
	}
	return out
}
