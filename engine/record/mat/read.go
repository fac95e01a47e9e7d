package mat

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/matchbuilder"
)

var (
	lengthLine = regexp.MustCompile(`(?i)^\s*(?:(\d{1,7})[\s-]+points?[\s-]+match|match\s+(?:of|to)\s+(\d{1,7})(?:\s+points?)?|(unlimited\s+match|money\s+(?:session|game|match)))[\s.]*$`)
	gameLine   = regexp.MustCompile(`(?i)^\s*Game\s+(\d{1,6})\s*[.:]?\s*$`)
	rowNumber  = regexp.MustCompile(`^\s*\d{1,5}\)`)
	// rowInside finds the row of a game in other text.
	rowInside = regexp.MustCompile(`(?:^|\s)\d{1,5}\)\s+(?:.*\s)?[1-6]-?[1-6]\s?:(?:\s|$)`)
	twoNames  = regexp.MustCompile(`^\s*(\S.*?)(?:\s{2,}|\t)\s*(\S.*?)\s*$`)
	twoWords  = regexp.MustCompile(`^\s*(\S+)\s+(\S+)\s*$`)
)

// Limits on what one file may ask for.
const (
	maxLines = 1 << 23
	// maxRow bounds a row, of which a whole game's comments may make a long one: the time
	// for one grows with its square.
	maxRow = 4096
)

// moneyLength is what eXtreme Gammon writes as the length of a money session.
const moneyLength = 99999

// Read reads a file that holds one match. If there are more, the first is
// returned and a warning says how many there are. Errors are those of ReadAll.
func Read(r io.Reader) (*record.Match, []record.Warning, error) {
	return matchbuilder.First(ReadAll(r))
}

// ReadAll reads every match of a file, at least one. Errors are *record.SyntaxError
// with line and column, or of r. A file that has no row of a game is an error.
func ReadAll(r io.Reader) ([]*record.Match, []record.Warning, error) {
	rd := reader{File: matchbuilder.NewFile(r)}
	cut := 0
	for rd.Scan() {
		if len(rd.lines) == maxLines {
			rd.Fail("more than %d lines: split the file", maxLines)
		}
		line := rd.Text
		if len(line) > maxRow && rowNumber.MatchString(line) {
			line = strings.ToValidUTF8(line[:maxRow], "")
			if cut++; cut <= 100 {
				rd.Note(record.Warning{Line: rd.Number, Text: fmt.Sprintf("a row of more than %d characters: the rest of it is left out", maxRow)})
			}
		}
		rd.lines = append(rd.lines, line)
	}
	rd.look()
	rd.begin(0)
	for i, line := range rd.lines {
		if rd.Err() != nil {
			break
		}
		rd.Line = i + 1
		rd.line(line)
	}
	rd.endMatch()
	return rd.All("no game in the file: want rows such as \"  1) 31: 8/5 6/5\"")
}

// reader goes through the lines of a file. A match is closed when the head of
// another begins.
type reader struct {
	*matchbuilder.File
	lines []string
	shape shape

	length int // -1 before the length of the match is known
	named  bool
	heads  []record.Tag // tag lines behind a game: of a match to come, perhaps
	// lengthAgain is a length read after a game, if lengthSeen.
	lengthAgain int
	lengthSeen  bool
	expected    bool      // "Game n" was read, its names not yet
	gameNumber  int       // of that line
	swapped     bool      // the columns of this game are exchanged
	closed      bool      // the current game has its result: only a new game may follow
	rows        int       // rows of the current match
	lastRow     int       // number of the row read last in this game, 0 before the first
	lost        int       // rows after the end of a game, told once
	players     [3]string // by the tags Player 1 and Player 2
	elo         [3]string
	tags        tagRules
	firstLength int // line with the first length, 0 without
}

// begin starts an empty match.
func (r *reader) begin(line int) {
	r.Begin(line)
	r.length, r.named, r.expected, r.swapped, r.closed, r.rows, r.lost = -1, false, false, false, false, 0, 0
	r.players, r.elo, r.tags = [3]string{}, [3]string{}, tagRules{}
}

// endMatch closes the current match; one without a row leaves nothing.
func (r *reader) endMatch() {
	if r.rows == 0 {
		r.Forget()
		return
	}
	r.rules()
	r.ratings(r.Match)
	r.galaxy()
	r.Close()
}

func (r *reader) line(line string) {
	bare := strings.TrimSpace(line)
	switch {
	case bare == "":
		return
	case bare[0] == ';' || bare[0] == '#':
		r.comment(bare)
		return
	case r.Line < r.firstLength && !r.expected && r.rows == 0:
		// A title, a box, the head of a mail.
		if rowNumber.MatchString(line) && len(scan(line, 0)) > 0 {
			r.Warn("a row above the length of the match: left out is %q", short(bare))
		}
		return
	}
	if m := lengthLine.FindStringSubmatch(line); m != nil {
		n, _ := strconv.Atoi(m[1] + m[2])
		if n == moneyLength {
			n = 0
		}
		r.lengthLine(n)
		return
	}
	if m := gameLine.FindStringSubmatch(line); m != nil {
		if r.expected {
			r.Warn("game %d has nothing but its number", r.gameNumber)
		}
		r.expected = true
		r.gameNumber, _ = strconv.Atoi(m[1])
		return
	}
	n, named := parseNames(line)
	numbered := rowNumber.MatchString(line)
	switch {
	case named && (!numbered || r.expected && len(scan(line, 0)) == 0): // a name may begin as a row does: "1) anna"
		r.game(n)
	case numbered:
		r.numbered(line)
	case r.Current() != nil && !r.bothNames(bare) && isRow(line):
		r.row(line, 0)
	case !r.bareNames(line):
		r.Warn("cannot read %q", short(bare))
	}
}

