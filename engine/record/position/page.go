package position

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/matchbuilder"
)

// Lines of pages beside an ID, in any language except for dice and cube.
var (
	pips   = regexp.MustCompile(`X: *(\d{1,3}) +O: *(\d{1,3}) +X-O: *(\d{1,5})-(\d{1,5})(?:/(\d{1,5}))?`)
	border = regexp.MustCompile(`^\s*\+(?:13-14-15-16|12-11-10--9|24-23-22-21|-1--2--3--4)-`)
	// drawnName is a player with pips in BGBlitz's drawing, above the IDs.
	drawnName = regexp.MustCompile(`^\s*\+[-0-9]{40,46}\+\s+([OX]):\s+(\S.*?)\s{2,}\d{1,3}\s*$`)
	drawnBy   = regexp.MustCompile(`Position-ID:\s*([A-Za-z0-9+/]{14})(?:\s|$)`)
	rolled    = regexp.MustCompile(`^[XO] to play ([1-6])([1-6])\s*$`)
	cubeLine  = regexp.MustCompile(`^Cube: (\d{1,5})(?:,|\s*$)`)
	// idLike is a word of an ID: parts between colons, most of a board or of its fields.
	idLike = regexp.MustCompile(`(?:[XO]GID\s*=|[-A-Oa-o0-9]{16,}:[^\s:]*:|(?:^|\s)\S{0,30}(?::[-0-9A-Z]{0,4}){6}|[0-9a-q]{6,15}:[0-9a-q]{6,15}:)`)
)

// reader is a text that is being read.
type reader struct {
	*matchbuilder.Lines
	out      []*record.Match
	warnings []record.Warning
	named    bool    // the page of the last position has said who plays
	full     bool    // its text exceeds the limit
	said     [3]bool // pips, dice and cube of the last position were compared
	borders  int     // of drawn boards, two each
	above    string  // a Position ID that stands above an ID that is to come
	over     bool    // the page of the last position has its last line
	held     string  // an ID that begins a page where the names follow, and is a comment else
	plays    int     // candidates that were read from the page
	// The cube decision of the page.
	cubeLevel   record.Settings
	cubeChances [5]float64
	cubeLines   int
	equities    []float64
	// The same of a page of BGBlitz.
	sides   [][3]float64 // chances of O, then of X
	actions []blitzAction

	drawn [2]string // names of the drawing above an ID that is to come
	mover bool      // the mover's chances of the last one were read
}

func (p *reader) warn(format string, args ...any) {
	if p.Err() == nil {
		p.warnings = append(p.warnings, record.Warning{Line: p.Number, Text: fmt.Sprintf(format, args...)})
	}
}

// line takes the next line.
func (p *reader) line(line string) {
	if held := p.held; held != "" {
		p.held = ""
		if names.MatchString(line) {
			p.ids(held)
		} else {
			p.note(held)
		}
	}
	// Inside a page of eXtreme Gammon its comment may hold an ID.
	if p.named && !p.over && xgid.MatchString(line) {
		if strings.HasPrefix(line, "XGID=") {
			p.held = line
		} else {
			p.note(strings.TrimRight(line, " "))
		}
		return
	}
	p.ids(line)
}

// ids reads the positions of a line.
func (p *reader) ids(line string) {
	rest := line
	for _, id := range xgid.FindAllStringSubmatchIndex(line, -1) {
		p.add(fromXGID(line[id[2]:id[3]]))
		// A character of a page, an address or a sentence ends an ID.
		if end := line[id[3]:]; end != "" && !strings.ContainsRune(" \t\"'`<>()[]{},;.!?&|*\\", rune(end[0])) {
			p.warn("%.40q after the XGID is not read", end)
		}
		rest = strings.Replace(rest, line[id[0]:id[1]], " ", 1)
	}
	if len(rest) == len(line) {
		if id := ogid.FindStringSubmatchIndex(line); id != nil {
			p.add(fromOGID(line[id[2]:id[3]]))
			rest = strings.TrimSuffix(strings.TrimSpace(line[:id[2]]), "OGID=")
		}
	}
	if at := idLike.FindString(rest); at != "" {
		p.warn("cannot read %.60q, which looks like the ID of a position", strings.TrimSpace(rest))
	}
	if len(rest) == len(line) {
		p.note(strings.TrimRight(line, " "))
	}
}

