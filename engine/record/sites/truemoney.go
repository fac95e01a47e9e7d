package sites

import (
	"io"
	"regexp"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/matchbuilder"
)

var (
	tmgGame   = regexp.MustCompile(`^\s*Game\s+\d+:\s*(\d{1,6})\s*-\s*(\d{1,6})`)
	tmgRecord = regexp.MustCompile(`^\s*(-?\d{1,5})\s+(\d{1,3})(?:\s+(.*?))?\s*$`)
	tmgKey    = regexp.MustCompile(`^\s*([A-Za-z][A-Za-z0-9]*):\s*(.*?)\s*$`)
	tmgRoll   = regexp.MustCompile(`^([1-6])([1-6]):?`)
	// tmgInside finds a record that ran into the one before it.
	tmgInside = regexp.MustCompile(`-?\d{1,5}\s+\d{1,2}\s+(?:[1-6][1-6]:|\d{1,2}/|[A-Z0-9])`)
	tmgAfter  = regexp.MustCompile(`^[1-6][1-6](?::\s*|\s+)[^\s:]`)
)

// IsTrueMoney reports whether a file begins as TrueMoneyGames files do.
func IsTrueMoney(text string) bool {
	head := strings.TrimLeft(text, "\r\n \t")
	return strings.HasPrefix(head, "MatchID:") || strings.HasPrefix(head, "Player1:") && strings.Contains(head, "Player2:")
}

// TrueMoney reads a .tmg. Errors are *record.SyntaxError or of r.
func TrueMoney(r io.Reader) (*record.Match, []record.Warning, error) {
	g := tmg{}
	return each(r, "TrueMoneyGames", func(s *matchbuilder.Builder) { s.Match.Rules.Crawford, s.Match.Place = true, "TrueMoneyGames" }, g.line, g.end)
}

type tmg struct {
	text   string // of a roll that waits for its play
	who    int
	number [2]int // of the turns read last, 0 before the first
}

func (g *tmg) line(s *matchbuilder.Builder, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	if m := tmgGame.FindStringSubmatch(text); m != nil {
		g.end(s)
		g.number = [2]int{}
		one, _ := strconv.Atoi(m[1])
		two, _ := strconv.Atoi(m[2])
		moneyRules(s.Match, s.Match.Rules.Jacoby)
		s.Game([2]int{two, one})
	} else if m := tmgRecord.FindStringSubmatch(text); m != nil && s.Current() != nil {
		n, _ := strconv.Atoi(m[1])
		kind, _ := strconv.Atoi(m[2])
		g.record(s, n, kind, m[3])
	} else if kv := tmgKey.FindStringSubmatch(text); kv != nil {
		g.key(s, kv[1], kv[2])
	} else {
		odd(s, text)
	}
}

func (g *tmg) key(s *matchbuilder.Builder, key, value string) {
	m := s.Match
	switch strings.ToLower(key) {
	case "player1", "player2":
		// The first one is gnubg's player 1.
		i := int('2' - key[6])
		f := strings.Fields(value)
		switch {
		case len(f) >= 3:
			m.Players[i].Name = strings.Join(f[1:len(f)-1], " ")
		case len(f) > 0:
			m.Players[i].Name = f[len(f)-1]
		}
	case "startdate":
		if len(value) >= 10 {
			m.Date = value[:10]
		}
		if len(value) >= 16 && value[13] == ':' {
			m.Time = value[11:16]
		}
	case "jacoby":
		m.Rules.Jacoby, s.JacobySaid = yes(value), true
	case "crawford":
		m.Rules.Crawford = yes(value)
	case "cube":
		m.Rules.NoCube = !yes(value)
	case "beavers", "raccoons", "raccons":
		if yes(value) {
			m.Rules.Beavers = max(m.Rules.Beavers, 1+len(key)/8)
		}
	case "maxcube":
		if n, err := strconv.Atoi(value); err == nil && n > 1 && n <= 1<<15 {
			m.Rules.CubeLimit = n
		}
	case "length":
		if n, err := strconv.Atoi(value); err == nil && n >= 0 && n <= 1<<15 {
			m.Length = n
		}
	case "variant":
		if value == "1" || value == "" {
			return // backgammon
		}
		for _, g := range record.Variations {
			if g.TrueMoney != 0 && strconv.Itoa(g.TrueMoney) == value {
				m.Rules.Variation = g.Variation
				return
			}
		}
		s.Warn("variation %q", value)
	}
}

