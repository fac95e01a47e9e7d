package sites

import (
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/matchbuilder"
)

var (
	bkgLine = regexp.MustCompile(`^(Black|White)\s+(.*?)\s*$`)
	bkgRoll = regexp.MustCompile(`^([1-6])\s([1-6])(?:\s+(.*))?$`)
	// bkgInside finds an action that does not begin its line, or whose name ran into it.
	bkgInside = regexp.MustCompile(`(?:Black|White)[^A-Za-z]*(?:[1-6]\s[1-6]\b|Doubles\b|wins\b)`)
	// bkgLike is an action whose name is damaged.
	bkgLike = regexp.MustCompile(`^\S*\s+[1-6]\s[1-6]\s+\d{1,2}-|\b(?:Doubles|Accepted|Declined)\s*$|ubles\s+\w|\bwins(?:\s+(?:back)?gammon)?\s*$|` +
		`(?:^|[^\d-])\d{1,2}-\d{1,2}(?:[,;\s]\s*\d|\s*$)`)
	figures = regexp.MustCompile(`\d+`)
)

// IsBKG reports whether a file begins as BKG files do.
func IsBKG(text string) bool {
	line, _, _ := strings.Cut(strings.TrimLeft(text, "\r\n \t"), "\n")
	m := bkgLine.FindStringSubmatch(strings.TrimRight(line, "\r"))
	return m != nil && (bkgRoll.MatchString(m[2]) || strings.HasPrefix(m[2], "Doubles") || strings.HasPrefix(m[2], "wins"))
}

// BKGSign is a line of BKG, before which anything may stand.
var BKGSign = regexp.MustCompile(`(?m)^(?:Black|White)(?:  [1-6] [1-6](?:   ?\d|\s*$)| Doubles\s{2,}(?:Accepted|Declined)| wins\s*$)`)

// BKG reads the file of a money session of Hans Berliner's program. Errors are
// *record.SyntaxError or of r.
func BKG(r io.Reader) (*record.Match, []record.Warning, error) {
	begin := func(s *matchbuilder.Builder) {
		s.Match.Players[0].Name, s.Match.Players[1].Name = "Black", "White"
		s.Match.Rules.Jacoby = false
	}
	return each(r, "BKG", begin, bkg, func(*matchbuilder.Builder) {})
}

func bkg(s *matchbuilder.Builder, text string) {
	m := bkgLine.FindStringSubmatch(text)
	if m == nil {
		if bkgInside.MatchString(text) || bkgLike.MatchString(text) {
			odd(s, text)
		}
		return // anything else may stand between
	}
	player := 0
	if m[1] == "White" {
		player = 1
	}
	if s.Current() == nil || s.Ended() {
		s.NextGame()
	}
	rest := m[2]
	if bkgInside.MatchString(rest) {
		odd(s, text)
	}
	switch roll := bkgRoll.FindStringSubmatch(rest); {
	case roll != nil && s.Over():
		odd(s, text)
	case roll != nil:
		d, _ := dice(roll[1][0], roll[2][0])
		s.Move(player, d, bkgPlay(player, roll[3]))
	case strings.HasPrefix(rest, "Doubles"):
		s.Double(player)
		if strings.Contains(rest, "Accepted") {
			s.Take(1 - player)
		} else {
			s.Drop(1 - player)
		}
	case strings.HasPrefix(rest, "wins"):
		size := 1
		if strings.Contains(rest, "backgammon") {
			size = 3
		} else if strings.Contains(rest, "gammon") {
			size = 2
		}
		s.End(record.Statement{Trust: record.Worded, Winner: player, Size: size})
	default:
		odd(s, text)
	}
}

// bkgPlay turns pairs of numbers, all in Black's numbering, into a play.
func bkgPlay(player int, text string) string {
	n := figures.FindAllString(text, -1)
	var parts []string
	for i := 0; i+1 < len(n); i += 2 {
		from, _ := strconv.Atoi(n[i])
		to, _ := strconv.Atoi(n[i+1])
		if player == 1 {
			from, to = 25-from, 25-to
		}
		parts = append(parts, strconv.Itoa(from)+"/"+strconv.Itoa(to))
	}
	return strings.Join(parts, " ")
}

var (
	partyKey  = regexp.MustCompile(`(?i)^\s*(?:GAME_(\d{1,5})_)?([A-Z][A-Z0-9_]*)\s*=(.*)$`)
	partyCell = regexp.MustCompile(`(?i)^\s*([12])\s+(?:-?\d+\s+-?\d+\s+([1-6])([1-6])\b:?\s*(.*)|([1-6])([1-6]):?(?:\s+(.*))?|([a-z].*))$`)
)

