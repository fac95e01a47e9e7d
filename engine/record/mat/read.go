package mat

import (
	"io"
	"regexp"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/scribe"
)

var (
	headerLine = regexp.MustCompile(`^\s*(\d{1,6})\s+point match\b`)
	gameLine   = regexp.MustCompile(`^\s*Game\s+\d+`)
	scoreLine  = regexp.MustCompile(`^\s*(.*?)\s*:\s*(\d{1,6})\s+(\S.*?)?\s*:\s*(\d{1,6})\s*$`)
	namesLine  = regexp.MustCompile(`^\s*(\S.*?)\s{2,}(\S.*?)\s*$`)
	rowLine    = regexp.MustCompile(`^\s*\d+\)`)
	tagLine    = regexp.MustCompile(`^\s*[;#]\s*\[(Player [12] Elo|[A-Za-z ]+?)\s*"(.*)"\]\s*$`)
	playerTag  = regexp.MustCompile(`^Player ([12])( Elo)?$`)
	// cellStart begins each cell: dice, or a word of the cube or the end.
	cellStart = regexp.MustCompile(`(?i)\b[1-6][1-6]:|\b(?:doubles?|redoubles?|beavers?|raccoons?|takes?|accepts?|drops?|passes|rejects?|wins?|resigns?)\b`)
	number    = regexp.MustCompile(`\d+`)
)

// rightColumn is where, counted from 0, a lone cell is taken to be the right
// player's: the left cell begins in column 5, the right one in column 33.
const rightColumn = 22

// Read reads a match. Errors are *record.SyntaxError with line and column, or
// of r. A file that has no row of a game is an error.
func Read(r io.Reader) (*record.Match, []record.Warning, error) {
	rd := reader{s: scribe.New(), lines: scribe.NewLines(r)}
	rd.s.Match.Rules = record.Rules{Crawford: true}
	for {
		line, err := rd.lines.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, rd.s.Warnings, err
		}
		rd.s.Line = rd.lines.Number
		if err := rd.line(line); err != nil {
			return nil, rd.s.Warnings, err
		}
	}
	if rd.rows == 0 {
		return nil, rd.s.Warnings, rd.s.Errorf(1, "no game in the file: want rows such as \"  1) 31: 8/5 6/5\"")
	}
	m := rd.s.Match
	if m.Length == 0 {
		m.Rules.Crawford = false
		m.Rules.Jacoby, m.Rules.Beavers = true, 3
	}
	out, ws := rd.s.Finish()
	return out, ws, nil
}

type reader struct {
	s        *scribe.Scribe
	lines    *scribe.Lines
	named    bool // the names of the game that begins were read
	expected bool // "Game n" was read
	rows     int
	last     int // who acted last, for a "Wins" without a column
}

func (r *reader) line(line string) error {
	line = strings.ReplaceAll(line, "\t", " ")
	switch {
	case strings.TrimSpace(line) == "":
		return nil
	case strings.HasPrefix(strings.TrimSpace(line), ";") || strings.HasPrefix(strings.TrimSpace(line), "#"):
		r.comment(line)
		return nil
	case rowLine.MatchString(line):
		if r.s.Current() == nil || r.expected {
			if err := r.s.Game([2]int{}); err != nil {
				return err
			}
			r.expected = false
		}
		r.rows++
		return r.row(line, len(rowLine.FindString(line)))
	}
	if m := headerLine.FindStringSubmatch(line); m != nil {
		n, _ := strconv.Atoi(m[1])
		if r.rows > 0 && n != r.s.Match.Length {
			return r.s.Errorf(1, "a second match begins; one file holds one match")
		}
		r.s.Match.Length = n
		return nil
	}
	if gameLine.MatchString(line) {
		r.expected = true
		return nil
	}
	if m := scoreLine.FindStringSubmatch(line); m != nil {
		a, _ := strconv.Atoi(m[2])
		b, _ := strconv.Atoi(m[4])
		r.names(m[1], m[3])
		r.expected = false
		return r.s.Game([2]int{a, b})
	}
	if strings.Contains(strings.ToLower(line), "win") {
		return r.row(line, 0)
	}
	if r.rows == 0 {
		if m := namesLine.FindStringSubmatch(line); m != nil && !r.named {
			r.names(m[1], m[2])
			return r.s.Game([2]int{})
		}
	}
	r.s.Warn("cannot make anything of %q", line[:min(len(line), 60)])
	return nil
}

