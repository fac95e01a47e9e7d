// Package matchbuilder builds a match action by action, as the readers of line formats
// meet them: it follows the position, so that plays in words become steps, and fills in
// what those formats leave out.
package matchbuilder

import (
	"cmp"
	"fmt"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// Limits on what one file may ask for.
const (
	MaxGames    = 200_000
	MaxActions  = 10_000 // of one game
	maxTotal    = 10_000_000
	maxWarnings = 1000
	maxRaw      = 200
)

// Builder builds one match. After an error it goes on, so that a reader need not look after each
// action: what it has built is worth nothing then.
type Builder struct {
	Match    *record.Match
	Warnings []record.Warning
	Line     int // current line, for warnings
	g        *record.Game
	replay   *record.Replay
	plays    []board.Play
	open     int // the number of the action that Open wrote last
	total    int
	said     [][]record.Statement // the file's words for the end of each game
	follows  map[int]bool         // games whose score is not in the file
	heads    []int                // lines where the games begin
	lines    [][]int32            // lines of their actions
	err      error
	// JacobySaid means that the file states whether the Jacoby rule is in force.
	JacobySaid bool
	// Terse means that the format has no text after a play: such text gives a warning.
	Terse bool
	// Final is the final score that the file states beside the games, or nil.
	Final *record.Final
	// CrawfordSaid means that the file marks the Crawford game.
	CrawfordSaid bool
}

// New starts an empty match.
func New() *Builder { return &Builder{Match: &record.Match{}} }

// Warn notes something odd on the current line.
func (s *Builder) Warn(format string, args ...any) {
	if s.err == nil && len(s.Warnings) < maxWarnings {
		s.Warnings = append(s.Warnings, record.Warning{Line: s.Line, Text: fmt.Sprintf(format, args...)})
	}
}

// Fail ends the match with a syntax error on the current line.
func (s *Builder) Fail(format string, args ...any) {
	if s.err == nil {
		s.err = &record.SyntaxError{Line: max(s.Line, 1), Column: 1, Problem: fmt.Sprintf(format, args...)}
	}
}

// Err returns the first error, or nil.
func (s *Builder) Err() error { return s.err }

// Empty reports whether no game has begun.
func (s *Builder) Empty() bool { return s.g == nil && len(s.Match.Games) == 0 }

// Game begins the next game.
func (s *Builder) Game(score [2]int) {
	s.EndGame()
	switch {
	case len(s.Match.Games) >= MaxGames:
		s.Fail("more than %d games: split the file", MaxGames)
	case s.Match.Length > match.MaxLength:
		s.Fail("a match of %d points: the longest that is read has %d", s.Match.Length, match.MaxLength)
	}
	s.g = &record.Game{Number: len(s.Match.Games), Score: score, Cube: 1}
	s.Restart()
	s.open = 0
	s.heads, s.lines = append(s.heads, s.Line), append(s.lines, nil)
}

// at returns the line of an action of a game, or of the game's head for action -1.
func (s *Builder) at(game, action int) (line, column int) {
	switch {
	case game >= len(s.heads):
	case action < 0:
		return s.heads[game], 0
	case action < len(s.lines[game]):
		return int(s.lines[game][action]), 0
	}
	return 0, 0
}

// NextGame begins a game whose score is not in the file: that after the game before.
func (s *Builder) NextGame() {
	s.Game([2]int{})
	if s.follows == nil {
		s.follows = map[int]bool{}
	}
	s.follows[len(s.Match.Games)] = true
}

// Current returns the game being built, or nil between games.
func (s *Builder) Current() *record.Game { return s.g }

// EndGame closes the current game, if there is one.
func (s *Builder) EndGame() {
	if s.g == nil {
		return
	}
	over, winner := s.g.Result.Finished(), s.g.Result.Winner
	if w := s.saidWinner(); w != record.NoPlayer {
		over, winner = true, w
	}
	doubler, pending := s.doubled()
	if pending > 0 && over && !s.g.Result.Resigned && len(s.g.Actions) < MaxActions {
		a := record.Action{Kind: record.Take, Player: 1 - doubler}
		switch {
		case pending > 1:
			// The take of a beaver is not written, a drop is: the game went on.
		case winner == doubler:
			a.Kind = record.Drop
			s.Warn("a double without an answer, won by who doubled: taken as dropped")
		default:
			s.Warn("a double without an answer: taken as accepted")
		}
		s.g.Actions = append(s.g.Actions, a)
		pending = 0
	}
	if s.Unplayed() {
		a := s.Last()
		a.Kind, a.Steps, a.Illegal = record.Roll, nil, false
	}
	if over && pending == 0 && !s.g.Result.Resigned {
		s.lastMan(winner)
	}
	// A roll that ends the game though it could be played was never played.
	if n := len(s.g.Actions); n > 0 {
		a := &s.g.Actions[n-1]
		if a.Kind == record.Move && len(a.Steps) == 0 && a.Raw == "" && a.Illegal {
			a.Kind, a.Illegal = record.Roll, false
		}
	}
	s.Match.Games = append(s.Match.Games, *s.g)
	if len(s.said) < len(s.Match.Games) {
		s.said = append(s.said, nil)
	}
	s.g, s.replay = nil, nil
}

// lastMan fills in a play that is not in the file where the one who rolled won with it:
// he bore off all that he had.
func (s *Builder) lastMan(winner int) {
	n := len(s.g.Actions)
	if n == 0 || s.g.Actions[n-1].Kind != record.Roll || s.g.Actions[n-1].Player != winner {
		return
	}
	a := &s.g.Actions[n-1]
	s.plays = board.AppendPlays(s.plays[:0], s.Position(winner), a.Dice)
	for i := range s.plays {
		if s.plays[i].Result.Me.Count() == 0 {
			a.Kind, a.Steps = record.Move, append(a.Steps[:0], s.plays[i].Steps[:s.plays[i].N]...)
			s.Warn("%d%d: the play that won is not in the file: taken as bearing off the rest", a.Dice.A, a.Dice.B)
			return
		}
	}
}

// State returns score and cube now, as player sees them.
func (s *Builder) State(player int) match.State {
	s.Position(player)
	return s.replay.State(player)
}

// OnRoll returns who is to roll or to answer now, record.NoPlayer where the game has
// not begun or is over.
func (s *Builder) OnRoll() int {
	if s.g == nil || s.Over() {
		return record.NoPlayer
	}
	if doubler, n := s.doubled(); n > 0 {
		return 1 - doubler
	}
	return s.replay.OnRoll()
}

// Over reports whether the game ended on the board or by a drop.
func (s *Builder) Over() bool {
	w, _ := s.Outcome()
	return w != record.NoPlayer
}

// Comment adds text to the last action, or to the game before its first.
func (s *Builder) Comment(text string) {
	if s.g == nil || text == "" {
		return
	}
	to := &s.g.Comment
	if n := len(s.g.Actions); n > 0 {
		to = &s.g.Actions[n-1].Comment
	}
	if len(*to)+len(text) > maxComment {
		return
	}
	if *to != "" {
		*to += "\n"
	}
	*to += text
}

// maxComment bounds the comment of one action.
const maxComment = 64 << 10

// Position returns where the checkers stand now, with player on roll.
func (s *Builder) Position(player int) board.Position {
	s.replay.End()
	return s.replay.Position(player)
}

func (s *Builder) add(a record.Action) {
	if len(s.g.Actions) >= MaxActions {
		s.Fail("more than %d actions in a game", MaxActions)
	}
	if s.total++; s.total > maxTotal {
		s.Fail("more than %d actions: split the file", maxTotal)
	}
	if n := len(s.g.Actions); n == 1 && s.g.Actions[0].Kind == record.SetUp && s.g.Actions[0].Player == record.NoPlayer {
		// A position set up without a player on roll belongs to who acts first.
		s.g.Actions[0].Player = a.Player
	}
	if n := len(s.g.Actions); n > 0 && a.Kind != record.SetUp && s.g.Actions[n-1].Kind == record.Roll {
		d := s.g.Actions[n-1].Dice
		s.Warn("the play of the %d%d before this is not in the file: where the checkers stand is not known", d.A, d.B)
	}
	s.g.Actions = append(s.g.Actions, a)
	k := len(s.lines) - 1
	s.lines[k] = append(s.lines[k], int32(s.Line))
}

// SetUp writes an edit of the position or the cube; player is who is on roll after
// it, or record.NoPlayer.
func (s *Builder) SetUp(player int, e record.Setup) {
	if e.Board != nil {
		p := board.Position{Me: e.Board[0], Opp: e.Board[1]}
		if err := p.Validate(); err != nil {
			s.Warn("a position that cannot be: %v", err)
			return
		}
	}
	s.add(record.Action{Kind: record.SetUp, Player: player, SetUp: &e})
}

// Last returns the last action of the current game to add to, nil without one.
func (s *Builder) Last() *record.Action {
	if s.g == nil || len(s.g.Actions) == 0 {
		return nil
	}
	return &s.g.Actions[len(s.g.Actions)-1]
}

// Restart replays the current game, whose cube was changed, from its beginning.
func (s *Builder) Restart() { s.replay = record.NewReplay(s.Match, s.g) }

// Outcome is who has won on the board or by a drop, and the points.
func (s *Builder) Outcome() (int, int) {
	s.Position(0)
	return s.replay.Outcome()
}

// Win writes the result of the current game.
func (s *Builder) Win(player, points int) {
	s.g.Result = record.Result{Winner: player, Points: points}
}

// End notes the file's words for the end of the current game.
func (s *Builder) End(e record.Statement) {
	if s.g == nil {
		return
	}
	if e.Line = s.Line; len(s.said) == len(s.Match.Games) {
		s.said = append(s.said, nil)
	}
	e.Source = cmp.Or(e.Source, "the result")
	if at := &s.said[len(s.Match.Games)]; len(*at) < maxSaid {
		*at = append(*at, e)
	}
}

// maxSaid bounds the statements about the end of one game.
const maxSaid = 10

// Ended reports whether the end of the current game was noted.
func (s *Builder) Ended() bool { return s.g != nil && len(s.said) > len(s.Match.Games) }

// saidWinner is the winner of the current game by the words that are trusted most.
func (s *Builder) saidWinner() int {
	out := record.Statement{Winner: record.NoPlayer}
	if s.Ended() {
		for _, e := range s.said[len(s.Match.Games)] {
			if e.Trust > out.Trust && e.Winner != record.NoPlayer {
				out = e
			}
		}
	}
	return out.Winner
}

// Finish closes the match: it settles the games and marks the Crawford game, for line formats
// do not.
func (s *Builder) Finish() (*record.Match, []record.Warning) {
	s.EndGame()
	ws := s.Match.SettleBy(record.Evidence{Said: s.said, Final: s.Final, Follows: s.follows, JacobySaid: s.JacobySaid, At: s.at, Scored: s.crawford})
	return s.Match, append(s.Warnings, ws...)
}

// crawford marks the Crawford game where the file does not.
func (s *Builder) crawford() (ws []record.Warning) {
	m := s.Match
	if m.Length == 0 || !m.Rules.Crawford || s.crawfordSaid() {
		return nil
	}
	for i := range m.Games {
		g := &m.Games[i]
		if !match.AtCrawford(m.Length, g.Score) {
			continue
		}
		if g.Crawford = !doubled(g); !g.Crawford {
			// What happened counts more than the rule that the file does not name.
			m.Rules.Crawford = false
			line, _ := s.at(i, -1)
			ws = append(ws, record.Warning{Line: line, Text: fmt.Sprintf("game %d has doubles where the Crawford rule allows none: read as a match without it", i+1)})
		}
		break
	}
	return ws
}

// doubled reports whether a game has a double that was answered.
func doubled(g *record.Game) bool {
	for i := range g.Actions {
		if k := g.Actions[i].Kind; k == record.Take || k == record.Drop {
			return true
		}
	}
	return false
}

// crawfordSaid reports whether the file named the Crawford game.
func (s *Builder) crawfordSaid() bool {
	if s.CrawfordSaid {
		return true
	}
	for i := range s.Match.Games {
		if s.Match.Games[i].Crawford {
			return true
		}
	}
	return false
}
