package server

import (
	"fmt"
	"time"
)

// Kind says what an Action is.
type Kind string

// The kinds of action, in the words of oldmoves.
const (
	Moved    Kind = "move"     // a roll and, once played, its steps
	Doubled  Kind = "double"   // Value is the cube offered
	Redouble Kind = "redouble" // instant redouble; Value is the cube offered
	Accepted Kind = "accept"   // a double or a resignation was accepted
	Rejected Kind = "reject"   // a double or a resignation was refused
	Resigned Kind = "resign"   // Value is the points offered
)

// Action is one thing a side did in a game.
type Action struct {
	Kind  Kind   `json:"kind"`
	Side  Colour `json:"side"`
	Roll  [2]int `json:"roll,omitzero"`   // dice in the order printed
	Steps []Step `json:"steps,omitempty"` // empty for a dance or an unfinished turn
	Done  bool   `json:"done,omitempty"`  // the roll was played or danced
	Value int    `json:"value,omitempty"`
}

// GameRecord is the server's own record of one game. Players are numbered as
// in the match: 0 invited, 1 joined.
type GameRecord struct {
	O        int      `json:"o"`      // which player is O
	Names    []string `json:"names"`  // the players
	Length   int      `json:"length"` // 0 for an unlimited match
	Score    [2]int   `json:"score"`  // before the game
	Crawford bool     `json:"crawford"`
	Actions  []Action `json:"actions"`
	Winner   int      `json:"winner"`        // 0 or 1; -1 while unfinished
	Points   int      `json:"points"`        // won, cube included
	Cut      bool     `json:"cut,omitempty"` // actions are missing at the end: there were too many
}

// MatchRecord is the server's own record of a match, in the order in which
// things happened. Tests compare archives with it.
type MatchRecord struct {
	Number   int          `json:"number"` // counts the server's matches from 1
	Players  [2]string    `json:"players"`
	Length   int          `json:"length"` // 0 for an unlimited match
	Started  time.Time    `json:"started"`
	Ended    time.Time    `json:"ended,omitzero"`
	Games    []GameRecord `json:"games"`
	Earlier  int          `json:"earlier,omitempty"` // games before Games[0] whose record was let go
	Score    [2]int       `json:"score"`
	Winner   int          `json:"winner"` // -1 while unfinished
	Before   [2]float64   `json:"before"` // ratings
	After    [2]float64   `json:"after"`
	Replaced bool         `json:"replaced,omitempty"` // thrown away for a new match of the pair
}

// Finished reports whether the match was played to its end.
func (r MatchRecord) Finished() bool { return r.Winner >= 0 }

// copy makes the record independent of the running match.
func (r MatchRecord) copy() MatchRecord {
	games := make([]GameRecord, len(r.Games))
	for i, g := range r.Games {
		g.Actions = append([]Action(nil), g.Actions...)
		games[i] = g
	}
	r.Games = games
	return r
}

// Matches returns the server's record of every match: finished ones in the
// order in which they ended (the last Options.KeepMatches), then those
// running or saved, by number. The caller owns the result.
func (s *Server) Matches() []MatchRecord {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []MatchRecord
	for _, r := range s.finished {
		out = append(out, r.copy())
	}
	for _, m := range s.openMatches() {
		r := m.Record.copy()
		r.Score = m.Score
		out = append(out, r)
	}
	return out
}

// Bounds of the records. A match to 99 points has at most 197 games of some sixty actions each; an
// unlimited match may have any number.
const (
	maxActions      = 5000      // of one game
	maxGames        = 200       // of one match
	maxMatchActions = 40_000    // of the games of one match that have ended
	maxRecorded     = 1_500_000 // of all open matches, at about 150 bytes; above it saved ones keep their last game only
	actionsPerMatch = 1000      // of finished matches, on average
	actionsPerGame  = 300       // of last games, on average
)

// act records an action of the running game.
func (m *match) act(a Action) {
	g := m.game()
	if len(g.Actions) >= maxActions {
		g.Cut = true
		return
	}
	g.Actions = append(g.Actions, a)
	m.home.recorded++
}

// recorded counts the actions that are kept of a match.
func (m *match) recorded() int { return m.Record.actions() }

func (r *MatchRecord) actions() int {
	n := 0
	for i := range r.Games {
		n += len(r.Games[i].Actions)
	}
	return n
}

// trim drops the first games of a very long match.
func (m *match) trim() {
	keep := min(len(m.Record.Games), maxGames)
	total := 0
	for i := range keep {
		if total += len(m.Record.Games[len(m.Record.Games)-1-i].Actions); total > maxMatchActions {
			keep = max(i, 1)
			break
		}
	}
	m.letGo(keep)
}

// letGo keeps only the records of the last games.
func (m *match) letGo(keep int) {
	over := len(m.Record.Games) - keep
	if over <= 0 {
		return
	}
	for _, g := range m.Record.Games[:over] {
		m.home.recorded -= len(g.Actions)
	}
	m.Record.Games = append([]GameRecord(nil), m.Record.Games[over:]...)
	m.Record.Earlier += over
}

// game is the record of the game being played.
func (m *match) game() *GameRecord {
	if len(m.Record.Games) == 0 {
		m.Record.Games = append(m.Record.Games, GameRecord{Winner: -1})
	}
	return &m.Record.Games[len(m.Record.Games)-1]
}

// played completes the last roll with the steps made.
func (m *match) played(steps []Step) {
	g := m.game()
	if g.Cut {
		return
	}
	for i := len(g.Actions) - 1; i >= 0; i-- {
		if g.Actions[i].Kind == Moved {
			g.Actions[i].Steps = steps
			g.Actions[i].Done = true
			return
		}
	}
}

// oldWords are those of oldmoves for the actions without numbers.
var oldWords = map[Kind]string{Doubled: "doubles", Accepted: "accepts", Rejected: "rejects", Resigned: "wants to resign"}

// oldmoves lists a game as FIBS does, X's score first.
func (g *GameRecord) oldmoves() []string {
	if len(g.Names) != 2 {
		return nil
	}
	x := 1 - g.O
	lines := []string{
		fmt.Sprintf("Score is %d-%d in %s match.", g.Score[x], g.Score[g.O], aKindOf(g.Length)),
		fmt.Sprintf("%s is X - %s is O", g.Names[x], g.Names[g.O]),
	}
	for _, a := range g.Actions {
		text := oldWords[a.Kind]
		switch a.Kind {
		case Moved:
			text = fmt.Sprintf("(%d %d) ", a.Roll[0], a.Roll[1])
			switch {
			case len(a.Steps) > 0:
				text += formatSteps(a.Side, a.Steps)
			case a.Done:
				text += "can't move"
			}
		case Redouble:
			text = fmt.Sprintf("redoubles to %d", a.Value)
		}
		lines = append(lines, a.Side.String()+": "+text)
	}
	if g.Winner >= 0 {
		side := X
		if g.Winner == g.O {
			side = O
		}
		lines = append(lines, side.String()+": wins")
	}
	return lines
}