func (r *reader) names(a, b string) {
	p := &r.s.Match.Players
	if r.named && (a != p[0].Name || b != p[1].Name) {
		r.s.Warn("this game is between %q and %q", a, b)
		return
	}
	p[0].Name, p[1].Name = a, b
	r.named = true
}

// comment reads "; [Tag "value"]" lines; other comments are the match's.
func (r *reader) comment(line string) {
	m := r.s.Match
	tag := tagLine.FindStringSubmatch(line)
	if tag == nil {
		text := strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), ";#"))
		if text == "" || strings.HasPrefix(text, "[") {
			return
		}
		if m.Comment != "" {
			m.Comment += "\n"
		}
		if len(m.Comment) < 1<<16 {
			m.Comment += text
		}
		return
	}
	value := tag[2]
	switch name := strings.TrimSpace(tag[1]); name {
	case "Site":
		m.Place = value
	case "Event":
		m.Event = value
	case "Round":
		m.Round = value
	case "EventDate":
		m.Date = strings.ReplaceAll(value, ".", "-")
	case "Transcriber":
		m.Annotator = value
	case "Crawford":
		m.Rules.Crawford = !strings.EqualFold(value, "off")
	case "Variation":
		switch v := record.Variation(value); v {
		case record.Nackgammon, "Hypergammon1", "Hypergammon2", record.Hypergammon:
			m.Rules.Variation = v
		}
	default:
		if p := playerTag.FindStringSubmatch(name); p != nil && p[2] != "" {
			m.Players[p[1][0]-'1'].Rating = value
		}
	}
}

// row splits a row into its cells and reads them. from is where cells may begin.
func (r *reader) row(line string, from int) error {
	starts := cellStart.FindAllStringIndex(line[from:], -1)
	if len(starts) == 0 {
		if strings.TrimSpace(line[from:]) != "" {
			r.s.Warn("cannot make anything of %q", strings.TrimSpace(line[from:]))
		}
		return nil
	}
	if r.s.Current() == nil {
		return nil
	}
	for i, at := range starts {
		if i == 2 {
			r.s.Warn("more than two plays in a row")
			break
		}
		end := len(line)
		if i+1 < len(starts) {
			end = from + starts[i+1][0]
		}
		begin := from + at[0]
		player := i
		if i == 0 && begin >= rightColumn {
			player = 1
		}
		if len(starts) == 1 && i == 0 && from == 0 && begin < rightColumn {
			player = 0
		}
		if err := r.cell(player, strings.TrimSpace(line[begin:end])); err != nil {
			return err
		}
		if player == 1 {
			break
		}
	}
	return nil
}

func (r *reader) cell(player int, text string) error {
	if text[0] >= '1' && text[0] <= '6' {
		r.last = player
		d := board.Dice{A: text[0] - '0', B: text[1] - '0'}
		play := strings.TrimSpace(text[3:])
		if raw, ok := strings.CutPrefix(play, illegalPlay); ok {
			return r.s.Unreadable(player, d, strings.Trim(raw, "() "))
		}
		if play == "???" {
			return r.s.Roll(player, d)
		}
		return r.s.Move(player, d, play)
	}
	switch word := strings.ToLower(text[:3]); word {
	case "dou", "red", "bea", "rac":
		r.last = player
		return r.s.Double(player)
	case "tak", "acc":
		return r.s.Take(player)
	case "dro", "pas", "rej":
		return r.s.Drop(player)
	case "win":
		points := 1
		if n := number.FindString(text); n != "" && len(n) < 7 {
			points, _ = strconv.Atoi(n)
		}
		if points < 1 {
			r.s.Warn("wins %d points", points)
			return nil
		}
		r.s.Win(player, points)
	}
	return nil
}