// partyGames are keys that belong to a game.
var partyGames = regexp.MustCompile(`GAME|PLAYER|PLAY\b|SCORE`)

// partyInside finds a key that ran into the value before it.
var partyInside = regexp.MustCompile(`(?i)GAME_\d{1,5}_[A-Z]`)

// IsParty reports whether a file begins as PartyGammon files do.
func IsParty(text string) bool {
	line, rest, _ := strings.Cut(strings.ToLower(strings.TrimLeft(text, "\r\n \t")), "\n")
	return strings.HasPrefix(line, "boardid=") && strings.Contains(rest[:min(len(rest), 4096)], "=")
}

// Party reads a match of PartyGammon. Errors are *record.SyntaxError or of r.
func Party(r io.Reader) (*record.Match, []record.Warning, error) {
	p := party{games: map[int]*partyGame{}}
	return each(r, "PartyGammon", func(s *matchbuilder.Builder) { s.Match.Place = "PartyGammon" }, p.line, p.end)
}

// partyGame are the keys of a game, which come in any order.
type partyGame struct {
	names, score [2]string
	play         string
	line         int
}

type party struct{ games map[int]*partyGame }

func (p *party) line(s *matchbuilder.Builder, text string) {
	m := partyKey.FindStringSubmatch(text)
	if m == nil {
		if strings.TrimSpace(text) != "" {
			odd(s, text)
		}
		return
	}
	key, value := strings.ToUpper(m[2]), strings.TrimSpace(m[3])
	if partyInside.MatchString(value) || key != "GAMEPLAY" && strings.Contains(value, "#") {
		odd(s, text)
	}
	if m[1] == "" && partyGames.MatchString(key) {
		odd(s, text) // the number of its game is damaged
	}
	if m[1] == "" {
		if key == "MATCHLENGTH" {
			if n, err := strconv.Atoi(value); err == nil && n >= 0 && n <= 1<<15 {
				s.Match.Length = n
				s.Match.Rules.Crawford = n > 0
			}
		}
		return
	}
	i, _ := strconv.Atoi(m[1])
	g := p.games[i]
	if g == nil {
		if len(p.games) >= matchbuilder.MaxGames {
			s.Fail("more than %d games", matchbuilder.MaxGames)
		}
		g = &partyGame{}
		p.games[i] = g
	}
	switch key {
	case "PLAYER_1", "PLAYER_2":
		g.names[key[7]-'1'] = value
	case "GAMEPLAY":
		if g.play != "" {
			s.Warn("the plays of game %d stand twice: these count, left out is %q", i, short(g.play))
		}
		g.play, g.line = value, s.Line
	case "SCORE1", "SCORE2":
		g.score[key[5]-'1'] = value
	default:
		if partyGames.MatchString(key) {
			odd(s, text)
		}
	}
}

// end writes the games down in the order of their numbers.
func (p *party) end(s *matchbuilder.Builder) {
	order := slices.Sorted(maps.Keys(p.games))
	var score [2]int
	for k, i := range order {
		g := p.games[i]
		if k == 0 {
			for j := range g.names {
				s.Match.Players[j].Name = g.names[j]
			}
		}
		s.Line = g.line
		if i > 1 && (k == 0 || order[k-1] != i-1) {
			s.Warn("game %d is not in the file", i-1)
		}
		if strings.TrimSpace(g.play) == "" {
			s.Warn("game %d has no plays in the file", i)
		}
		if one, two := g.score[0] != "", g.score[1] != ""; one != two || !one && k+1 < len(order) {
			s.Warn("game %d has no score behind it in the file", i)
		}
		s.Game(score)
		for _, cell := range strings.Split(g.play, "#") {
			if strings.TrimSpace(cell) != "" {
				partyAction(s, cell)
			}
		}
		if s.Err() != nil {
			return
		}
		after := score
		for j := range after {
			if n, err := strconv.Atoi(g.score[j]); err == nil && n >= 0 && n < 1<<20 {
				after[j] = n
			}
		}
		for j := range after {
			if won := after[j] - score[j]; won > 0 && after[1-j] == score[1-j] {
				s.End(record.Statement{Trust: record.Worded, Winner: j, Points: won})
			}
		}
		score = after
	}
}

func partyAction(s *matchbuilder.Builder, cell string) {
	m := partyCell.FindStringSubmatch(cell)
	if m == nil || s.Over() {
		odd(s, cell)
		return
	}
	player := int(m[1][0] - '1')
	if m[8] == "" {
		d, _ := dice((m[2] + m[5])[0], (m[3] + m[6])[0])
		s.Move(player, d, m[4]+m[7])
	} else if !s.Say(player, m[8]) {
		odd(s, cell)
	}
}

