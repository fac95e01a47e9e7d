package mat

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

var (
	tagLine = regexp.MustCompile(`^[;#]\s*\[\s*([A-Za-z][A-Za-z0-9 ]{0,30}?)\s*[:=]?\s*"(.*)"\s*\]\s*$`)
	setPos  = regexp.MustCompile(`(?i)^[;#]\s*Set Pos\s*=\s*(?:XGID=)?([-a-oA-O]{26})(?:/(-?\d{1,2}))?\s*$`)
	// lastScore is the score at the end of a line, firstScore one with the gap behind it.
	lastScore  = regexp.MustCompile(`^(.*):[ \t]*(\d{1,6})$`)
	firstScore = regexp.MustCompile(`:[ \t]*(\d{1,7})([ \t]+|$)`)
	ratingIn   = regexp.MustCompile(`^(.*\S)\s*,\s*(\d{1,5}(?:\.\d+)?)$`)
	dayIn      = regexp.MustCompile(`^(\d{4})[./-](\d{1,2})[./-](\d{1,2})`)
	// eloScore is a score where the rating belongs, without experience.
	eloScore = regexp.MustCompile(`^(\d{1,4})[.,]00/0$`)
	clockIn  = regexp.MustCompile(`^(\d{1,2})[.:](\d{2})`)
)

// names is the line of names of a game.
type names struct {
	name, rating [2]string
	score        [2]int
}

// parseNames reads "anna : 0      bert : 2". Names may hold blanks, colons and
// figures: the scores are the last number of each half, and of several ways to
// divide a line the one with two blanks between the halves is taken.
func parseNames(line string) (names, bool) {
	var n names
	m := lastScore.FindStringSubmatch(strings.TrimRight(line, " \t"))
	if m == nil {
		return n, false
	}
	n.score[1], _ = strconv.Atoi(m[2])
	// left now is "anna : 0      bert": find the first score that is followed by
	// blanks and a name.
	left := strings.TrimRight(m[1], " \t")
	best, bestGap := -1, 0
	for _, at := range firstScore.FindAllStringSubmatchIndex(left, -1) {
		gap := left[at[4]:at[5]]
		size := len(gap)
		if strings.Contains(gap, "\t") {
			size += 8
		}
		// Two blanks divide; without them the last place does.
		if best < 0 || bestGap < 2 {
			best, bestGap = at[0], size
			n.score[0], _ = strconv.Atoi(left[at[2]:at[3]])
			n.name[1] = strings.TrimSpace(left[at[3]:])
		}
	}
	if best < 0 {
		return n, false
	}
	n.name[0] = strings.TrimSpace(left[:best])
	for i := range n.name {
		if m := ratingIn.FindStringSubmatch(n.name[i]); m != nil {
			if _, ok := (record.Player{Rating: m[2]}).RatingValue(); ok {
				n.name[i], n.rating[i] = m[1], m[2]
			}
		}
		n.name[i] = strings.Join(strings.Fields(n.name[i]), " ")
	}
	return n, true
}

// tagRules are the rules that tags name; empty where they do not.
type tagRules struct{ crawford, jacoby, beaver, limit string }

// comment reads "; [Tag "value"]" lines and positions set up; other comments are
// those of the last action, or the match's.
func (r *reader) comment(line string) {
	if m := setPos.FindStringSubmatch(line); m != nil && r.Current() != nil {
		r.setUp(m[1], m[2])
		return
	}
	if t := tagLine.FindStringSubmatch(line); t != nil {
		tag := record.Tag{Name: strings.TrimSpace(t[1]), Value: t[2]}
		if r.rows > 0 {
			if len(r.heads) < 100 {
				r.heads = append(r.heads, tag)
			}
			return
		}
		r.tag(tag)
		return
	}
	text := strings.TrimSpace(strings.TrimLeft(line, ";#"))
	switch {
	case text == "" || strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]"):
	case r.Current() != nil && !r.closed:
		if rowInside.MatchString(text) {
			r.Warn("a comment that looks like a row: %q", short(text))
		}
		r.Comment(text)
	default:
		m := r.Match
		if len(m.Comment) < 1<<16 {
			if m.Comment != "" {
				m.Comment += "\n"
			}
			m.Comment += text
		}
	}
}

// tag takes a named value of the head. XG, Galaxy, Studio and gnubg write tags of
// the same names in different case.
func (r *reader) tag(t record.Tag) {
	m := r.Match
	key := strings.ToLower(t.Name)
	if to := map[string]*string{
		"site": &m.Place, "event": &m.Event, "round": &m.Round, "transcriber": &m.Annotator,
		"crawford": &r.tags.crawford, "jacoby": &r.tags.jacoby, "beaver": &r.tags.beaver, "beavers": &r.tags.beaver,
		"cubelimit": &r.tags.limit, "cube limit": &r.tags.limit,
	}[key]; to != nil {
		*to = t.Value
		return
	}
	switch key {
	case "eventdate", "date":
		m.Date = strings.ReplaceAll(t.Value, ".", "-")
		if d := dayIn.FindStringSubmatch(t.Value); d != nil {
			m.Date = d[1] + "-" + two(d[2]) + "-" + two(d[3])
		}
	case "eventtime", "time":
		if c := clockIn.FindStringSubmatch(t.Value); c != nil {
			m.Time = two(c[1]) + ":" + c[2]
		}
	case strings.ToLower(dropsTag):
		if strings.EqualFold(t.Value, dropsByPosition) {
			m.Rules.Drops = match.DropByPosition
		}
	case "variation", "variant":
		v, ok := record.ParseVariation(t.Value)
		if !ok {
			r.Warn("variation %q", short(t.Value))
			return
		}
		m.Rules.Variation = v
	case "player 1", "player 2":
		r.players[t.Name[7]-'0'] = strings.Join(strings.Fields(t.Value), " ")
	case "player 1 elo", "player 2 elo":
		r.elo[t.Name[7]-'0'] = t.Value
	default:
		if len(m.Tags) < 100 {
			m.Tags = append(m.Tags, t)
		}
	}
}

