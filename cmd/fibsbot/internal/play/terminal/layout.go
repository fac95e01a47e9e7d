package terminal

import (
	"fmt"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"fibsbot/cmd/fibsbot/internal/play"
)

// helpLines is the help on the screen; ↵ is Enter. They fit beside the board in 80 columns.
var helpLines = []string{
	"8/5 6/5 ↵    move checkers",
	"↑ ↓  ↵       choose a play",
	"← →  ↵       step by step",
	"↵ or space   roll",
	"d↵ double    t↵ take",
	"pass↵        resign [2|3]↵",
	"h↵ hint      =2↵ play the 2nd",
	"u↵ undo      tutor off↵",
	"swap↵ again↵ engine [game]↵",
	"q↵ save and leave",
	"end↵         end money play",
	"Esc clear    ? or F1 help",
}

const (
	bold   = "\x1b[1m"
	faint  = "\x1b[2m"
	plain0 = "\x1b[0m"
	warm   = "\x1b[38;2;224;160;70m"
)

// leastWidth and leastHeight are the smallest terminal that can show everything.
const (
	leastWidth  = 52
	leastHeight = 21
)

// View implements tea.Model.
func (s *screen) View() tea.View {
	v := tea.NewView(s.content())
	v.AltScreen = true
	v.WindowTitle = "fibsbot play"
	return v
}

// asideWidth is the room of the panel, beside or below the board.
func (s *screen) asideWidth() int {
	w, _ := boardSize(s.point())
	if room := s.w - w - 4; room >= 24-1 {
		return room
	}
	return s.w - 1
}

// point is the width of a point that leaves room for the panel.
func (s *screen) point() int {
	point := 3
	for point < 6 {
		if w, _ := boardSize(point + 1); w+36 > s.w {
			break
		}
		point++
	}
	return point
}

func (s *screen) content() string {
	if s.left {
		return ""
	}
	if s.w < leastWidth || s.h < leastHeight {
		return fmt.Sprintf("The window is too small: %d×%d\n(minimum %d×%d).\nUse fibsbot play --plain for plain lines.", s.w, s.h, leastWidth, leastHeight)
	}
	boards, from, to := s.boards()
	pic := picture{view: &s.view, boards: boards, from: from, to: to, point: s.point(), hollow: s.hollow}
	c := pic.draw()
	left := append([]string{s.title(), s.player(play.Opponent)}, c.lines()...)
	left = append(left, s.player(play.You))
	left = append(left, s.below()...)
	width := c.w + 3
	if s.w-width < 24 {
		// No room beside the board: the panel goes below it.
		room := s.h - len(left)
		for i, line := range s.aside(max(room, 0), s.w-1) {
			if i < room {
				left = append(left, line)
			}
		}
		return strings.Join(left, "\n")
	}
	side := s.aside(s.h-1, s.w-width-1)
	for i := 1; i < len(left) && len(side) > 0; i++ {
		if ansi.StringWidth(left[i]) < width { // a long result or note keeps its line
			left[i] = pad(left[i], width) + side[0]
			side = side[1:]
		}
	}
	for ; len(side) > 0 && len(left) < s.h; side = side[1:] {
		left = append(left, strings.Repeat(" ", width)+side[0])
	}
	return strings.Join(left, "\n")
}

// title is the first line.
func (s *screen) title() string {
	v := &s.view
	text := "Money play"
	if v.Length > 0 {
		text = fmt.Sprintf("%d-point match", v.Length)
	}
	if g := game(v); g != "" {
		text += " of " + g
	}
	text += fmt.Sprintf(" · game %d", v.Game)
	if v.Crawford {
		text += " · Crawford"
	}
	text = " " + bold + text + plain0
	if o := v.Opponent.String(); o != "" {
		text += fmt.Sprintf("%s · %s: %s%s", faint, v.Names[play.Opponent], o, plain0)
	}
	return cut(text, s.w)
}