// end puts a roll without a play on record.
func (g *tmg) end(s *matchbuilder.Builder) {
	if s.Current() == nil {
		return
	}
	if d, ok := g.roll(); ok && !s.Over() {
		s.Move(g.who, d, "")
	}
}

// Types of the records that are read. The others are odd.
const (
	tmgRolls      = 1
	tmgAutomatic  = 2 // an automatic double
	tmgPlays      = 4
	tmgDoubles    = 5
	tmgTakes      = 7
	tmgBeavers    = 8
	tmgPasses     = 10
	tmgSingle     = 14
	tmgGammon     = 15
	tmgBackgammon = 16
	tmgLate       = 17 // out of time
	tmgSettlement = 19 // the table stakes before and after: nothing that was played
	tmgLateAgain  = 22
)

// record reads "n type text"; the sign of n says who.
func (g *tmg) record(s *matchbuilder.Builder, n, kind int, text string) {
	who := 1
	if n < 0 {
		who = 0
	}
	g.check(s, who, max(n, -n), kind, text)
	switch kind {
	case tmgPlays:
		g.play(s, who, text)
		return
	case tmgSingle, tmgGammon, tmgBackgammon:
		g.wins(s, who, text)
		return
	}
	g.end(s)
	switch kind {
	case tmgRolls:
		g.text, g.who = text, who
	case tmgAutomatic:
		if len(s.Current().Actions) > 0 { // they come before the first roll
			odd(s, "automatic double")
			return
		}
		s.Current().Cube = min(2*max(s.Current().Cube, 1), 1<<12)
		s.Restart()
	case tmgDoubles, tmgBeavers:
		s.Double(who)
	case tmgTakes:
		s.Take(who)
	case tmgPasses:
		s.Drop(who)
	case tmgLate, tmgLateAgain:
		s.Comment("out of time: " + text)
	case tmgSettlement:
	default:
		odd(s, strconv.Itoa(n)+" "+strconv.Itoa(kind)+" "+text)
	}
}

// check warns about a turn out of order and about records that ran into one another.
func (g *tmg) check(s *matchbuilder.Builder, who, turn, kind int, text string) {
	if kind == tmgSettlement {
		return
	}
	if turn > 0 {
		if last := g.number[who]; last > 0 && (turn < last || turn > last+1) {
			s.Warn("turn %d follows turn %d", turn, last)
		}
		g.number[who] = turn
	}
	if tmgInside.MatchString(text) || kind == tmgRolls && tmgAfter.MatchString(text) {
		odd(s, text)
	}
}

// roll returns the dice that wait for their play, and forgets them.
func (g *tmg) roll() (d board.Dice, ok bool) {
	m := tmgRoll.FindStringSubmatch(g.text)
	g.text = ""
	if m == nil {
		return board.Dice{}, false
	}
	return dice(m[1][0], m[2][0])
}

func (g *tmg) play(s *matchbuilder.Builder, who int, text string) {
	d, ok := g.roll()
	switch {
	case !ok:
		s.Warn("a play without a roll: %q", text)
	case s.Over() || s.Ended():
		odd(s, text)
	default:
		s.Move(who, d, text)
	}
}

// wins ends a game. A roll without a play before it was thrown and not played.
func (g *tmg) wins(s *matchbuilder.Builder, who int, text string) {
	if d, ok := g.roll(); ok && !s.Over() {
		s.Roll(g.who, d)
	}
	points, _ := strconv.Atoi(strings.SplitN(text, " ", 2)[0])
	s.End(record.Statement{Trust: record.Worded, Winner: who, Points: max(points, 0)})
}