func two(digits string) string {
	if len(digits) == 1 {
		return "0" + digits
	}
	return digits
}

// ratings gives the ratings of the tags to their players: the tags name them, for
// "Player 1" is not always the left one. BackgammonGalaxy writes the final score there.
func (r *reader) ratings(m *record.Match) {
	final := record.Final{Source: "the score in the head"}
	n := 0
	exchanged := r.players[1] != "" && r.players[1] != r.players[2] &&
		(r.players[1] == m.Players[1].Name && r.players[1] != m.Players[0].Name || r.players[2] == m.Players[0].Name && r.players[2] != m.Players[1].Name)
	for i := range m.Players {
		from := i + 1
		if exchanged {
			from = 2 - i
		}
		if v := r.elo[from]; v != "" {
			p := record.Player{Rating: v}
			if _, ok := p.RatingValue(); ok {
				m.Players[i].Rating = v
			} else {
				m.Tags = append(m.Tags, record.Tag{Name: fmt.Sprintf("Player %d Elo", i+1), Value: v})
			}
			if points := eloScore.FindStringSubmatch(v); points != nil {
				final.Score[i], _ = strconv.Atoi(points[1])
				n++
			}
		}
		if m.Players[i].Name == "" {
			m.Players[i].Name = "unknown"
		}
	}
	if n == len(m.Players) && onGalaxy(m) {
		r.Final = &final
	}
}

// onGalaxy reports whether a match was played at BackgammonGalaxy.
func onGalaxy(m *record.Match) bool {
	return strings.EqualFold(strings.ReplaceAll(m.Place, " ", ""), "BackgammonGalaxy")
}

func off(value string) bool {
	return strings.EqualFold(value, "off") || strings.EqualFold(value, "no") || value == "0"
}

// rules settles the rules when the whole head of a match was read.
func (r *reader) rules() {
	m := r.Match
	m.Rules.Crawford = m.Length > 0 && !off(r.tags.crawford)
	m.Rules.Jacoby, m.Rules.Beavers = false, 0
	if m.Length == 0 {
		r.JacobySaid = r.tags.jacoby != ""
		m.Rules.Jacoby = !off(r.tags.jacoby)
		if !off(r.tags.beaver) {
			m.Rules.Beavers = 3
		}
	}
	if n, err := strconv.Atoi(strings.TrimSpace(r.tags.limit)); err == nil && n > 0 && n <= 1<<15 {
		m.Rules.NoCube = n == 1
		if n > 1 {
			m.Rules.CubeLimit = n
		}
	}
}

// galaxy turns what BackgammonGalaxy writes for a single money game into one: its
// length, 4, 8 or 16, is the most that can be lost, and the Jacoby rule is in force.
func (r *reader) galaxy() {
	m := r.Match
	n := len(m.Games)
	if r.Current() != nil {
		n++
	}
	if n != 1 || m.Length != 4 && m.Length != 8 && m.Length != 16 || !onGalaxy(m) {
		return
	}
	r.Line = 0
	r.Warn("one game of %d points at %s: read as a money game with the Jacoby rule in which no more can be lost", m.Length, m.Place)
	m.LimitLoss()
	m.Rules.Crawford, m.Rules.Jacoby, r.JacobySaid = false, true, true
	if g := r.Current(); g != nil {
		g.Crawford = false
	}
}

// setUp reads the position and cube of a "Set Pos" line: 26 characters from the
// right player's bar over the left player's points to his bar, capitals his; then
// the cube as an exponent, negative with the left player.
func (r *reader) setUp(points, cube string) {
	var b [2]board.Checkers
	for i := range len(points) {
		switch c := points[i]; {
		case c >= 'A' && c <= 'O' && i > 0:
			b[0][i-1] = c - 'A' + 1
		case c >= 'a' && c <= 'o' && i < 25:
			b[1][24-i] = c - 'a' + 1
		case c != '-':
			r.Warn("%q cannot be character %d of the position", c, i+1)
			return
		}
	}
	if r.swapped {
		b[0], b[1] = b[1], b[0]
	}
	e := record.Setup{Board: &b}
	if n, err := strconv.Atoi(cube); err == nil && n != 0 && n > -16 && n < 16 {
		e.SetOwner, e.Owner = true, 1
		if n < 0 {
			n, e.Owner = -n, 0
		}
		if r.swapped {
			e.Owner = 1 - e.Owner
		}
		e.Cube = 1 << n
	}
	r.SetUp(record.NoPlayer, e)
}
