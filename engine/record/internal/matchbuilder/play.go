package matchbuilder

import (
	"cmp"
	"fmt"
	"strings"

	"fibsbot/engine/board"
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
