package matchbuilder

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
)

// Move writes a roll and its play in words; empty text means no play. A play that the file leaves
// out because only one is legal is filled in. Text after a play is its comment.
func (s *Builder) Move(player int, d board.Dice, text string) {
	s.unanswered()
	a := record.Action{Kind: record.Move, Player: player, Dice: d}
	p := s.Position(player)
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
	s.add(a)
	if behind != "" {
		if s.Terse || play == "" || rollInside.MatchString(behind) {
			s.Warn("%d%d: cannot read %q", d.A, d.B, clip(behind))
		}
		s.Comment(behind)
	}
}

// Open writes a roll whose play the file leaves out, in a format that has words for a dance:
// as the last action of a game it was never played, before others it is as with Move.
func (s *Builder) Open(player int, d board.Dice) {
	s.Move(player, d, "")
	s.open = len(s.g.Actions)
}

// Unplayed reports whether the last action of the current game is a roll that Open wrote.
func (s *Builder) Unplayed() bool { return s.g != nil && s.open > 0 && s.open == len(s.g.Actions) }

// Reach writes a roll whose play is known by the position it led to, seen by the
// mover. steps are those of the file, and are used where no legal play leads there; the
// position is then set up after the play.
func (s *Builder) Reach(player int, d board.Dice, after board.Position, steps []board.Step) {
	s.unanswered()
	a := record.Action{Kind: record.Move, Player: player, Dice: d}
	p := s.Position(player)
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
		s.add(a)
		return
	}
	s.Warn("%d%d: an illegal play: the position after it is set up", d.A, d.B)
	a.Steps = steps
	a.Illegal = true
	if len(steps) == 0 {
		a.Raw = "position set"
	}
	s.add(a)
	if s.Position(player) != after {
		s.SetUp(1-player, record.Setup{Board: record.ByPlayer(after, player)})
	}
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
func (s *Builder) Unreadable(player int, d board.Dice, raw string) {
	s.unanswered()
	s.Warn("%d%d: an illegal play", d.A, d.B)
	s.add(record.Action{Kind: record.Move, Player: player, Dice: d, Raw: cmp.Or(clip(raw), "illegal")})
}

// Clip keeps quoted text of a file short, at a whole character.
func Clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}

func clip(text string) string { return Clip(text, maxRaw) }

// Roll writes a roll that was not played.
func (s *Builder) Roll(player int, d board.Dice) {
	s.unanswered()
	s.add(record.Action{Kind: record.Roll, Player: player, Dice: d})
}

// Stay writes a roll without a move, in a file that marks every such roll: illegal where the rules
// allowed a play.
func (s *Builder) Stay(player int, d board.Dice) {
	s.unanswered()
	s.plays = board.AppendPlays(s.plays[:0], s.Position(player), d)
	s.add(record.Action{Kind: record.Move, Player: player, Dice: d, Illegal: len(s.plays) > 0})
}

// doubled returns who made the double that waits for its answer, and how many wait.
func (s *Builder) doubled() (doubler, n int) {
	if s.g == nil {
		return record.NoPlayer, 0
	}
	s.replay.End()
	return s.replay.Pending()
}

// Pending reports whether a double waits for its answer.
func (s *Builder) Pending() bool {
	_, n := s.doubled()
	return n > 0
}

// unanswered adds the take that is left out after a beaver.
func (s *Builder) unanswered() {
	doubler, n := s.doubled()
	if n == 1 {
		s.Warn("a double without an answer: taken as accepted")
	}
	if n > 0 {
		s.Take(1 - doubler)
	}
}

// Double writes a double or beaver.
func (s *Builder) Double(player int) {
	if doubler, n := s.doubled(); n > 0 && player == doubler {
		s.Warn("a double on top of the own double")
		return
	}
	s.add(record.Action{Kind: record.Double, Player: player})
}

// Take writes an accepted double.
func (s *Builder) Take(player int) { s.answer(player, record.Take) }

// Drop writes a refused double.
func (s *Builder) Drop(player int) { s.answer(player, record.Drop) }

// answer writes the answer to a double, which the player who doubled cannot give.
func (s *Builder) answer(player int, kind record.Kind) {
	doubler, n := s.doubled()
	switch {
	case n == 0:
		s.Warn("a %v without a double: left out", kind)
		return
	case player == doubler:
		s.Warn("a %v by the player who doubled: read as the other's", kind)
		player = 1 - doubler
	}
	s.add(record.Action{Kind: kind, Player: player})
}

// Say writes what a player did in words: a double or the answer to one, or a resignation. It
// reports false for other words.
func (s *Builder) Say(player int, text string) bool {
	is := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(strings.ToLower(text), w) })
	}
	switch {
	case is("double", "redouble", "beaver", "raccoon"):
		s.Double(player)
	case is("take", "accept"):
		s.Take(player)
	case is("drop", "pass", "reject"):
		s.Drop(player)
	case is("resign"):
		s.End(record.Statement{Trust: record.Worded, Winner: 1 - player, Declared: true})
	default:
		return false
	}
	return true
}

// Cube returns the value of the cube now and who holds it, record.NoPlayer for the centre.
func (s *Builder) Cube() (value, owner int) {
	s.replay.End()
	return s.replay.Cube()
}

var (
	// playWord is one part of a play: 24/18*/13, 13/7*(2), bar/21, 6/off, 6/-1.
	playWord = regexp.MustCompile(`(?i)^(?:bar|b|\d{1,2})\*?(?:[/-]\*?(?:bar|off|home|o|b|-?\d{1,2})\*?)+(?:\([1-4]\))?\*?[,;.]?$`)
	// rollInside is text that is not a comment: dice or the play of another turn.
	rollInside = regexp.MustCompile(`(?i)\d\d:|(?:\d|bar)\*?/\*?(?:\d|off)|(?:^|\s)/\d`)
	starLast   = regexp.MustCompile(`(\([1-4]\))\*`)
	below      = regexp.MustCompile(`/-\d{1,2}`)
	noMove     = regexp.MustCompile(`(?i)^\(?(?:cannot move|can't move|can’t move|cant move|no moves?|nomove|no legal moves?|no legal plays?|no plays?|danc(?:es?|ed)|fan(?:s|ned)?|0/0|o-o|-{1,3})\)?(?:\s|[.,;!]|$)`)
)

// Split divides the text after dice into the play, in words that board.ParsePlay knows, and the
// rest. Both are empty for a roll alone.
func Split(text string) (play, rest string) {
	text = strings.TrimSpace(text)
	if at := noMove.FindString(text); at != "" {
		return "", strings.TrimSpace(strings.TrimLeft(text[len(at):], " .,;!"))
	}
	var parts []string
	left := text
	for left != "" {
		word := left
		if i := strings.IndexAny(left, " \t"); i >= 0 {
			word = left[:i]
		}
		if !playWord.MatchString(word) && strings.Trim(word, ",;.") != "" {
			break
		}
		left = strings.TrimLeft(left[len(word):], " \t")
		if word = strings.Trim(word, ",;."); word != "0/0" && word != "" {
			parts = append(parts, word)
		}
	}
	if len(parts) == 0 {
		return "", text
	}
	play = strings.Join(parts, " ")
	play = starLast.ReplaceAllString(play, "*$1")
	play = strings.ReplaceAll(strings.ReplaceAll(play, "**", "*"), "/*", "/")
	return below.ReplaceAllString(play, "/off"), left
}