// player is the line of a side.
func (s *screen) player(side int) string {
	v := &s.view
	mark := " "
	if v.Turn == side && v.Phase != play.MatchOver && v.Phase != play.GameOver {
		mark = warm + "▶" + plain0
	}
	pic := picture{view: v, hollow: s.hollow}
	k := pic.checkerInk(side)
	name := v.Names[side]
	score := ""
	if v.Length > 0 {
		score = fmt.Sprintf("  %s%d%s of %d", bold, v.Score[side], plain0, v.Length)
	} else {
		score = fmt.Sprintf("  %s%d%s", bold, v.Score[side], plain0)
	}
	return fmt.Sprintf("%s\x1b[48;2;59;42;32;38;2;%d;%d;%dm %s %s %s%s%s", mark, k.r, k.g, k.b, pic.sign(side), plain0, bold+name+plain0, score,
		faint+fmt.Sprintf("   pips %d", v.Pips[side])+plain0)
}

// below is the text under the board: the question and the typed line.
func (s *screen) below() []string {
	v := &s.view
	line := ""
	switch {
	case s.asking != nil:
		line = fmt.Sprintf("%sTutor: %s loses %.3f.%s  y play anyway, h show the best, any key think again", warm, s.asked.Act, s.asked.Loss, plain0)
	case s.note != "":
		line = warm + s.note + plain0
	case s.busy != "":
		line = faint + s.busy + " …" + plain0
	case s.ended:
		line = bold + Ended(v) + plain0
	case v.Result != nil:
		line = bold + Outcome(v) + plain0
	}
	ask := PromptOf(v)
	if s.over() {
		ask = "q leaves"
	}
	return []string{line, fmt.Sprintf(" %s%s%s › %s█", bold, ask, plain0, s.input)}
}

// aside is the panel: the last acts, and the legal plays, a hint, help or the review.
func (s *screen) aside(rows, width int) []string {
	var out []string
	add := func(line string) { out = append(out, cut(line, width)) }
	var list []string
	for _, line := range s.panel {
		list = append(list, wrap(line, width)...)
	}
	if s.panel == nil {
		list = s.playList(max(3, rows/2))
	}
	keep := max(0, rows-len(list)-3)
	var acts []string // lines, all but the last act faint
	for i, e := range s.view.Acts {
		for _, line := range wrap(Say(&s.view, e), width) {
			if i < len(s.view.Acts)-1 {
				line = faint + line + plain0
			}
			acts = append(acts, line)
		}
	}
	if n := len(acts); n > keep {
		acts = acts[n-keep:]
	}
	for _, a := range acts {
		add(a)
	}
	if len(list) > 0 {
		add("")
		for _, line := range list {
			add(line)
		}
	}
	if s.panel == nil && len(out) < rows {
		add("")
		add(faint + "? help  h↵ hint  q↵ leave" + plain0)
	}
	if len(out) > rows {
		out = out[:rows]
	}
	return out
}

// playList is the part of the legal plays around the chosen one.
func (s *screen) playList(rows int) []string {
	n := len(s.plays)
	if s.view.Phase != play.ToMove || s.view.Turn != play.You || n == 0 {
		return nil
	}
	rows = min(rows, n)
	first := min(max(0, s.selected-rows/2), n-rows)
	title := fmt.Sprintf("%d legal plays", n)
	if n == 1 {
		title = "1 legal play (Enter)"
	}
	out := []string{bold + title + plain0}
	for i := first; i < first+rows; i++ {
		if i == s.selected {
			out = append(out, warm+"▸ "+s.plays[i]+plain0)
			continue
		}
		out = append(out, "  "+s.plays[i])
	}
	if first+rows < n {
		out = append(out, faint+fmt.Sprintf("  … %d more", n-first-rows)+plain0)
	}
	return out
}

func pad(line string, width int) string {
	return line + strings.Repeat(" ", max(0, width-ansi.StringWidth(line)))
}

// wrap breaks a text without colours into lines that fit; it indents all but the first.
func wrap(text string, width int) (lines []string) {
	const in = "  "
	for room := width; utf8.RuneCountInString(text) > room && room > len(in); {
		at := strings.LastIndexByte(string([]rune(text)[:room+1]), ' ')
		if at <= len(in) {
			break // a long word: cut shortens it
		}
		lines = append(lines, text[:at])
		text = in + strings.TrimLeft(text[at:], " ")
	}
	if text != "" {
		lines = append(lines, text)
	}
	return lines
}

// cut shortens a line to a width and keeps its colour codes whole.
func cut(line string, width int) string { return ansi.Truncate(line, width, "…") }
