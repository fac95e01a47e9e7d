package matchbuilder

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// Move writes a roll and its play in words; empty text means no play. A play that the file leaves
// out because only one is legal is filled in. Text after a play is its comment.
func (s *Builder) Move(player int, d board.Dice, text string) error {
	if err := s.unanswered(); err != nil {
		return err
	}
	a := record.Action{Kind: record.Move, Player: player, Dice: d}
	p := s.position(player)
	play, behind := Split(text)
	pl, err := board.ParsePlay(p, d, play)
	switch {
	case err == nil:
		a.Steps = append(a.Steps, pl.Steps[:pl.N]...)
	default:
		steps, stepsErr := board.ParseSteps(play)
		switch {
		case stepsErr != nil:
			a.Raw, behind = clip(strings.TrimSpace(text)), ""
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
	if err := s.add(a); err != nil {
		return err
	}
	if behind != "" {
		if s.Terse || play == "" || rollInside.MatchString(behind) {
			s.Warn("%d%d: cannot read %q", d.A, d.B, clip(behind))
		}
		s.Comment(behind)
	}
	return nil
}

// Open writes a roll whose play the file leaves out, in a format that has words for a dance:
// as the last action of a game it was never played, before others it is as with Move.
func (s *Builder) Open(player int, d board.Dice) error {
	err := s.Move(player, d, "")
	s.open = len(s.g.Actions)
	return err
}

// Unplayed reports whether the last action of the current game is a roll that Open wrote.
func (s *Builder) Unplayed() bool { return s.g != nil && s.open > 0 && s.open == len(s.g.Actions) }

// Reach writes a roll whose play is known by the position it led to, seen by the
// mover. steps are those of the file, and are used where no legal play leads there; the
// position is then set up after the play.
func (s *Builder) Reach(player int, d board.Dice, after board.Position, steps []board.Step) error {
	if err := s.unanswered(); err != nil {
		return err
	}
	a := record.Action{Kind: record.Move, Player: player, Dice: d}
	p := s.position(player)
	s.plays = board.AppendPlays(s.plays[:0], p, d)
	// Several plays are one result; the one with the steps of the file comes first.
	for i := range s.plays {
		if s.plays[i].Result == after {
			a.Steps = append(a.Steps, s.plays[i].Steps[:s.plays[i].N]...)
			break
		}
	}
	if pl, err := board.ParsePlay(p, d, words(steps)); err == nil && pl.Result == after {
		a.Steps = append(a.Steps[:0], pl.Steps[:pl.N]...)
	}
	if len(a.Steps) > 0 || after == p {
		return s.add(a)
	}
	s.Warn("%d%d: an illegal play: the position after it is set up", d.A, d.B)
	a.Steps = steps
	a.Illegal = true
	if len(steps) == 0 {
		a.Raw = "position set"
	}
	if err := s.add(a); err != nil {
		return err
	}
	if s.position(player) == after {
		return nil
	}
	boards := [2]board.Checkers{after.Me, after.Opp}
	if player == 1 {
		boards[0], boards[1] = boards[1], boards[0]
	}
	return s.SetUp(1-player, record.Setup{Board: &boards})
}

// words writes steps as a play.
func words(steps []board.Step) string {
	var b strings.Builder
	for _, st := range steps {
		fmt.Fprintf(&b, "%d/%d ", st.From+1, max(st.To+1, 0))
	}
	return b.String()
}

// Unreadable writes a roll with a play that is kept as text.
func (s *Builder) Unreadable(player int, d board.Dice, raw string) error {
	if err := s.unanswered(); err != nil {
		return err
	}
	s.Warn("%d%d: an illegal play", d.A, d.B)
	return s.add(record.Action{Kind: record.Move, Player: player, Dice: d, Raw: cmp.Or(clip(raw), "illegal")})
}

// clip keeps text of a file short, at a whole character.
func clip(text string) string {
	if len(text) <= maxRaw {
		return text
	}
	return strings.ToValidUTF8(text[:maxRaw], "")
}

// Roll writes a roll that was not played.
func (s *Builder) Roll(player int, d board.Dice) error {
	if err := s.unanswered(); err != nil {
		return err
	}
	return s.add(record.Action{Kind: record.Roll, Player: player, Dice: d})
}

// Stay writes a roll without a move, in a file that marks every such roll: illegal where the rules
// allowed a play.
func (s *Builder) Stay(player int, d board.Dice) error {
	if err := s.unanswered(); err != nil {
		return err
	}
	s.plays = board.AppendPlays(s.plays[:0], s.position(player), d)
	return s.add(record.Action{Kind: record.Move, Player: player, Dice: d, Illegal: len(s.plays) > 0})
}

// Pending reports whether a double waits for its answer.
func (s *Builder) Pending() bool { return s.pending > 0 }

// unanswered adds the take that is left out after a beaver.
func (s *Builder) unanswered() error {
	if s.pending == 0 {
		return nil
	}
	if s.pending == 1 {
		s.Warn("a double without an answer: taken as accepted")
	}
	return s.Take(1 - s.doubler)
}

// Double writes a double or beaver.
func (s *Builder) Double(player int) error {
	if s.pending > 0 && player == s.doubler {
		s.Warn("a double on top of the own double")
		return nil
	}
	s.pending++
	s.doubler = player
	return s.add(record.Action{Kind: record.Double, Player: player})
}

// Take writes an accepted double.
func (s *Builder) Take(player int) error {
	if player, ok := s.answers(player, "take"); ok {
		s.pending = 0
		return s.add(record.Action{Kind: record.Take, Player: player})
	}
	return nil
}

// Drop writes a refused double.
func (s *Builder) Drop(player int) error {
	if player, ok := s.answers(player, "drop"); ok {
		s.pending = 0
		return s.add(record.Action{Kind: record.Drop, Player: player})
	}
	return nil
}

// answers reports whether there is a double to answer, and by which player.
func (s *Builder) answers(player int, word string) (int, bool) {
	switch {
	case s.pending == 0:
		s.Warn("a %s without a double: left out", word)
		return player, false
	case player == s.doubler:
		s.Warn("a %s by the player who doubled: read as the other's", word)
		return 1 - player, true
	}
	return player, true
}

// Cube returns the value of the cube now.
func (s *Builder) Cube() int {
	s.position(0)
	return s.replay.State(0).Cube
}

// Owner returns who holds the cube now, record.NoPlayer for the centre.
func (s *Builder) Owner() int {
	s.position(0)
	switch s.replay.State(0).Owner {
	case match.Mine:
		return 0
	case match.Theirs:
		return 1
	}
	return record.NoPlayer
}

// First returns the first of all matches of a file, with a warning if there are more.
func First(all []*record.Match, ws []record.Warning, err error) (*record.Match, []record.Warning, error) {
	if err != nil {
		return nil, ws, err
	}
	if len(all) > 1 {
		ws = append(ws, record.Warning{Text: strconv.Itoa(len(all)) + " matches in the file: this is the first"})
	}
	return all[0], ws, nil
}
