package server

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// unlimitedLength is what the board line says for an unlimited match.
const unlimitedLength = 9999

// boardLine is FIBS's board in style 3 as player i sees it. self is "You" for that player and
// the name for all others.
func (s *Server) boardLine(m *match, i int, self string) string {
	me, they := m.side(i), m.side(1-i)
	numbers := append(make([]int, 0, 50), cmp.Or(m.Length, unlimitedLength), m.Score[i], m.Score[1-i])
	for _, n := range m.Layout.Points {
		numbers = append(numbers, int(n))
	}
	var dice [4]int // the player's, then the opponent's
	turn := m.Turn
	switch {
	case m.Doubling != 0:
		turn = -m.Doubling // the board shows who has to answer
	case m.Turn == me:
		copy(dice[:2], m.Roll[:])
	case m.Turn == they:
		copy(dice[2:], m.Roll[:])
	}
	numbers = append(numbers, int(turn))
	numbers = append(numbers, dice[:]...)
	// Ownership, not permission: FIBS shows 1:1 in the Crawford game too.
	numbers = append(numbers, m.Cube, bit(m.Doubling == 0 && m.Owner != they), bit(m.Doubling == 0 && m.Owner != me), bit(m.Doubling == they),
		int(me), -int(me), offOf(me), barOf(me), m.Layout.Off(me), m.Layout.Off(they), m.Layout.Bar(me), m.Layout.Bar(they))
	if s.chance(s.opts.Quirks.Junk) {
		numbers = append(numbers, s.rng.IntN(5), s.rng.IntN(7), 0)
	} else {
		numbers = append(numbers, m.CanMove[i], 0, bit(m.CrawDone && !m.CrawGame))
	}
	b := append(make([]byte, 0, 160), "board:"+self+":"+m.name(1-i)...)
	for _, n := range append(numbers, m.Redoubles) {
		b = strconv.AppendInt(append(b, ':'), int64(n), 10)
	}
	return string(b)
}

// showBoard sends player i's board to a user in that user's style. asked is false for boards
// that the server sends unasked, whose line may not be ended.
func (s *Server) showBoard(to *user, m *match, i int, asked bool) {
	self := m.name(i)
	if m.seats[i] == to && m.running {
		self = "You"
	}
	if to.set.BoardStyle == 3 {
		line := s.boardLine(m, i, self)
		if asked {
			to.conn.line(line)
		} else {
			to.conn.unended(line)
		}
		return
	}
	for _, line := range m.picture(i, self, int(to.set.BoardStyle)) {
		to.conn.line(line)
	}
}

// autoBoards sends the board to players and watchers who want it refreshed.
// rolled boards go to those only who also want boards after rolls.
func (s *Server) autoBoards(m *match, rolled bool) {
	for i, u := range m.seats {
		s.autoBoard(u, m, i, rolled)
		for _, w := range u.watchers {
			s.autoBoard(w, m, i, rolled)
		}
	}
}

func (s *Server) autoBoard(to *user, m *match, i int, rolled bool) {
	if !to.set.on("autoboard") {
		return
	}
	if rolled && (!to.set.on("moreboards") || (to.set.BoardStyle != 3 && to != m.onRoll())) {
		return
	}
	s.showBoard(to, m, i, false)
}

// picture draws the board as text. Style 1 shows it from the player's side, with the home board on
// the right. Style 2 always has O's points 1 to 12 at the bottom, and is plainer.
func (m *match) picture(i int, self string, style int) []string {
	me := m.side(i)
	top, bottom := make([]int, 12), make([]int, 12)
	for k := range 12 {
		if me == O || style == 2 {
			top[k], bottom[k] = 13+k, 12-k
		} else {
			top[k], bottom[k] = 12-k, 13+k
		}
	}
	var out []string
	out = append(out, numbers(top))
	edge := "  +" + strings.Repeat("-", 19) + "+---+" + strings.Repeat("-", 19) + "+"
	upSide := -me
	if style == 2 {
		upSide = X
	}
	out = append(out, edge+" "+m.label(upSide, i, self))
	rows := 5
	if style == 1 {
		rows = 6
	}
	for row := range rows {
		out = append(out, m.row(top, row, rows, upSide))
	}
	out = append(out, fmt.Sprintf("  |%19s|BAR|%19s| %s match", "", "", kindOf(m.Length, "-")))
	for row := rows - 1; row >= 0; row-- {
		out = append(out, m.row(bottom, row, rows, -upSide))
	}
	out = append(out, edge+" "+m.label(-upSide, i, self))
	out = append(out, numbers(bottom))
	out = append(out, m.footer(i, self), "")
	return out
}

func numbers(points []int) string {
	var b strings.Builder
	b.WriteString("   ")
	for k, p := range points {
		if k == 6 {
			b.WriteString("     ")
		}
		fmt.Fprintf(&b, "%2d ", p)
	}
	return b.String()
}

// row is one line of checkers; points with more than fit show their number.
func (m *match) row(points []int, row, rows int, barSide Colour) string {
	var b strings.Builder
	b.WriteString("  |")
	for k, p := range points {
		if k == 6 {
			fmt.Fprintf(&b, " | %s |", stack(barSide, m.Layout.Bar(barSide), row, rows))
		}
		n := int(m.Layout.Points[p])
		side := O
		if n < 0 {
			side, n = X, -n
		}
		fmt.Fprintf(&b, " %s ", stack(side, n, row, rows))
	}
	return b.String() + " |"
}

func stack(side Colour, n, row, rows int) string {
	switch {
	case row == rows-1 && n > rows:
		return strconv.FormatInt(int64(n), 16)
	case row < n:
		return side.String()
	}
	return " "
}

// label returns the name of a side's player with score and checkers borne off.
func (m *match) label(c Colour, i int, self string) string {
	who := m.player(c)
	name := m.name(who)
	if who == i {
		name = self
	}
	return fmt.Sprintf("%s: %s - score: %d, off: %d, pips: %d", c, name, m.Score[who], m.Layout.Off(c), m.Layout.Pips(c))
}

// footer returns the line with bars, checkers off, cube, turn and dice.
func (m *match) footer(i int, self string) string {
	cube := fmt.Sprintf("   BAR: O-%d X-%d   OFF: O-%d X-%d   Cube: %d", m.Layout.Bar(O), m.Layout.Bar(X), m.Layout.Off(O), m.Layout.Off(X), m.Cube)
	if m.Owner != 0 {
		cube += fmt.Sprintf(" (owned by %s)", m.name(m.player(m.Owner)))
	}
	if m.Turn == 0 {
		return cube
	}
	who := m.name(m.player(m.Turn))
	if m.player(m.Turn) == i {
		who = self
	}
	dice := ""
	if m.Roll[0] != 0 {
		dice = fmt.Sprintf(", dice: %d %d", m.Roll[0], m.Roll[1])
	}
	return fmt.Sprintf("%s   turn: %s (%s)%s", cube, who, m.Turn, dice)
}
