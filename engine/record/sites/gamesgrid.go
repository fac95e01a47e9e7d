package sites

import (
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/matchbuilder"
)

var (
	sggNames = regexp.MustCompile(`^\s*(\S.*?)\s+vs\.\s+(\S.*?)\s*$`)
	sggGame  = regexp.MustCompile(`^\s*Game\s+\d+\.\s?(\d{1,6})(\*?)-(\d{1,6})(\*?)(?:/(\d{1,6}))?`)
	sggMove  = regexp.MustCompile(`^\s*(\d{1,5})\t(\t?)\s*(.*?)\s*$`)
	sggRoll  = regexp.MustCompile(`^([1-6])([1-6]):\s*(.*)$`)
	// sggAction is an action whose column may be lost, sggInside one in other text.
	sggAction = regexp.MustCompile(`^\s*\d{1,5}\s+(?:[1-6][1-6]:|(?i:double|beaver|raccoon|accept|pass|resign))`)
	sggInside = regexp.MustCompile(`(?:^|\s)\d{1,5}\s+(?:[1-6][1-6]:|(?i:double to|accept|pass|resign)\s*$)|[1-6][1-6]:\s+(?:\d{1,2}|bar)/`)
	sggWins   = regexp.MustCompile(`^\s*(\S.*?)\s+wins\s+(\d{1,6})\s+points?`)
	sggAuto   = regexp.MustCompile(`(?i)^\s*[1-6][1-6]:\s*automatic double`)
	sggKey    = regexp.MustCompile(`^\s*([A-Za-z][A-Za-z ]*?):\s*(.*?)\s*$`)
)

// maxNote bounds the comment on one action.
const maxNote = 16 << 10

// IsGamesGrid reports whether a file begins as GamesGrid's do.
func IsGamesGrid(text string) bool {
	line, rest, _ := strings.Cut(text, "\n")
	return sggNames.MatchString(strings.TrimRight(line, "\r")) && !strings.HasPrefix(line, "Game ") && strings.Contains(rest, "\n")
}

// GamesGrid reads an .sgg. Errors are *record.SyntaxError or of r.
func GamesGrid(r io.Reader) (*record.Match, []record.Warning, error) {
	g := sgg{}
	return each(r, "GamesGrid", func(s *matchbuilder.Builder) { s.Match.Rules.Crawford = true }, g.line, g.end)
}

// sgg holds the state that the next line needs.
type sgg struct {
	named, playing bool
	roll           board.Dice // thrown by who, the play is on the next line
	who            int
	note           string // comment on the next action
	last           string // the action read last: lines occur twice
	number         int    // of the turn read last
}

// player returns the player of a column: gnubg makes the left name player 1.
func (g *sgg) player(right bool) int {
	if right {
		return 0
	}
	return 1
}

func (g *sgg) line(s *matchbuilder.Builder, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	if m := sggNames.FindStringSubmatch(text); m != nil && !g.named {
		s.Match.Players[1].Name, s.Match.Players[0].Name, g.named = m[1], m[2], true
		return
	}
	if m := sggGame.FindStringSubmatch(text); m != nil {
		g.game(s, m)
		return
	}
	if s.Current() == nil && sggAction.MatchString(text) {
		odd(s, text) // the head of its game is missing
		return
	}
	if !g.playing && s.Current() == nil {
		g.head(s, text)
		return
	}
	if m := sggMove.FindStringSubmatch(text); m != nil && s.Current() != nil {
		n, _ := strconv.Atoi(m[1])
		if n < g.number || n > g.number+1 {
			s.Warn("turn %d follows turn %d", n, g.number)
		}
		g.number = n
		g.action(s, g.player(m[2] != ""), m[3])
		return
	}
	if m := sggWins.FindStringSubmatch(text); m != nil && s.Current() != nil {
		g.end(s)
		n, _ := strconv.Atoi(m[2])
		e := record.Statement{Trust: record.Worded, Winner: 1, Points: n}
		if m[1] == s.Match.Players[0].Name {
			e.Winner = 0
		} else if m[1] != s.Match.Players[1].Name {
			s.Warn("the winner %q is not one of the players", m[1])
			return
		}
		s.End(e)
		s.EndGame()
		return
	}
	if sggAuto.MatchString(text) && s.Current() != nil && len(s.Current().Actions) == 0 {
		s.Current().Cube = min(2*max(s.Current().Cube, 1), 1<<12)
		s.Restart()
		return
	}
	if len(g.note)+len(text) > maxNote || sggInside.MatchString(text) {
		odd(s, text)
		return
	}
	g.note = strings.TrimSpace(g.note + "\n" + strings.TrimSpace(text))
}

