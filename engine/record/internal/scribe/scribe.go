// Package scribe writes a match down action by action, as the readers of line
// formats hear of it: it knows the position, so that plays in words become
// steps, and fills in what those formats leave out.
package scribe

import (
	"cmp"
	"fmt"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
)

// Limits on what one file may ask for.
const (
	MaxGames    = 10_000
	MaxActions  = 10_000 // of one game
	maxTotal    = 1_000_000
	maxWarnings = 1000
	maxRaw      = 200
)

// Scribe builds one match.
type Scribe struct {
	Match    *record.Match
	Warnings []record.Warning
	Line     int // current line, for warnings
	g        *record.Game
	replay   *record.Replay
	plays    []board.Play
	pending  int
	doubler  int
	total    int
}

// New starts an empty match.
func New() *Scribe { return &Scribe{Match: &record.Match{}} }

// Warn notes something odd on the current line.
func (s *Scribe) Warn(format string, args ...any) {
	if len(s.Warnings) < maxWarnings {
		s.Warnings = append(s.Warnings, record.Warning{Line: s.Line, Text: fmt.Sprintf(format, args...)})
	}
}

// Errorf is a syntax error on the current line.
func (s *Scribe) Errorf(column int, format string, args ...any) error {
	return &record.SyntaxError{Line: max(s.Line, 1), Column: column, Problem: fmt.Sprintf(format, args...)}
}

// Game begins the next game.
func (s *Scribe) Game(score [2]int) error {
	s.EndGame()
	if len(s.Match.Games) >= MaxGames {
		return s.Errorf(1, "more than %d games", MaxGames)
	}
	s.g = &record.Game{Number: len(s.Match.Games), Score: score, Cube: 1}
	s.replay = record.NewReplay(s.Match, s.g)
	s.pending = 0
	return nil
}

// Current returns the game being written, nil between games.
func (s *Scribe) Current() *record.Game { return s.g }

// EndGame closes the current game, if there is one.
func (s *Scribe) EndGame() {
	if s.g == nil {
		return
	}
	if s.pending > 1 && s.g.Result.Finished() && len(s.g.Actions) < MaxActions {
		// The take of a beaver is not written, a drop is: the game went on.
		s.g.Actions = append(s.g.Actions, record.Action{Kind: record.Take, Player: 1 - s.doubler})
		s.pending = 0
	}
	// A roll that ends the game though it could be played was never played.
	if n := len(s.g.Actions); n > 0 {
		a := &s.g.Actions[n-1]
		if a.Kind == record.Move && len(a.Steps) == 0 && a.Raw == "" && a.Illegal {
			a.Kind, a.Illegal = record.Roll, false
		}
	}
	s.Match.Games = append(s.Match.Games, *s.g)
	s.g, s.replay = nil, nil
}

// position is where the checkers stand now, with player on roll.
func (s *Scribe) position(player int) board.Position {
	for {
		if _, ok := s.replay.Next(); !ok {
			return s.replay.Position(player)
		}
	}
}

func (s *Scribe) add(a record.Action) error {
	if len(s.g.Actions) >= MaxActions {
		return s.Errorf(1, "more than %d actions in a game", MaxActions)
	}
	if s.total++; s.total > maxTotal {
		return s.Errorf(1, "more than %d actions", maxTotal)
	}
	s.g.Actions = append(s.g.Actions, a)
	return nil
}

// Move writes a roll and its play in words; empty text is no play. Formats that
// leave out a play where only one is legal are filled in.
func (s *Scribe) Move(player int, d board.Dice, text string) error {
	if err := s.unanswered(); err != nil {
		return err
	}
	a := record.Action{Kind: record.Move, Player: player, Dice: d}
	p := s.position(player)
	text = strings.TrimSpace(text)
	pl, err := board.ParsePlay(p, d, text)
	switch {
	case err == nil:
		a.Steps = append(a.Steps, pl.Steps[:pl.N]...)
	default:
		steps, stepsErr := board.ParseSteps(text)
		switch {
		case stepsErr != nil:
			a.Raw = text[:min(len(text), maxRaw)]
			s.Warn("%d%d: %v", d.A, d.B, stepsErr)
		case len(steps) > 0:
			a.Steps = steps
		default:
			s.plays = board.AppendPlays(s.plays[:0], p, d)
			if len(s.plays) == 1 {
				a.Steps = append(a.Steps, s.plays[0].Steps[:s.plays[0].N]...)
			} else {
				a.Illegal = true
			}
		}
	}
	return s.add(a)
}

// Unreadable writes a roll with a play that is kept as text.
func (s *Scribe) Unreadable(player int, d board.Dice, raw string) error {
	if err := s.unanswered(); err != nil {
		return err
	}
	s.Warn("%d%d: an illegal play", d.A, d.B)
	return s.add(record.Action{Kind: record.Move, Player: player, Dice: d, Raw: cmp.Or(raw[:min(len(raw), maxRaw)], "illegal")})
}

// Roll writes a roll that was not played.
func (s *Scribe) Roll(player int, d board.Dice) error {
	if err := s.unanswered(); err != nil {
		return err
	}
	return s.add(record.Action{Kind: record.Roll, Player: player, Dice: d})
}

// unanswered adds the take that is left out after a beaver.
func (s *Scribe) unanswered() error {
	if s.pending == 0 {
		return nil
	}
	if s.pending == 1 {
		s.Warn("a double without an answer: taken as accepted")
	}
	return s.Take(1 - s.doubler)
}

// Double writes a double or beaver.
func (s *Scribe) Double(player int) error {
	if s.pending > 0 && player == s.doubler {
		s.Warn("a double on top of the own double")
		return nil
	}
	s.pending++
	s.doubler = player
	return s.add(record.Action{Kind: record.Double, Player: player})
}

// Take writes an accepted double.
func (s *Scribe) Take(player int) error {
	s.pending = 0
	return s.add(record.Action{Kind: record.Take, Player: player})
}

// Drop writes a refused double.
func (s *Scribe) Drop(player int) error {
	s.pending = 0
	return s.add(record.Action{Kind: record.Drop, Player: player})
}

// Cube returns the value of the cube now.
func (s *Scribe) Cube() int {
	s.position(0)
	return s.replay.State(0).Cube
}

// Outcome is who has won on the board or by a drop, and the points.
func (s *Scribe) Outcome() (int, int) {
	s.position(0)
	return s.replay.Outcome()
}

// Win writes the result of the current game.
func (s *Scribe) Win(player, points int) {
	s.g.Result = record.Result{Winner: player, Points: points}
}

// Finish closes the match: it marks the Crawford game, for line formats do not,
// and settles the games.
func (s *Scribe) Finish() (*record.Match, []record.Warning) {
	s.EndGame()
	m := s.Match
	if m.Length > 0 && m.Rules.Crawford {
		for i := range m.Games {
			g := &m.Games[i]
			a, b := m.Length-g.Score[0], m.Length-g.Score[1]
			if (a == 1) != (b == 1) {
				g.Crawford = true
				break
			}
		}
	}
	return m, append(s.Warnings, m.Settle()...)
}
