package sites

import (
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/matchbuilder"
)

var (
	replayHead = regexp.MustCompile(`^bgammon-replay \d`)
	replayGame = regexp.MustCompile(`^i (-?\d{1,12}) (\S+) (\S+)((?: -?\d{1,9})*)\s*$`)
	replayRoll = regexp.MustCompile(`^([12]) r (\d)-(\d)(-\d)?(?:\s+(.*?))?\s*$`)
	replayCube = regexp.MustCompile(`^([12]) d (\d{1,9}) ([01])\s*$`)
	replayQuit = regexp.MustCompile(`^([12]) t\b`)
)

// IsBgammon reports whether a file is a replay of bgammon.org.
func IsBgammon(text string) bool {
	text = strings.TrimLeft(text, "\r\n \t")
	line, _, _ := strings.Cut(text, "\n")
	return replayHead.MatchString(text) || replayGame.MatchString(strings.TrimRight(line, "\r"))
}

// Bgammon reads the matches of a replay of bgammon.org, at least one. Errors are
// *record.SyntaxError or of r.
func Bgammon(r io.Reader) ([]*record.Match, []record.Warning, error) {
	b := replay{}
	lines := matchbuilder.NewLines(r)
	for {
		text, err := lines.Next()
		if err == io.EOF {
			break
		}
		b.line = lines.Number
		if err == nil {
			err = b.read(text)
		}
		if err != nil {
			return nil, b.warnings, err
		}
	}
	b.close()
	if len(b.matches) == 0 {
		return nil, b.warnings, &record.SyntaxError{Line: max(lines.Number, 1), Column: 1, Problem: "bgammon replay: no game in the file"}
	}
	return b.matches, b.warnings, nil
}

type replay struct {
	s        *matchbuilder.Builder
	line     int
	matches  []*record.Match
	warnings []record.Warning
}

func (b *replay) close() {
	if b.s == nil {
		return
	}
	m, ws := b.s.Finish()
	b.s = nil
	b.matches = append(b.matches, m)
	if len(b.warnings) < 1000 {
		b.warnings = append(b.warnings, ws...)
	}
}

func (b *replay) read(text string) error {
	if b.s != nil {
		b.s.Line = b.line
	}
	if strings.TrimSpace(text) == "" || replayHead.MatchString(text) {
		return nil
	}
	if m := replayGame.FindStringSubmatch(text); m != nil {
		return b.game(m)
	}
	if b.s == nil || b.s.Current() == nil {
		return &record.SyntaxError{Line: b.line, Column: 1, Problem: "bgammon replay: an action before the first game"}
	}
	s := b.s
	if m := replayRoll.FindStringSubmatch(text); m != nil {
		d, ok := dice(m[2][0], m[3][0])
		if !ok || m[4] != "" {
			return s.Errorf(1, "bgammon replay: dice %q are not those of backgammon", text)
		}
		player := int(m[1][0] - '1')
		if s.Over() {
			odd(s, text)
			return nil
		}
		return s.Move(player, d, ownWay(player, m[5]))
	}
	if m := replayCube.FindStringSubmatch(text); m != nil {
		player := int(m[1][0] - '1')
		if err := s.Double(player); err != nil {
			return err
		}
		if m[3] == "1" {
			return s.Take(1 - player)
		}
		return s.Drop(1 - player)
	}
	if m := replayQuit.FindStringSubmatch(text); m != nil {
		s.End(record.Statement{Trust: record.Worded, Winner: 1 - int(m[1][0]-'1')})
		return nil
	}
	odd(s, text)
	return nil
}

func (b *replay) game(m []string) error {
	var n [6]int // length, two scores, winner, points, variant
	for i, f := range strings.Fields(m[4]) {
		if i < len(n) {
			n[i], _ = strconv.Atoi(f)
		}
	}
	if n[5] != 0 {
		name := map[int]string{1: "acey-deucey", 2: "tabula"}[n[5]]
		return &record.SyntaxError{Line: b.line, Column: 1, Problem: "bgammon replay: a game of " + name + " (variant " + strconv.Itoa(n[5]) + "), not of backgammon"}
	}
	score := [2]int{max(n[1], 0), max(n[2], 0)}
	length := min(max(n[0], 0), 1<<15)
	if b.s != nil {
		old := b.s.Match
		same := old.Players[0].Name == m[2] && old.Players[1].Name == m[3] && old.Length == length
		if !same || length > 0 && score == [2]int{} || length == 1 {
			if len(b.matches) >= matchbuilder.MaxGames {
				return b.s.Errorf(1, "more than %d matches", matchbuilder.MaxGames)
			}
			b.close()
		}
	}
	if b.s == nil {
		b.s = matchbuilder.New()
		b.s.Terse = true
		b.s.Line = b.line
		t := b.s.Match
		t.Players[0].Name, t.Players[1].Name = m[2], m[3]
		t.Length, t.Place = length, "bgammon.org"
		t.Rules.Crawford = length > 0
		if sec, err := strconv.ParseInt(m[1], 10, 64); err == nil && sec > 0 && sec < 1<<35 {
			when := time.Unix(sec, 0).UTC()
			t.Date, t.Time = when.Format("2006-01-02"), when.Format("15:04")
		}
	}
	if err := b.s.Game(score); err != nil {
		return err
	}
	if n[3] == 1 || n[3] == 2 {
		b.s.End(record.Statement{Trust: record.Column, Winner: n[3] - 1, Points: min(max(n[4], 0), match.MaxPoints)})
	}
	return nil
}

// ownWay turns a play of player 2, who counts upwards in player 1's numbers, into his
// own.
func ownWay(player int, text string) string {
	if player == 0 {
		return text
	}
	f := strings.Fields(text)
	for i, w := range f {
		points := strings.Split(w, "/")
		for k, p := range points {
			if n, err := strconv.Atoi(strings.TrimRight(p, "*")); err == nil {
				points[k] = strconv.Itoa(board.Bar + 1 - n)
			}
		}
		f[i] = strings.Join(points, "/")
	}
	return strings.Join(f, " ")
}