func (g *sgg) game(s *matchbuilder.Builder, m []string) {
	g.end(s)
	g.playing, g.last, g.number = true, "", 0
	left, _ := strconv.Atoi(m[1])
	right, _ := strconv.Atoi(m[3])
	if n, err := strconv.Atoi(m[5]); err == nil {
		s.Match.Length = n
	}
	moneyRules(s.Match, s.Match.Rules.Jacoby)
	s.Game([2]int{right, left})
	s.Current().Crawford = (m[2] != "" || m[4] != "") && s.Match.Length > 0
}

// head reads a line between the names and the first game.
func (g *sgg) head(s *matchbuilder.Builder, text string) {
	m := s.Match
	if day, err := time.Parse("Monday, January 2, 2006", strings.TrimSpace(text)); err == nil {
		m.Date = day.Format("2006-01-02")
		return
	}
	kv := sggKey.FindStringSubmatch(text)
	if kv == nil {
		m.Place = strings.TrimSpace(text)
		return
	}
	switch strings.ToLower(kv[1]) {
	case "elo":
		if f := strings.Fields(kv[2]); len(f) >= 4 {
			m.Players[1].Rating, m.Players[0].Rating = f[0]+"/"+f[1], f[2]+"/"+f[3]
		}
	case "jacoby":
		m.Rules.Jacoby, s.JacobySaid = yes(kv[2]), true
	case "crawford":
		m.Rules.Crawford = yes(kv[2])
	case "beavers", "raccoons":
		if yes(kv[2]) {
			m.Rules.Beavers = max(m.Rules.Beavers, map[string]int{"beavers": 1, "raccoons": 2}[strings.ToLower(kv[1])])
		}
	case "doubling cube":
		m.Rules.NoCube = !yes(kv[2])
	case "match length":
		m.Length, _ = strconv.Atoi(kv[2])
		m.Length = min(max(m.Length, 0), 1<<15)
	case "variant":
		v, ok := record.ParseVariation(kv[2])
		if !ok {
			s.Warn("variation %q", kv[2])
		}
		m.Rules.Variation = v
	case "automatic doubles", "rated":
	default:
		m.Place = strings.TrimSpace(text)
	}
}

// end puts a roll without a play on record.
func (g *sgg) end(s *matchbuilder.Builder) {
	d := g.roll
	g.roll = board.Dice{}
	if d.Valid() && s.Current() != nil && !s.Over() {
		s.Move(g.who, d, "")
	}
}

func (g *sgg) action(s *matchbuilder.Builder, player int, text string) {
	key := strconv.Itoa(player) + text
	if s.Over() || s.Ended() {
		if key != g.last { // the line that ended the game stands twice, too
			odd(s, text)
		}
		return
	}
	if key == g.last && s.OnRoll() != player {
		return // the line stands twice
	}
	if m := sggRoll.FindStringSubmatch(text); m != nil {
		d, _ := dice(m[1][0], m[2][0])
		g.rolled(s, key, player, d, strings.TrimSpace(m[3]))
		return
	}
	if text == "-" {
		// Closed out, without dice. gnubg reads 66.
		s.Move(player, board.Dice{A: 6, B: 6}, "")
		g.said(s, key)
		return
	}
	if resigns(text) {
		g.resign(s, key, player, g.roll)
		return
	}
	g.end(s)
	if s.Say(player, text) {
		g.said(s, key)
	} else {
		odd(s, text)
	}
}

func resigns(text string) bool { return strings.HasPrefix(strings.ToLower(text), "resign") }

// resign reads a resignation after a roll that was not played, if d is valid.
func (g *sgg) resign(s *matchbuilder.Builder, key string, player int, d board.Dice) {
	if g.roll = (board.Dice{}); d.Valid() {
		s.Roll(g.who, d)
	}
	s.Say(player, "resigns")
	g.last = key
}

// rolled reads a roll d with the play or resignation beside it, which may follow on a line of
// its own.
func (g *sgg) rolled(s *matchbuilder.Builder, key string, player int, d board.Dice, play string) {
	again := g.roll.Valid() && g.roll == d && g.who == player
	if !again {
		g.end(s)
		g.roll, g.who = d, player
	}
	switch {
	case play == "":
	case resigns(play):
		g.resign(s, key, player, d)
	default:
		g.roll = board.Dice{}
		s.Move(player, d, play)
		g.said(s, key)
	}
}

// said closes an action: comments in front of it are its own.
func (g *sgg) said(s *matchbuilder.Builder, key string) {
	s.Comment(g.note)
	g.note, g.last = "", key
}
