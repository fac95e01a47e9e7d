package position

import (
	"io"
	"regexp"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/scribe"
)

var (
	xgid  = regexp.MustCompile(`XGID\s*=\s*([-a-oA-O]{26}(?::[-0-9A-Za-z]*){3,9})`)
	ogid  = regexp.MustCompile(`(?:^|OGID\s*=\s*|\s)([0-9a-q]{0,30}:[0-9a-q]{0,30}:[WBND?][0-9]{1,2}[NOTP](?::[0-9A-Za-z.]*){0,8})\s*$`)
	names = regexp.MustCompile(`^\s*X:\s*(\S.*?)\s+O:\s*(\S.*?)\s*$`)
)

// maxPositions bounds what one file may ask for.
const maxPositions = 10_000

// maxText bounds what is kept of the text around a position.
const maxText = 8 << 10

// Is tells whether a text begins with positions: an ID within its first lines.
func Is(text string) bool {
	n := 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if xgid.MatchString(line) || strings.Contains(line, "OGID=") || ogid.MatchString(strings.TrimSpace(line)) {
			return true
		}
		if n++; n > 60 {
			break
		}
	}
	return false
}

// Read reads every position of a text, at least one, each as a match of its own.
// Errors are *record.SyntaxError or of r.
func Read(r io.Reader) ([]*record.Match, []record.Warning, error) {
	var out []*record.Match
	var ws []record.Warning
	var xName, oName string
	note := func(line string) {
		if m := names.FindStringSubmatch(line); m != nil && len(out) > 0 {
			xName, oName = m[1], m[2]
			last := out[len(out)-1]
			last.Players[1].Name, last.Players[0].Name = xName, oName
			return
		}
		if len(out) == 0 {
			return
		}
		last := out[len(out)-1]
		if len(last.Comment)+len(line) < maxText && (last.Comment != "" || strings.TrimSpace(line) != "") {
			last.Comment += line + "\n"
		}
	}
	lines := scribe.NewLines(r)
	for {
		line, err := lines.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, ws, err
		}
		var m *record.Match
		if id := xgid.FindStringSubmatch(line); id != nil {
			m, err = FromXGID(id[1])
		} else if id := ogid.FindStringSubmatch(line); id != nil {
			m, err = FromOGID(id[1])
		} else {
			note(strings.TrimRight(line, " "))
			continue
		}
		if err != nil {
			return nil, ws, &record.SyntaxError{Line: lines.Number, Column: 1, Problem: err.Error()}
		}
		if len(out) >= maxPositions {
			return nil, ws, &record.SyntaxError{Line: lines.Number, Column: 1, Problem: "more than 10000 positions"}
		}
		out = append(out, m)
	}
	if len(out) == 0 {
		return nil, ws, &record.SyntaxError{Line: max(lines.Number, 1), Column: 1, Problem: "no position in the file: want XGID= or OGID="}
	}
	for _, m := range out {
		m.Comment = strings.TrimRight(m.Comment, "\n ")
	}
	return out, ws, nil
}

// FromXGID makes a match of an XGID without its "XGID=". Fields that are left out at
// its end are those of a money game. Errors are those of match.ParseSituation and FromSituation.
func FromXGID(id string) (*record.Match, error) {
	f := strings.Split(id, ":")
	for i, d := range []string{"", "0", "0", "1", "00", "0", "0", "0", "0", "10"} {
		if i >= len(f) {
			f = append(f, d)
		} else if f[i] == "" {
			f[i] = d
		}
	}
	s, err := match.ParseSituation("XGID=" + strings.Join(f[:10], ":"))
	if err != nil {
		return nil, err
	}
	onRoll := 1
	if f[3] == "-1" {
		onRoll = 0
	}
	return FromSituation(s, onRoll)
}

// FromSituation makes a match of a situation with the given player, 0 or 1, on roll.
// Errors are those of record.Diagram.Match.
func FromSituation(s match.Situation, onRoll int) (*record.Match, error) {
	onRoll &= 1
	d := record.Diagram{
		Length: s.State.Length, Crawford: s.State.Crawford, Jacoby: s.State.Jacoby, Beavers: s.State.Beavers,
		OnRoll: onRoll, Cube: s.State.Cube, Owner: record.NoPlayer, Dice: s.Dice,
	}
	d.Boards[onRoll], d.Boards[1-onRoll] = s.Position.Me, s.Position.Opp
	d.Score[onRoll], d.Score[1-onRoll] = s.State.Score[0], s.State.Score[1]
	if d.Length == 0 {
		d.Score = [2]int{}
	}
	switch s.State.Owner {
	case match.Mine:
		d.Owner = onRoll
	case match.Theirs:
		d.Owner = 1 - onRoll
	}
	m, err := d.Match()
	if err == nil && s.Doubled {
		g := &m.Games[0]
		g.Actions = append(g.Actions, record.Action{Kind: record.Double, Player: onRoll})
	}
	return m, err
}

// Last returns what stands on the table after the last action of a game, as the player
// sees it who is to act, and who that is.
func Last(m *record.Match, g *record.Game) (match.Situation, int) {
	r := record.NewReplay(m, g)
	var s match.Situation
	for {
		t, ok := r.Next()
		if !ok {
			break
		}
		s.Dice = board.Dice{}
		if t.Action.Kind == record.Roll {
			s.Dice = t.Action.Dice
		}
	}
	who := max(r.OnRoll(), 0)
	if doubler, n := r.Pending(); n > 0 {
		who, s.Doubled = doubler, true
	}
	s.Position, s.State = r.Position(who), r.State(who)
	if s.State.Length == 0 {
		s.State.Score = [2]int{}
	}
	return s, who
}
