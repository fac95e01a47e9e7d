package demo

import (
	"fmt"
	"os"
	"strings"

	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// scene is one picture of a match: the board as the lower player sees it, both
// names, the score, the cube and the last thing that happened.
type scene struct {
	sheet.Snapshot
	Captions []string // newest last
	History  int      // how many of them are drawn, 4 when 0
	Pages    string   // a line below the board
}

// Terminal colours; empty strings on a plain one.
type palette struct{ lower, upper, frame, dice, cube, dim, off string }

// colours are those of a terminal, none where NO_COLOR (no-color.org) is set.
func colours() palette {
	if os.Getenv("NO_COLOR") != "" {
		return palette{}
	}
	return palette{lower: "\x1b[1;33m", upper: "\x1b[1;36m", frame: "\x1b[38;5;245m", dice: "\x1b[1;97m",
		cube: "\x1b[1;35m", dim: "\x1b[2m", off: "\x1b[0m"}
}

// rowsPerSide is how many checkers of a point are drawn; more show as a number.
const rowsPerSide = 5

// draw renders the scene as lines, each ended by a line end. The picture always
// has the same number of lines, so that drawing over the last one leaves nothing.
func (s *scene) draw(c palette) string {
	var b strings.Builder
	line := func(format string, args ...any) {
		fmt.Fprintf(&b, format, args...)
		b.WriteByte('\n')
	}
	length := "unlimited match"
	if s.State.Length > 0 {
		length = fmt.Sprintf("%d-point match", s.State.Length)
	}
	title := fmt.Sprintf("%s, game %d", length, s.Game)
	if s.Crawford {
		title += ", Crawford"
	}
	p := &s.Position
	me, opp := p.Off()
	line("  %s%s%s   %s", c.dim, title, c.off, "")
	line("  %s○ %-20s%s %2d points   pips %3d   off %2d", c.upper, upperName, c.off, s.Score[sheet.Them], p.Opp.Pips(), opp)
	line("  %s┌13─14─15─16─17─18─┬───┬19─20─21─22─23─24─┐%s %s", c.frame, c.off, s.cubeAt(match.Theirs, c))
	for row := range rowsPerSide {
		line("  %s", s.row(row, true, c)+s.side(row, c))
	}
	line("  %s│                  │BAR│                  │%s %s", c.frame, c.off, s.cubeAt(match.Centred, c))
	for row := rowsPerSide - 1; row >= 0; row-- {
		line("  %s", s.row(row, false, c)+s.side(rowsPerSide+row, c))
	}
	line("  %s└12─11─10──9──8──7─┴───┴─6──5──4──3──2──1──┘%s %s", c.frame, c.off, s.cubeAt(match.Mine, c))
	line("  %s● %-20s%s %2d points   pips %3d   off %2d", c.lower, lowerName, c.off, s.Score[sheet.Us], p.Me.Pips(), me)
	line("  %s", s.Pages)
	history := max(s.History, leastHistory)
	for i := range history {
		text := ""
		if k := max(0, len(s.Captions)-history) + i; k < len(s.Captions) {
			text = s.Captions[k]
		}
		line("  %s", text)
	}
	return b.String()
}

// row draws one row of checkers of the upper or lower half.
func (s *scene) row(row int, upper bool, c palette) string {
	var b strings.Builder
	b.WriteString(c.frame + "│" + c.off)
	for half := range 2 {
		for i := range 6 {
			point := 11 - 6*half - i
			if upper {
				point = 12 + 6*half + i
			}
			b.WriteString(checker(int(s.Position.Me[point]), int(s.Position.Opp[23-point]), row, c))
		}
		b.WriteString(c.frame + "│" + c.off)
		if half == 1 {
			break
		}
		// Hit checkers wait on the half of the board they have to enter from.
		if upper {
			b.WriteString(checker(int(s.Position.Me[board.Bar]), 0, row, c))
		} else {
			b.WriteString(checker(0, int(s.Position.Opp[board.Bar]), row, c))
		}
		b.WriteString(c.frame + "│" + c.off)
	}
	return b.String()
}

// checker draws one place of a stack of which mine or theirs is the height.
func checker(mine, theirs, row int, c palette) string {
	n, colour, sign := mine, c.lower, "●"
	if theirs > 0 {
		n, colour, sign = theirs, c.upper, "○"
	}
	switch {
	case n <= row:
		return " " + c.dim + "·" + c.off + " "
	case row == rowsPerSide-1 && n > rowsPerSide:
		return fmt.Sprintf("%s%2d%s ", colour, n, c.off)
	}
	return " " + colour + sign + c.off + " "
}

// side is what stands right of the board in the given row: the dice, on the
// half of the player on turn.
func (s *scene) side(row int, c palette) string {
	at := 2
	if s.Turn == sheet.Us {
		at = rowsPerSide + 2
	}
	if row != at {
		return "            "
	}
	if !s.Dice.Valid() {
		return "   to roll  "
	}
	return fmt.Sprintf("   %s[%d] [%d]%s  ", c.dice, s.Dice.A, s.Dice.B, c.off)
}

func (s *scene) cubeAt(o match.Owner, c palette) string {
	if s.Owner != o {
		return "            "
	}
	return fmt.Sprintf("  %s[%2d]%s      ", c.cube, max(1, s.Cube), c.off)
}
