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
	line, _, _ := strings.Cut(text, "\n")
	return replayHead.MatchString(text) || replayGame.MatchString(strings.TrimRight(line, "\r"))
}

// Bgammon reads the matches of a replay of bgammon.org, at least one. Errors are
// *record.SyntaxError or of r.
func Bgammon(r io.Reader) ([]*record.Match, []record.Warning, error) {
	b := replay{matchbuilder.NewFile(r)}
	for b.Scan() {
		b.line(b.Text)
	}
	return b.All("bgammon replay: no game in the file")
}

type replay struct{ *matchbuilder.File }

func (b *replay) line(text string) {
	s := b.Builder
	if s != nil {
		s.Line = b.Number
	}
	if strings.TrimSpace(text) == "" || replayHead.MatchString(text) {
		return
	}
	if m := replayGame.FindStringSubmatch(text); m != nil {
		b.game(m)
		return
	}
	if s == nil || s.Current() == nil {
		b.Fail("bgammon replay: an action before the first game")
		return
	}
	if m := replayRoll.FindStringSubmatch(text); m != nil {
		d, ok := dice(m[2][0], m[3][0])
		switch player := int(m[1][0] - '1'); {
		case !ok || m[4] != "":
			s.Fail("bgammon replay: dice %q are not those of backgammon", text)
		case s.Over():
			odd(s, text)
		default:
			s.Move(player, d, ownWay(player, m[5]))
		}
	} else if m := replayCube.FindStringSubmatch(text); m != nil {
		player := int(m[1][0] - '1')
		s.Double(player)
		if m[3] == "1" {
			s.Take(1 - player)
		} else {
			s.Drop(1 - player)
		}
	} else if m := replayQuit.FindStringSubmatch(text); m != nil {
		s.End(record.Statement{Trust: record.Worded, Winner: 1 - int(m[1][0]-'1')})
	} else {
		odd(s, text)
	}
}

func (b *replay) game(m []string) {
	var n [6]int // length, two scores, winner, points, variant
	for i, f := range strings.Fields(m[4]) {
		if i < len(n) {
			n[i], _ = strconv.Atoi(f)
		}
	}
	if n[5] != 0 {
		name := map[int]string{1: "acey-deucey", 2: "tabula"}[n[5]]
		b.Fail("bgammon replay: a game of %s (variant %d), not of backgammon", name, n[5])
		return
	}
	score := [2]int{max(n[1], 0), max(n[2], 0)}
	length := min(max(n[0], 0), 1<<15)
	goesOn := b.Builder != nil && length != 1 && (length == 0 || score != [2]int{})
	if !goesOn || b.Match.Players[0].Name != m[2] || b.Match.Players[1].Name != m[3] || b.Match.Length != length {
		b.Begin(b.Number)
		b.Terse = true
		t := b.Match
		t.Players[0].Name, t.Players[1].Name = m[2], m[3]
		t.Length, t.Place = length, "bgammon.org"
		t.Rules.Crawford = length > 0
		if sec, err := strconv.ParseInt(m[1], 10, 64); err == nil && sec > 0 && sec < 1<<35 {
			when := time.Unix(sec, 0).UTC()
			t.Date, t.Time = when.Format("2006-01-02"), when.Format("15:04")
		}
	}
	b.Game(score)
	if n[3] == 1 || n[3] == 2 {
		b.End(record.Statement{Trust: record.Column, Winner: n[3] - 1, Points: min(max(n[4], 0), match.MaxPoints)})
	}
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
