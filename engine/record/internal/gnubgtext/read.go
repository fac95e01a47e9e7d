package gnubgtext

import (
	"io"
	"regexp"
	"strconv"
	"strings"

	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/matchbuilder"
)

// maxMatches bounds the matches of one file, maxWarnings the warnings about it, maxNote the
// text of one annotation.
const (
	maxMatches  = 200_000
	maxWarnings = 1000
	maxNote     = 64 << 10
)

// Sign finds the first line that only an export of a game has.
var Sign = regexp.MustCompile(`(?m)^(?:The score \(after \d{1,5} games?\) is: |Move number \d{1,5}:  ?\S)`)

var (
	board1    = regexp.MustCompile(`(?m)^ *GNU Backgammon  Position ID: [A-Za-z0-9+/]{14}\b`)
	scoreLine = regexp.MustCompile(`^The score \(after (\d{1,5}) games?\) is: (.*) (\d{1,5}), (.*) (\d{1,5})(?: \(match to (\d{1,5}) points?\)(, Crawford game|, post-Crawford play)?)?$`)
	moveLine  = regexp.MustCompile(`^Move number (\d{1,5}):\s+(\S.*)$`)
	toPlay    = regexp.MustCompile(`^(.*) to play ([1-6])([1-6])$`)
	doublesTo = regexp.MustCompile(`^(.*) doubles to \d{1,5}$`)
	onRoll    = regexp.MustCompile(`^(.*) on roll, cube decision\?$`)
	action    = regexp.MustCompile(`^\* (\S.*) (moves|cannot move|doubles|redoubles|beavers|accepts|rejects|takes|passes)(?: ([-/()*0-9a-z ]*))?$`)
	winsLine  = regexp.MustCompile(`^(\S.*) wins (\d{1,6}) points?$`)
	idLine    = regexp.MustCompile(`^ *GNU Backgammon  Position ID: (\S+)$`)
	matchLine = regexp.MustCompile(`^ *Match ID *: (\S+)$`)
	nameLine  = regexp.MustCompile(`^ \+[-0-9]{40,44}\+ {5}([OX]): (\S.*)$`)
	nameCube  = regexp.MustCompile(` \(Cube: \d{1,5}\)$`)
	endLine   = regexp.MustCompile(`^(?:(?:Game statistics for game|Output generated) \S|(?:Match|Session) statistics$)`)
)

// Is reports whether a text has a board that gnubg drew.
func Is(text string) bool { return board1.MatchString(text) }

// Read reads the matches of a file, at least one. Errors are *record.SyntaxError or of r.
func Read(r io.Reader) ([]*record.Match, []record.Warning, error) {
	g := reader{}
	lines := matchbuilder.NewLines(r)
	for {
		text, err := lines.Next()
		if err == io.EOF {
			break
		}
		if err == nil {
			g.line = lines.Number
			err = g.read(strings.TrimRight(text, " \t"))
		}
		if err != nil {
			return nil, g.warnings, err
		}
	}
	if err := g.close(); err != nil {
		return nil, g.warnings, err
	}
	if len(g.matches) == 0 {
		return nil, g.warnings, &record.SyntaxError{Line: max(g.line, 1), Column: 1, Problem: "GNU Backgammon text: no game and no board in the file"}
	}
	return g.matches, g.warnings, nil
}

// part is where in a file the reader is.
type part uint8

const (
	outside part = iota // nothing read here means anything: statistics, text of others
	info                // below "Match Information"
	comment             // behind "Comments:" there
	inBoard             // below a "Move number", before what was done
	done                // what was done is read: analysis
	note                // below "Annotation:"
)

// head is the text above a game.
type head struct {
	number   int // games before it
	names    [2]string
	score    [2]int
	length   int
	crawford bool
	said     bool // the file has it
	line     int
}

// reader is a file that is being read.
type reader struct {
	s        *matchbuilder.Builder
	matches  []*record.Match
	warnings []record.Warning
	line     int
	at       part
	head     head  // of the game that is being read
	waits    bool  // its first action is yet to come
	number   int   // of the last "Move number" of the game
	b        block // the last of those
	named    [2]bool
	noted    strings.Builder
	ana      analysis
}

// read takes the next line.
func (g *reader) read(text string) error {
	if g.s != nil {
		g.s.Line = g.line
	}
	if strings.HasPrefix(text, "The score (after ") {
		if m := scoreLine.FindStringSubmatch(text); m != nil {
			return g.score(m)
		}
	}
	if m := moveLine.FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[1])
		// An annotation may hold such a line, too.
		if g.at != note || n == g.number+1 {
			return g.move(n, m[2])
		}
	}
	if m := idLine.FindStringSubmatch(text); m != nil && g.at != note {
		return g.drawn(m[1])
	}
	if endLine.MatchString(text) && g.at != outside {
		return g.rest()
	}
	if (g.at == outside || g.at == info || g.at == done) && g.s != nil && strings.HasPrefix(text, "* ") && action.MatchString(text) {
		g.s.Warn("no player is to act here: %.60q is left out", text)
		return nil
	}
	switch g.at {
	case info, comment:
		g.info(text)
	case inBoard:
		return g.board(text)
	case done:
		return g.below(text)
	case note:
		if g.noted.Len()+len(text) < maxNote {
			g.noted.WriteString(text + "\n")
		}
	}
	return nil
}

