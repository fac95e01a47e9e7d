package position

import (
	"bufio"
	"fmt"
	"io"
	"math/bits"
	"regexp"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// FindOGID returns the OGID that a text is, or ends with, without its "OGID="; false where it
// does not.
func FindOGID(text string) (string, bool) {
	m := ogid.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return "", false
	}
	return m[1], true
}

// FromOGID makes a match of an OGID without its "OGID=". White is player 0, Black
// player 1; both are given in one numbering, in which White moves up from 0, White's bar.
// The error names the field. Only [Read] warns about odd fields.
func FromOGID(id string) (*record.Match, error) {
	m, _, err := fromOGID(id)
	return m, err
}

// The fields of an OGID.
const (
	ogWhite = iota
	ogBlack
	ogCube
	ogDice
	ogWho
	ogState
	ogScore // White's, then Black's
	_
	ogLength
	ogPlays
	ogCheckers
	ogFields
)

var (
	ogCubeForm   = regexp.MustCompile(`^[WBND?](\d{1,2})[NOTP]$`)
	ogDiceForm   = regexp.MustCompile(`^[1-6][1-6]$`)
	ogWhoForm    = regexp.MustCompile(`^[WB]$`)
	ogStateForm  = regexp.MustCompile(`^(?:IW|IB|R|C|D|A|P|G|F|M|RG|RM)$`)
	ogNumberForm = regexp.MustCompile(`^(?:0|[1-9]\d{0,4})$`)
	ogLengthForm = regexp.MustCompile(`^(?:0|[1-9]\d{0,4}[CL]?|0?G\d{0,5})$`)
)

// ogidFields takes an OGID apart. A field may be empty; one that is not is of its form.
func ogidFields(id string) (f [ogFields]string, err error) {
	list := strings.Split(id, ":")
	if len(list) < 3 || len(list) > ogFields {
		return f, fmt.Errorf("OGID: %d fields (3 to %d are possible)", len(list), ogFields)
	}
	copy(f[:], list)
	for _, want := range []struct {
		field int
		name  string
		form  *regexp.Regexp
	}{
		{ogCube, "cube", ogCubeForm}, {ogDice, "dice", ogDiceForm}, {ogWho, "who reached the position", ogWhoForm}, {ogState, "state", ogStateForm},
		{ogScore, "White's score", ogNumberForm}, {ogScore + 1, "Black's score", ogNumberForm}, {ogLength, "match length", ogLengthForm},
		{ogPlays, "number of plays", ogNumberForm}, {ogCheckers, "checkers a side", ogNumberForm},
	} {
		if v := f[want.field]; (v != "" || want.field == ogCube) && !want.form.MatchString(v) {
			return f, fmt.Errorf("OGID: field %d, the %s, is %.20q", want.field+1, want.name, v)
		}
	}
	return f, nil
}

// ogidCheckers reads the checkers of a side.
func ogidCheckers(text string, side int) (out board.Checkers, err error) {
	for _, c := range text {
		n := strings.IndexRune("0123456789abcdefghijklmnopq", c)
		i := n - 1 // Black's own index
		if side == 0 {
			i = board.Bar - n
		}
		switch {
		case n < 0:
			return out, fmt.Errorf("OGID: %q is not a point", c)
		case c == 'q':
			continue // off
		case i < 0 || i > board.Bar:
			return out, fmt.Errorf("OGID: a checker on the other side's bar in %.20q", text)
		case out.Count() == board.MaxCheckers:
			return out, fmt.Errorf("OGID: checkers %.20q", text)
		}
		out[i]++
	}
	return out, nil
}

