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

// maxNote bounds the text of one annotation.
const maxNote = 64 << 10

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
	g := reader{File: matchbuilder.NewFile(r)}
	for g.Scan() {
		g.read(strings.TrimRight(g.Text, " \t"))
	}
	g.close()
	return g.All("GNU Backgammon text: no game and no board in the file")
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
}

// reader is a file that is being read.
type reader struct {
	*matchbuilder.File
	at     part
	head   head  // of the game that is being read
	waits  bool  // its first action is yet to come
	number int   // of the last "Move number" of the game
	b      block // the last of those
	named  [2]bool
	noted  strings.Builder
	ana    analysis
}

// read takes the next line.
func (g *reader) read(text string) {
	if g.Builder != nil {
		g.Line = g.Number
	}
	if strings.HasPrefix(text, "The score (after ") {
		if m := scoreLine.FindStringSubmatch(text); m != nil {
			g.score(m)
			return
		}
	}
	if m := moveLine.FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[1])
		// An annotation may hold such a line, too.
		if g.at != note || n == g.number+1 {
			g.move(n, m[2])
			return
		}
	}
	if m := idLine.FindStringSubmatch(text); m != nil && g.at != note {
		g.drawn(m[1])
		return
	}
	switch {
	case endLine.MatchString(text) && g.at != outside:
		g.rest()
	case (g.at == outside || g.at == info || g.at == done) && g.Builder != nil && strings.HasPrefix(text, "* ") && action.MatchString(text):
		g.Warn("no player is to act here: %.60q is left out", text)
	case g.at == info || g.at == comment:
		g.info(text)
	case g.at == inBoard:
		g.board(text)
	case g.at == done:
		g.below(text)
	case g.at == note && g.noted.Len()+len(text) < maxNote:
		g.noted.WriteString(text + "\n")
	}
}

// score begins a game by the line above it.
func (g *reader) score(m []string) {
	var h head
	h.number, _ = strconv.Atoi(m[1])
	h.names = [2]string{m[2], m[4]}
	h.score[0], _ = strconv.Atoi(m[3])
	h.score[1], _ = strconv.Atoi(m[5])
	h.length, _ = strconv.Atoi(m[6])
	h.crawford, h.said = m[7] == ", Crawford game", true
	if h.length > 0 && max(h.score[0], h.score[1]) >= h.length {
		g.Fail("GNU Backgammon text: the score %s-%s is beyond the match of %s points", m[3], m[5], m[6])
		return
	}
	g.rest()
	g.begin()
	goes := g.Builder != nil && g.head.said && h.number == g.head.number+1 && h.length == g.head.length && h.names == g.head.names
	g.next(h, goes)
}

// next makes h the game that is read, in the match before it or in one of its own.
func (g *reader) next(h head, goes bool) {
	if !goes {
		g.close()
		g.Begin(g.Number)
		m := g.Match
		m.Players[0].Name, m.Players[1].Name = h.names[0], h.names[1]
		g.rules(h.length)
		g.named = [2]bool{}
	}
	g.head, g.waits, g.number, g.at, g.b = h, true, 0, info, block{}
}

// rules are those of a match of this length, as far as no file says more.
func (g *reader) rules(length int) {
	m := g.Match
	m.Length = length
	m.Rules.Crawford, m.Rules.Jacoby, m.Rules.Beavers = length > 0, length == 0, 0
	if length == 0 {
		m.Rules.Beavers = 3 // gnubg's own; the file does not say
	}
}

// rest ends the text below the last board of a game.
func (g *reader) rest() {
	wins := ""
	if g.at == note {
		wins = g.annotation(true)
	}
	g.undone()
	g.analysed()
	g.at = outside
	if m := winsLine.FindStringSubmatch(wins); m != nil {
		g.wins(m)
	}
}

// close ends the match that is being read.
func (g *reader) close() {
	if g.Builder == nil {
		return
	}
	g.rest()
	g.begin()
	m := g.Match
	g.EndGame()
	if len(m.Games) > 0 && m.Games[0].Score == [2]int{} && m.Length > 1 && g.head.said {
		m.Rules.Crawford = crawford(m)
	}
	g.Close()
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
	g.Comment(strings.TrimLeft(text, "\n"))
	return result
}

// wins notes the result of the game.
func (g *reader) wins(m []string) {
	g.begin()
	points, _ := strconv.Atoi(m[2])
	g.End(record.Statement{Trust: record.Worded, Winner: g.player(m[1]), Points: points})
}

// player returns the player of that name, record.NoPlayer if neither or both have it.
func (g *reader) player(name string) int {
	p := &g.Match.Players
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
	m := g.Match
	if g.at == comment {
		if strings.TrimSpace(text) == "" {
			g.at = info
		} else if len(m.Comment)+len(text) < maxNote {
			m.Comment += "\n" + text
		}
		return
	}
	if w := winsLine.FindStringSubmatch(text); w != nil && g.player(w[1]) >= 0 {
		g.wins(w)
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
			g.Warn("cannot read the date %.40q", value)
			m.Date = ""
		}
	case "Comments":
		m.Comment, g.at = value, comment
	default:
		if to := map[string]*string{"Event": &m.Event, "Round": &m.Round, "Place": &m.Place, "Annotator": &m.Annotator}[key]; to != nil {
			*to = value
		}
	}
}