// score begins a game by the line above it.
func (g *reader) score(m []string) error {
	var h head
	h.number, _ = strconv.Atoi(m[1])
	h.names = [2]string{m[2], m[4]}
	h.score[0], _ = strconv.Atoi(m[3])
	h.score[1], _ = strconv.Atoi(m[5])
	h.length, _ = strconv.Atoi(m[6])
	h.crawford, h.said, h.line = m[7] == ", Crawford game", true, g.line
	if h.length > 0 && max(h.score[0], h.score[1]) >= h.length {
		return &record.SyntaxError{Line: g.line, Column: 1, Problem: "GNU Backgammon text: the score " + m[3] + "-" + m[5] + " is beyond the match of " + m[6] + " points"}
	}
	if err := g.rest(); err != nil {
		return err
	}
	if err := g.begin(); err != nil {
		return err
	}
	goes := g.s != nil && g.head.said && h.number == g.head.number+1 && h.length == g.head.length && h.names == g.head.names
	return g.next(h, goes)
}

// next makes h the game that is read, in the match before it or in one of its own.
func (g *reader) next(h head, goes bool) error {
	if !goes {
		if err := g.close(); err != nil {
			return err
		}
		if len(g.matches) >= maxMatches {
			return &record.SyntaxError{Line: g.line, Column: 1, Problem: "GNU Backgammon text: more than " + strconv.Itoa(maxMatches) + " matches: split the file"}
		}
		g.s = matchbuilder.New()
		g.s.Line = g.line
		m := g.s.Match
		m.Players[0].Name, m.Players[1].Name = h.names[0], h.names[1]
		g.rules(h.length)
		g.named = [2]bool{}
	}
	g.head, g.waits, g.number, g.at, g.b = h, true, 0, info, block{}
	return nil
}

// rules are those of a match of this length, as far as no file says more.
func (g *reader) rules(length int) {
	m := g.s.Match
	m.Length = length
	m.Rules.Crawford, m.Rules.Jacoby, m.Rules.Beavers = length > 0, length == 0, 0
	if length == 0 {
		m.Rules.Beavers = 3 // gnubg's own; the file does not say
	}
}

// rest ends the text below the last board of a game.
func (g *reader) rest() error {
	wins := ""
	if g.at == note {
		wins = g.annotation(true)
	}
	if err := g.undone(); err != nil {
		return err
	}
	g.analysed()
	if g.at != outside {
		g.at = outside
	}
	if m := winsLine.FindStringSubmatch(wins); m != nil {
		return g.wins(m)
	}
	return nil
}

// close ends the match that is being read.
func (g *reader) close() error {
	if g.s == nil {
		return nil
	}
	if err := g.rest(); err != nil {
		return err
	}
	if err := g.begin(); err != nil {
		return err
	}
	m := g.s.Match
	g.s.EndGame()
	if len(m.Games) > 0 && m.Games[0].Score == [2]int{} && m.Length > 1 && g.head.said {
		m.Rules.Crawford = crawford(m)
	}
	m, ws := g.s.Finish()
	g.s = nil
	g.matches = append(g.matches, m)
	if room := maxWarnings - len(g.warnings); room > 0 {
		g.warnings = append(g.warnings, ws[:min(len(ws), room)]...)
	}
	return nil
}

// crawford reports whether a match is played by the Crawford rule: its first game at 1-away is
// marked.
func crawford(m *record.Match) bool {
	for i := range m.Games {
		g := &m.Games[i]
		if g.Crawford {
			return true
		}
		if match.AtCrawford(m.Length, g.Score) {
			return false
		}
	}
	return true
}

// annotation writes the comment that was read. With last, the line that ends it may be
// the result of the game and no word of it: that line is returned.
func (g *reader) annotation(last bool) (result string) {
	text := strings.TrimRight(g.noted.String(), "\n")
	g.noted.Reset()
	if g.at = done; last {
		cut := strings.LastIndexByte(text, '\n') + 1
		if m := winsLine.FindStringSubmatch(text[cut:]); m != nil && g.player(m[1]) != record.NoPlayer {
			text, result = strings.TrimRight(text[:cut], "\n"), text[cut:]
		}
	}
	g.s.Comment(strings.TrimLeft(text, "\n"))
	return result
}

// wins notes the result of the game.
func (g *reader) wins(m []string) error {
	if err := g.begin(); err != nil {
		return err
	}
	points, _ := strconv.Atoi(m[2])
	g.s.End(record.Statement{Trust: record.Worded, Winner: g.player(m[1]), Points: points})
	return nil
}

// player returns the player of that name, record.NoPlayer if neither or both have it.
func (g *reader) player(name string) int {
	p := &g.s.Match.Players
	switch {
	case p[0].Name == p[1].Name:
	case p[0].Name == name:
		return 0
	case p[1].Name == name:
		return 1
	}
	return record.NoPlayer
}

// info reads a line of "Match Information".
func (g *reader) info(text string) {
	m := g.s.Match
	if g.at == comment {
		if strings.TrimSpace(text) == "" {
			g.at = info
		} else if len(m.Comment)+len(text) < maxNote {
			m.Comment += "\n" + text
		}
		return
	}
	if w := winsLine.FindStringSubmatch(text); w != nil && g.player(w[1]) >= 0 {
		_ = g.wins(w) // a game of nothing but its result: the error would come again
		return
	}
	if i := strings.LastIndex(text, "'s rating: "); i > 0 {
		if p := g.player(text[:i]); p >= 0 {
			m.Players[p].Rating = text[i+len("'s rating: "):]
		}
		return
	}
	key, value, _ := strings.Cut(text, ": ")
	value = strings.TrimSpace(value)
	switch key {
	case "Date":
		if m.Date = value; value != "" && (&record.Days{}).Day(value) == "" && !record.Ambiguous(value) {
			g.s.Warn("cannot read the date %.40q", value)
			m.Date = ""
		}
	case "Event":
		m.Event = value
	case "Round":
		m.Round = value
	case "Place":
		m.Place = value
	case "Annotator":
		m.Annotator = value
	case "Comments":
		m.Comment, g.at = value, comment
	}
}