// fromOGID is FromOGID that also returns a list of oddities, a line each.
func fromOGID(id string) (*record.Match, []string, error) {
	f, err := ogidFields(id)
	if err != nil {
		return nil, nil, err
	}
	var d record.Diagram
	for side := range 2 {
		if d.Boards[side], err = ogidCheckers(f[side], side); err != nil {
			return nil, nil, err
		}
	}
	cube := f[ogCube]
	exp, _ := strconv.Atoi(cube[1 : len(cube)-1])
	if exp > 15 {
		return nil, nil, fmt.Errorf("OGID: cube %q", cube)
	}
	d.Cube, d.Owner = 1<<exp, record.NoPlayer
	if i := strings.IndexByte("WB", cube[0]); i >= 0 {
		d.Owner = i
	}
	offered := cube[len(cube)-1] == 'O'
	// The field names who reached the position: the other one is to act, but for a
	// double, where it names the doubler.
	d.OnRoll = 0
	if f[ogWho] == "W" {
		d.OnRoll = 1
	}
	if offered {
		d.OnRoll = 1 - d.OnRoll
	}
	if v := f[ogDice]; v != "" && !offered {
		d.Dice = board.Dice{A: v[0] - '0', B: v[1] - '0'}
	}
	for i := range d.Score {
		d.Score[i], _ = strconv.Atoi(f[ogScore+i])
	}
	length, _, _ := strings.Cut(f[ogLength], "G")
	d.Crawford = strings.HasSuffix(length, "C")
	d.Length, _ = strconv.Atoi(strings.TrimRight(length, "CL"))
	odd := ogidOdd(&f, d, offered)
	if offered && d.Owner == 1-d.OnRoll {
		d.OnRoll = d.Owner
		odd = append(odd, "OGID: who doubles does not own the cube: the other one doubles")
	}
	if d.Length == 0 {
		// The ID names no rules: those of money play are assumed.
		d.Jacoby, d.Beavers, d.Score = true, match.DefaultBeavers, [2]int{}
	}
	m, err := d.Match()
	if err != nil {
		return nil, nil, fmt.Errorf("OGID: %w", err)
	}
	if offered {
		m.Games[0].Actions = append(m.Games[0].Actions, record.Action{Kind: record.Double, Player: d.OnRoll})
	}
	if s, _ := Last(m, &m.Games[0]); s.Validate() != nil {
		return nil, nil, fmt.Errorf("OGID: %w", s.Validate())
	}
	return m, odd, nil
}

// apart finds a point whose checkers are named in two places: writers sort them, though
// not all of them alike.
func apart(text string) (rune, bool) {
	var before rune
	for i, c := range text {
		if c != before && strings.ContainsRune(text[:i], c) {
			return c, true
		}
		before = c
	}
	return 0, false
}

// ogidOdd lists what fields of an OGID do not say, or say against each other.
func ogidOdd(f *[ogFields]string, d record.Diagram, offered bool) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf("OGID: "+format, args...)) }
	each := board.MaxCheckers
	if n, _ := strconv.Atoi(f[ogCheckers]); n > 0 && n < each {
		each = n
	} else if f[ogCheckers] != "" && n != each {
		add("%s checkers a side", f[ogCheckers])
	}
	for i := range d.Boards {
		if n := d.Boards[i].Count(); n > each {
			add("%d checkers on a side of %d", n, each)
		}
		if c, apart := apart(f[i]); apart {
			add("the checkers on point %c do not stand together in %s", c, f[i])
		}
	}
	if each == board.MaxCheckers {
		for _, text := range d.Odd() {
			add("%s", text)
		}
	}
	said := strings.Join(f[ogCube+1:], "") != "" // more than a board
	if said && f[ogWho] == "" {
		add("it does not say who reached the position: White is to act")
	}
	if (f[ogScore] == "") != (f[ogScore+1] == "") || f[ogScore] == "" && d.Length > 1 {
		add("it does not say both scores: read as %d-%d", d.Score[0], d.Score[1])
	}
	if f[ogLength] == "" && d.Score != [2]int{} {
		add("scores, and no length of the match: read as money play")
	}
	switch state := f[ogState]; {
	case offered && f[ogDice] != "":
		add("a double with dice: the dice are left out")
	case state == "D" && !offered:
		add("the state says that a double is offered, the cube does not: no double is read")
	case offered && state != "D" && state != "":
		add("the cube says that a double is offered, the state %q does not: a double is read", state)
	case state == "R" && f[ogDice] == "":
		add("the state says that dice were rolled, but there are no dice")
	}
	away := [2]int{d.Length - d.Score[0], d.Length - d.Score[1]}
	if strings.HasSuffix(f[ogLength], "L") && away[0] != 1 && away[1] != 1 {
		add("the game after the Crawford game at %d-%d in a match of %d points", d.Score[0], d.Score[1], d.Length)
	}
	return out
}