// add takes over a position.
func (p *reader) add(m *record.Match, odd []string, err error) {
	if err == nil && len(p.out) >= maxPositions {
		err = fmt.Errorf("more than %d positions", maxPositions)
	}
	if err != nil {
		p.Fail("%v", err)
	}
	if p.Err() != nil {
		return
	}
	for _, text := range odd {
		p.warn("%s", text)
	}
	p.out = append(p.out, m)
	p.named, p.full, p.said, p.over, p.plays = false, false, [3]bool{}, false, 0
	p.cubeLevel, p.cubeLines, p.equities, p.sides, p.actions = record.Settings{}, 0, nil, nil, nil
	for i, name := range p.drawn {
		if name != "" {
			m.Players[i].Name = name
		}
	}
	p.drawn = [2]string{}
	if p.above != "" {
		s, _ := Last(m, &m.Games[0])
		if q, err := board.ParseID(p.above); err != nil || q != s.Position && q != s.Position.Swap() {
			p.warn("the Position ID above, %s, is another board than this ID", p.above)
		}
		p.above = ""
	}
}

// note reads a line beside an ID.
func (p *reader) note(line string) {
	if border.MatchString(line) {
		p.borders++
	}
	if m := drawnName.FindStringSubmatch(line); m != nil {
		p.drawn[strings.Index("OX", m[1])] = m[2]
	}
	if m := drawnBy.FindStringSubmatch(line); m != nil {
		p.lost()
		p.above = m[1]
	}
	if m := names.FindStringSubmatch(line); m != nil {
		if len(p.out) == 0 || p.named {
			p.warn("%.60q belongs to a position whose ID is not in the file", line)
			return
		}
		last := p.out[len(p.out)-1]
		last.Players[1].Name, last.Players[0].Name, p.named = m[1], m[2], true
		return
	}
	if len(p.out) == 0 {
		return
	}
	last := p.out[len(p.out)-1]
	p.compare(last, line)
	if strings.HasPrefix(line, "eXtreme Gammon Version") {
		if v := xgTable.FindStringSubmatch(line); v != nil && last.Length > 0 && last.Judge.Program != "" {
			last.Judge.Table = v[1]
		}
		p.over = true
	}
	p.analysis(last, line)
	switch {
	case last.Comment == "" && strings.TrimSpace(line) == "":
	case len(last.Comment)+len(line) < maxText:
		last.Comment += line + "\n"
	case !p.full:
		p.full = true
		p.warn("the text of this position is longer than %d kilobytes: left out from here on", maxText>>10)
	}
}

// lost warns about a Position ID whose page has no XGID.
func (p *reader) lost() {
	if p.above != "" {
		p.warn("the XGID below the Position ID %s is not in the file", p.above)
		p.above = ""
	}
}

// compare warns where a page contradicts the position of its ID.
func (p *reader) compare(m *record.Match, line string) {
	one := func(k int, form *regexp.Regexp) (n []int) {
		if p.said[k] {
			return nil
		}
		for i, v := range form.FindStringSubmatch(line) {
			if i > 0 && v != "" {
				d, _ := strconv.Atoi(v)
				n = append(n, d)
			}
		}
		p.said[k] = len(n) > 0
		return n
	}
	s, _ := Last(m, &m.Games[0])
	// Pages have the player on roll for X, or player 1: either is right.
	pair := func(a, b int, want [2]int) bool { return [2]int{a, b} == want || [2]int{b, a} == want }
	if n := one(0, pips); n != nil {
		me, opp := s.Position.Me.Pips(), s.Position.Opp.Pips()
		if !pair(n[0], n[1], [2]int{me, opp}) {
			p.warn("the pip counts are %d and %d by the ID, %d and %d by the text", me, opp, n[0], n[1])
		}
		if len(n) > 4 && (n[4] != s.State.Length || !pair(n[2], n[3], s.State.Score)) {
			p.warn("the score is %d-%d of %d by the ID, %d-%d of %d by the text", s.State.Score[0], s.State.Score[1], s.State.Length, n[2], n[3], n[4])
		}
	}
	if n := one(1, rolled); n != nil && !pair(n[0], n[1], [2]int{int(s.Dice.A), int(s.Dice.B)}) {
		p.warn("the dice are %d and %d by the ID, %d and %d by the text", s.Dice.A, s.Dice.B, n[0], n[1])
	}
	if n := one(2, cubeLine); n != nil && n[0] != s.State.Cube && !s.Doubled {
		p.warn("the cube is at %d by the ID, at %d by the text", s.State.Cube, n[0])
	}
}

// end warns about what is missing at the end of the text.
func (p *reader) end() {
	if p.held != "" {
		p.note(p.held)
	}
	p.lost()
	if n := p.borders / 2; n > len(p.out) && len(p.out) > 0 {
		p.warn("%d boards are drawn, but there are %d IDs", n, len(p.out))
	}
}