var (
	roomGame = regexp.MustCompile(`^Game\s+\d+\s+-\s+(\S.*?)\s+\(([X0O])\)\s+vs\.\s+(\S.*?)\s+\(([X0O])\)`)
	roomMove = regexp.MustCompile(`^(\d+)\.([X0O]):(?:\(([1-6])\s+([1-6])\)\s*(.*?)|(Double.*?))\s*$`)
)

// roomInside finds an action that ran into the line before it.
var roomInside = regexp.MustCompile(`[X0O]:(?:\(|Double)`)

// IsRoom reports whether a file is a text of BackGammonRoom.
func IsRoom(text string) bool {
	return strings.HasPrefix(strings.TrimLeft(text, "\r\n \t"), "BGF version")
}

// Room reads a match of BackGammonRoom. No take, drop or winner is written in it.
// Errors are *record.SyntaxError or of r.
func Room(r io.Reader) (*record.Match, []record.Warning, error) {
	g := room{}
	return each(r, "BackGammonRoom", func(s *matchbuilder.Builder) { s.Match.Place = "BackGammonRoom" }, g.line, g.end)
}

type room struct {
	doubled bool // and not answered
	who     int
	number  int // of the last action
}

func (g *room) end(s *matchbuilder.Builder) {
	if g.doubled && s.Current() != nil {
		g.doubled = false
		s.Drop(1 - g.who)
	}
}

func (g *room) line(s *matchbuilder.Builder, text string) {
	bare := strings.TrimSpace(text)
	if m := roomGame.FindStringSubmatch(bare); m != nil {
		g.end(s)
		// X is the left player whichever name comes first.
		names := [2]string{m[1], m[3]}
		if m[2] != "X" {
			names[0], names[1] = names[1], names[0]
		}
		s.Match.Players[0].Name, s.Match.Players[1].Name = names[0], names[1]
		g.number = 0
		s.NextGame()
		return
	}
	switch {
	case bare == "":
		g.end(s)
		return
	case strings.HasPrefix(bare, "BGF version"), strings.HasPrefix(bare, "Single"), strings.HasPrefix(bare, "Win the"):
		if roomInside.MatchString(bare) {
			odd(s, text)
		}
		if bare[0] == 'W' && s.Current() != nil && !s.Over() {
			s.Warn("%q, but the game is not over: who won is not in the file", short(bare))
		}
		return
	}
	m := roomMove.FindStringSubmatch(bare)
	if m == nil || s.Current() == nil || s.Over() {
		odd(s, text)
		return
	}
	if n, _ := strconv.Atoi(m[1]); n != g.number+1 {
		s.Warn("action %d follows action %d", n, g.number)
	}
	g.number, _ = strconv.Atoi(m[1])
	player := 0
	if m[2] != "X" {
		player = 1
	}
	if roomInside.MatchString(m[6]) {
		odd(s, text)
	}
	if g.doubled { // and the game goes on, with a roll or a further double
		s.Take(1 - g.who)
	}
	if g.doubled, g.who = m[6] != "", player; g.doubled {
		s.Double(player)
		return
	}
	d, _ := dice(m[3][0], m[4][0])
	s.Move(player, d, m[5])
}

// each reads a match line by line. what is the error for a file without a game.
func each(r io.Reader, what string, begin func(*matchbuilder.Builder), line func(s *matchbuilder.Builder, text string), end func(s *matchbuilder.Builder)) (*record.Match, []record.Warning, error) {
	f := matchbuilder.NewFile(r)
	f.Begin(0)
	f.Terse = true
	begin(f.Builder)
	for f.Scan() {
		f.Line = f.Number
		line(f.Builder, f.Text)
	}
	if f.Err() == nil {
		end(f.Builder)
	}
	return matchbuilder.First(f.All(what + ": no game in the file"))
}

// odd warns about a line that is not understood.
func odd(s *matchbuilder.Builder, text string) { s.Warn("cannot read %q", short(text)) }

// short keeps quoted text of a file short, at a whole character.
func short(text string) string { return matchbuilder.Clip(strings.TrimSpace(text), 60) }

// dice reads two digits; false if they are not dice.
func dice(a, b byte) (board.Dice, bool) {
	d := board.Dice{A: a - '0', B: b - '0'}
	return d, d.Valid()
}

// yes reads the values of flags in these files.
func yes(v string) bool {
	v = strings.ToLower(strings.TrimSpace(v))
	return strings.HasPrefix(v, "y") || v == "1" || v == "on" || v == "true"
}

// moneyRules are those of a session whose file does not say.
func moneyRules(m *record.Match, jacoby bool) {
	if m.Length == 0 {
		m.Rules.Jacoby = jacoby
		m.Rules.Crawford = false
	}
}