// OGID writes a situation with the given player on roll: player 0 is White.
func OGID(s match.Situation, onRoll int) string {
	onRoll &= 1
	side := record.ByPlayer(s.Position, onRoll)
	const digits = "0123456789abcdefghijklmnopq"
	var checkers [2]string
	for i := range 25 {
		// Ascending in the one numbering: White from his bar, Black from his ace point.
		checkers[0] += strings.Repeat(digits[i:i+1], int(side[0][board.Bar-i]))
		checkers[1] += strings.Repeat(digits[i+1:i+2], int(side[1][i]))
	}
	name := map[int]string{record.NoPlayer: "N", 0: "W", 1: "B"}
	owner := name[s.State.Owner.Side(onRoll)]
	action, state, who, dice := "N", "C", name[1-onRoll], ""
	switch {
	case s.Doubled:
		action, state, who = "O", "D", name[onRoll]
	case s.Dice.Valid():
		d := s.Dice.Sorted()
		dice, state = fmt.Sprintf("%d%d", d.A, d.B), "R"
	}
	var score [2]int
	score[onRoll], score[1-onRoll] = s.State.Score[0], s.State.Score[1]
	length := strconv.Itoa(s.State.Length)
	if a, b := s.State.Away(); s.State.Length > 0 {
		if s.State.Crawford {
			length += "C"
		} else if a == 1 || b == 1 {
			length += "L"
		}
	}
	return fmt.Sprintf("OGID=%s:%s:%s%d%s:%s:%s:%s:%d:%d:%s:0", checkers[0], checkers[1], owner, bits.Len(uint(s.State.Cube))-1, action,
		dice, who, state, score[0], score[1], length)
}

// XGID writes a situation with the given player on roll; player 1 is XG's X, the
// upper-case side below.
func XGID(s match.Situation, onRoll int) string {
	if onRoll == 1 {
		return s.XGID()
	}
	return s.XGIDAbove()
}

// WriteXGID writes every decision of a match as an XGID a line; of a position alone,
// that. The error is w's.
func WriteXGID(w io.Writer, m *record.Match) error { return write(w, m, XGID, maxRedoubles) }

// maxRedoubles is how many redoubles after a double an XGID can name.
const maxRedoubles = 2

// WriteOGID writes every decision of a match as an OGID a line; of a position alone,
// that. The error is w's.
func WriteOGID(w io.Writer, m *record.Match) error { return write(w, m, OGID, 0) }

// write writes the decisions of a match; redoubles is how many after a double an ID can name.
func write(w io.Writer, m *record.Match, id func(match.Situation, int) string, redoubles int) error {
	if m == nil {
		return record.ErrNoMatch
	}
	out := bufio.NewWriter(w)
	for i := range m.Games {
		g := &m.Games[i]
		n, offer := 0, m.IsOffer()
		for t := range m.Turns(g) {
			s := match.Situation{Position: t.Position, State: t.State}
			who := t.Player
			switch t.Action.Kind {
			case record.Move:
				s.Dice = t.Action.Dice
			case record.Double:
				if t.Pending > 0 || offer {
					continue // a beaver is the answer to the position before it
				}
			case record.Take, record.Drop:
				if t.Pending < 1 || t.Pending > 1+redoubles {
					continue
				}
				if t.Pending%2 == 1 { // who answers a beaver has doubled first
					who, s.Position, s.State = 1-who, s.Position.Swap(), s.State.Swap()
				}
				s.Doubled, s.Redoubles = true, t.Pending-1
			default:
				continue
			}
			if s.State.Length == 0 {
				s.State.Score = [2]int{}
			}
			fmt.Fprintln(out, id(s, who))
			n++
		}
		if s, who := Last(m, g); n == 0 || s.Doubled && s.Redoubles <= redoubles {
			fmt.Fprintln(out, id(s, who))
		}
	}
	return out.Flush()
}
