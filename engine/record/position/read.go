package position

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/matchbuilder"
)

var (
	xgid  = regexp.MustCompile(`XGID\s*=\s*([-a-oA-O]{26}(?::[-0-9A-Za-z]*){3,9})`)
	ogid  = regexp.MustCompile(`(?:^|OGID\s*=\s*|\s)([0-9a-q]{0,30}:[0-9a-q]{0,30}:[WBND?][0-9]{1,2}[NOTP](?::[0-9A-Za-z.]*){0,8})\s*$`)
	names = regexp.MustCompile(`^\s*X:\s*(\S.*?)\s+O:\s*(\S.*?)\s*$`)
)

// maxPositions bounds the positions of one file.
const maxPositions = 200_000

// maxText bounds the text kept around a position, in bytes.
const maxText = 8 << 10

// Is reports whether a text has the ID of a position in its first lines.
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

// Read reads every position of a text, at least one, each as a match of its own. It warns about
// text that looks like an ID and is not, odd IDs, and pages that contradict theirs. Errors are
// *record.SyntaxError or of r.
func Read(r io.Reader) ([]*record.Match, []record.Warning, error) {
	p := reader{Lines: matchbuilder.NewLines(r)}
	for p.Scan() {
		p.line(p.Text)
	}
	if p.Err() == nil {
		p.end()
	}
	if len(p.out) == 0 {
		p.Fail("no position in the file: want XGID= or OGID=")
	}
	if err := p.Err(); err != nil {
		return nil, p.warnings, err
	}
	for _, m := range p.out {
		m.Comment = strings.TrimRight(m.Comment, "\n ")
	}
	return p.out, p.warnings, nil
}

// FromXGID makes a match of an XGID without its "XGID=". Fields that are left out at
// its end are those of a money game; only [Read] warns about odd fields. Errors are those of match.ParseSituation and FromSituation.
func FromXGID(id string) (*record.Match, error) {
	m, _, err := fromXGID(id)
	return m, err
}

// xgFields are the fields of an XGID with their values where they are left out.
var xgFields = [10]struct{ name, value string }{
	{"board", ""}, {"cube", "0"}, {"owner of the cube", "0"}, {"player on roll", "1"}, {"dice", "00"},
	{"score of X", "0"}, {"score of O", "0"}, {"rules", "0"}, {"match length", "0"}, {"highest cube", "10"},
}

// fromXGID is FromXGID that also returns, a line each, what is odd.
func fromXGID(id string) (*record.Match, []string, error) {
	f := strings.Split(id, ":")
	var odd, missing []string
	for i, x := range xgFields {
		switch {
		case i >= len(f):
			f = append(f, x.value)
		case f[i] == "":
			f[i] = x.value
		default:
			continue
		}
		if i < len(xgFields)-1 { // many writers leave out the last one
			missing = append(missing, x.name)
		}
	}
	if len(missing) > 0 {
		odd = append(odd, "XGID: cut: it has no "+strings.Join(missing, ", no "))
	}
	for i, v := range f[:9] {
		if i != 4 && len(v) > 1 && (v[0] == '0' || v[:2] == "-0") {
			odd = append(odd, fmt.Sprintf("XGID: the %s is %q", xgFields[i].name, v))
		}
	}
	if n, err := strconv.Atoi(f[9]); err == nil && (n < 0 || n > 15) {
		odd = append(odd, fmt.Sprintf("XGID: the highest cube is 2 to the power of %d", n))
	}
	s, err := match.ParseSituation("XGID=" + strings.Join(f[:10], ":"))
	if err != nil {
		return nil, nil, err
	}
	onRoll := 1
	if f[3] == "-1" {
		onRoll = 0
	}
	m, err := FromSituation(s, onRoll)
	if err != nil {
		return nil, nil, err
	}
	for _, text := range record.LastDiagram(m, &m.Games[0]).Odd() {
		odd = append(odd, "XGID: "+text)
	}
	return m, odd, nil
}

// FromSituation makes a match of a situation with the given player, 0 or 1, on roll.
// Errors are those of record.Diagram.Match.
func FromSituation(s match.Situation, onRoll int) (*record.Match, error) {
	onRoll &= 1
	d := record.Diagram{
		Length: s.State.Length, Crawford: s.State.Crawford, Jacoby: s.State.Jacoby, Beavers: s.State.Beavers,
		Boards: *record.ByPlayer(s.Position, onRoll), OnRoll: onRoll, Cube: s.State.Cube, Owner: s.State.Owner.Side(onRoll), Dice: s.Dice,
	}
	d.Score[onRoll], d.Score[1-onRoll] = s.State.Score[0], s.State.Score[1]
	if d.Length == 0 {
		d.Score = [2]int{}
	}
	m, err := d.Match()
	if err == nil && s.Doubled {
		g := &m.Games[0]
		for i := range 1 + s.Redoubles { // a beaver is the other player's, a raccoon the doubler's
			g.Actions = append(g.Actions, record.Action{Kind: record.Double, Player: (onRoll + i) & 1})
		}
	}
	return m, err
}

// Last returns the situation after the last action of a game, as the player to act sees it, and
// which player that is.
func Last(m *record.Match, g *record.Game) (match.Situation, int) {
	r := record.NewReplay(m, g)
	s := match.Situation{Dice: r.End()}
	who := max(r.OnRoll(), 0)
	if last, n := r.Pending(); n > 0 {
		who, s.Doubled, s.Redoubles = last^(n-1)&1, true, n-1
	}
	s.Position, s.State = r.Position(who), r.State(who)
	if s.State.Length == 0 {
		s.State.Score = [2]int{}
	}
	return s, who
}