// isRow reports whether a line without a number has the cells of a row.
func isRow(line string) bool {
	cells := scan(line, 0)
	return len(cells) > 0 && (cells[0].kind != wordCell || strings.TrimSpace(line[:cells[0].at]) == "")
}

func short(s string) string { return matchbuilder.Clip(s, 60) }

// lengthLine begins a match, or says again how long the running one is.
func (r *reader) lengthLine(n int) {
	if r.rows == 0 {
		r.length = n
		r.Match.Length = n
		return
	}
	// Whether it is another match is known when the next names are read.
	r.lengthAgain, r.lengthSeen = n, true
}

// numbered reads a line that begins with the number of a row, in parts if another number is in
// the middle.
func (r *reader) numbered(line string) {
	if r.Current() == nil || r.expected {
		r.nameless()
	}
	for {
		from := len(rowNumber.FindString(line))
		r.gap(line[:from])
		rest, again := cutRow(line, from)
		r.row(rest, from)
		if again == "" {
			return
		}
		line = again
	}
}

// gap warns about rows that are missing before the one with this number.
func (r *reader) gap(number string) {
	n, _ := strconv.Atoi(strings.Trim(number, " \t)"))
	if r.lastRow > 0 && n > r.lastRow+1 {
		r.Warn("row %d follows row %d", n, r.lastRow)
	}
	r.lastRow = n
}

// nameless begins a game whose names are not written.
func (r *reader) nameless() {
	r.expected, r.swapped, r.closed, r.lost, r.lastRow = false, false, false, 0, 0
	r.NextGame()
}

// game begins a game with the names and scores of its head, in another match where
// this cannot be the running one.
func (r *reader) game(n names) {
	again := r.rows > 0 && r.another(n)
	switch {
	case again:
		heads, length := r.heads, r.lengthAgain
		if !r.lengthSeen {
			length = r.Match.Length
		}
		line := r.Line
		r.endMatch()
		r.begin(line)
		r.length, r.Match.Length = length, length
		for _, t := range heads {
			r.tag(t)
		}
	case r.rows > 0:
		for _, t := range r.heads {
			r.tag(t)
		}
	}
	r.heads, r.lengthSeen = nil, false
	p := &r.Match.Players
	r.swapped = false
	switch {
	case !r.named:
		for i := range p {
			p[i].Name = n.name[i]
			if n.rating[i] != "" {
				p[i].Rating = n.rating[i]
			}
		}
		r.named = true
	case n.name[0] == p[1].Name && n.name[1] == p[0].Name && n.name[0] != n.name[1]:
		r.swapped = true
		n.score[0], n.score[1] = n.score[1], n.score[0]
	case n.name[0] != p[0].Name || n.name[1] != p[1].Name:
		r.Warn("this game is between %q and %q", n.name[0], n.name[1])
	}
	r.expected, r.closed, r.lost, r.lastRow = false, false, 0, 0
	r.Game(n.score)
}

// another reports whether a game with these names begins a new match: its head was repeated, and
// it does not continue the running match.
func (r *reader) another(n names) bool {
	m := r.Match
	p := m.Players
	same := n.name[0] == p[0].Name && n.name[1] == p[1].Name || n.name[0] == p[1].Name && n.name[1] == p[0].Name
	fresh := n.score == [2]int{}
	switch {
	case !r.named:
		return false
	case r.lengthSeen && r.lengthAgain != m.Length, !same && (r.lengthSeen || r.heads != nil || fresh && m.Length > 0):
		return true
	case r.lengthSeen || r.heads != nil:
		return fresh || r.expected && r.gameNumber == 1
	}
	// Without a new head only a match that starts over is another one.
	return fresh && m.Length > 0 && (r.expected && r.gameNumber == 1 || r.finished())
}

// finished reports whether the running match is won according to the file.
func (r *reader) finished() bool {
	m := r.Match
	return len(m.Games) > 0 && m.Length > 0 && (m.Games[len(m.Games)-1].Score[0] > 0 || m.Games[len(m.Games)-1].Score[1] > 0)
}

// bothNames reports whether a line has nothing but the names of the running match, which
// may be words of a row.
func (r *reader) bothNames(bare string) bool {
	p := &r.Match.Players
	right, ok := strings.CutPrefix(bare, p[0].Name)
	return ok && r.named && right != strings.TrimLeft(right, " \t") && strings.TrimSpace(right) == p[1].Name
}

// bareNames reads the line of two names that begins a game in files without scores.
func (r *reader) bareNames(line string) bool {
	m := twoNames.FindStringSubmatch(line)
	if m == nil {
		m = twoWords.FindStringSubmatch(line)
	}
	if m == nil || rowInside.MatchString(line) { // a row ran into the names
		return false
	}
	p := &r.Match.Players
	same := m[1] == p[0].Name && m[2] == p[1].Name
	if r.named && !same || !r.named && (r.rows > 0 || r.Line < len(r.lines) && !r.rowSoon()) {
		return false
	}
	p[0].Name, p[1].Name = m[1], m[2]
	r.named = true
	r.nameless()
	return true
}

// rowSoon reports whether the next line that is not empty is a row.
func (r *reader) rowSoon() bool {
	for _, line := range r.lines[r.Line:] {
		if strings.TrimSpace(line) != "" {
			return rowNumber.MatchString(line)
		}
	}
	return false
}
