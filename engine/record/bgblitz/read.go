package bgblitz

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/charset"
	"fibsbot/engine/record/internal/matchbuilder"
)

// maxFile bounds a file, packed and unpacked.
const maxFile = 64 << 20

// Is reports whether a file begins with the line of JSON of BGBlitz files.
func Is(head []byte) bool {
	line, rest, ok := bytes.Cut(head, []byte("\n"))
	if !ok || len(line) < 2 || line[0] != '{' || len(line) > 4096 || len(rest) == 0 {
		return false
	}
	return bytes.Contains(line, []byte(`"BGF"`)) || bytes.Contains(line, []byte(`"version"`)) && bytes.Contains(line, []byte(`"compress`))
}

func bad(format string, args ...any) error {
	return &record.SyntaxError{Line: 2, Column: 1, Problem: "BGBlitz: " + fmt.Sprintf(format, args...)}
}

// Read reads a match. Errors are *record.SyntaxError or of r.
func Read(r io.Reader) (*record.Match, []record.Warning, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, nil, err
	}
	if len(b) > maxFile {
		return nil, nil, bad("longer than %d megabytes", maxFile>>20)
	}
	_, body, ok := bytes.Cut(b, []byte("\n"))
	if !ok {
		return nil, nil, bad("nothing behind the first line")
	}
	if body, err = unpack(body); err != nil {
		return nil, nil, bad("%v", err)
	}
	var doc any
	if bytes.HasPrefix(body, []byte(":)\n")) {
		doc, err = decodeSmile(body)
	} else {
		err = json.Unmarshal(body, &doc)
	}
	if err != nil {
		return nil, nil, bad("damaged, cut or encrypted: %v", err)
	}
	m, ok := doc.(map[string]any)
	if !ok {
		return nil, nil, bad("no match in the file")
	}
	rd := reader{s: matchbuilder.New()}
	rd.match(object(m))
	if err = rd.s.Err(); err == nil && rd.s.Empty() {
		err = bad("no game in the file")
	}
	if err != nil {
		return nil, rd.s.Warnings, err
	}
	out, ws := rd.s.Finish()
	return out, ws, nil
}

// unpack takes off what the bytes, not the first line, say they are packed with.
func unpack(b []byte) ([]byte, error) {
	var z io.Reader
	var err error
	switch {
	case bytes.HasPrefix(b, []byte{0x1f, 0x8b}):
		z, err = gzip.NewReader(bytes.NewReader(b))
	case len(b) > 1 && b[0] == 0x78 && (b[1] == 0x01 || b[1] == 0x9c || b[1] == 0xda):
		z, err = zlib.NewReader(bytes.NewReader(b))
	default:
		return b, nil
	}
	if err != nil {
		return nil, err
	}
	out, err := io.ReadAll(io.LimitReader(z, maxFile+1))
	if err == nil && len(out) > maxFile {
		err = fmt.Errorf("longer than %d megabytes unpacked", maxFile>>20)
	}
	return out, err
}

// object is a JSON object whose numbers may be strings.
type object map[string]any

func (o object) num(key string) float64 { v, _ := number(o[key]); return v }
func (o object) int(key string) int     { return int(o.num(key)) }
func (o object) text(key string) string { s, _ := o[key].(string); return charset.OneLine(s) }
func (o object) obj(key string) object  { m, _ := o[key].(map[string]any); return m }
func (o object) list(key string) []any  { l, _ := o[key].([]any); return l }

func (o object) flag(key string) bool {
	switch v := o[key].(type) {
	case bool:
		return v
	case string:
		return strings.EqualFold(v, "true")
	}
	return o.num(key) != 0
}

func number(v any) (float64, bool) {
	f, ok := v.(float64)
	if s, isText := v.(string); isText {
		n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		f, ok = n, err == nil
	}
	if math.IsNaN(f) || math.Abs(f) > 1e9 {
		return 0, false
	}
	return f, ok
}

type reader struct {
	s       *matchbuilder.Builder
	doubled bool // the next record answers the double before it
	rolled  bool // the game has its first roll, before which no one doubles
}

func (r *reader) match(o object) {
	if inner := o.obj("match"); inner != nil && o["games"] == nil {
		o = inner
	}
	m := r.s.Match
	m.Players[0].Name, m.Players[1].Name = o.text("nameGreen"), o.text("nameRed")
	m.Event, m.Place = o.text("event"), o.text("site")
	m.Length = min(max(o.int("matchlen"), 0), 1<<15)
	if d := strings.ReplaceAll(o.text("date"), ".", "-"); len(d) == 10 && d[4] == '-' && d[7] == '-' {
		m.Date = d
	}
	_, cube := o["useCube"]
	m.Rules.NoCube = cube && !o.flag("useCube")
	m.Rules.Crawford = m.Length > 0 && o.flag("useCrawford")
	if m.Length == 0 {
		m.Rules.Jacoby, r.s.JacobySaid = o.flag("useJacoby"), true
		if o.flag("useBeaver") {
			m.Rules.Beavers = 3
		}
	}
	if n := o.int("cubeLimit"); n > 1 && n <= 1<<15 {
		m.Rules.CubeLimit = n
	}
	games := o.list("games")
	final := [2]int{o.int("finalGreen"), o.int("finalRed")}
	for i, v := range games {
		g, _ := v.(map[string]any)
		next := final
		if i+1 < len(games) {
			n, _ := games[i+1].(map[string]any)
			next = [2]int{object(n).int("scoreGreen"), object(n).int("scoreRed")}
		}
		if r.game(object(g), next); r.s.Err() != nil {
			return
		}
	}
}

func (r *reader) game(o object, next [2]int) {
	score := [2]int{max(o.int("scoreGreen"), 0), max(o.int("scoreRed"), 0)}
	r.s.Game(score)
	r.s.Current().Crawford = o.flag("isCrawford") && r.s.Match.Length > 0
	r.doubled, r.rolled = false, false
	r.initial(o.obj("initial"))
	moves := o.list("moves")
	if len(moves) == 0 {
		r.s.Warn("game %d has no moves in the file", len(r.s.Match.Games)+1)
	}
	for i, v := range moves {
		m, ok := v.(map[string]any)
		if !ok {
			r.odd(i, "no move")
			continue
		}
		if r.move(object(m), i, i == len(moves)-1); r.s.Err() != nil {
			return
		}
	}
	// The winner is not stored; the scores tell.
	points := max(o.int("wonPoints"), 0)
	if _, said := o["wasResignation"]; said && points > 0 && !o.flag("wasResignation") && !o.flag("wasForfeit") && !r.s.Over() {
		r.s.Warn("game %d was played to its end, but its last moves are not in the file", len(r.s.Match.Games)+1)
	}
	switch {
	case next[0] > score[0] && next[1] <= score[1]:
		r.s.End(record.Statement{Trust: record.Worded, Winner: 0, Points: points})
	case next[1] > score[1] && next[0] <= score[0]:
		r.s.End(record.Statement{Trust: record.Worded, Winner: 1, Points: points})
	}
}

// initial sets up where a game began: 24 points from Green's 24, Green's checkers
// positive, then the bars.
func (r *reader) initial(o object) {
	points := o.list("points")
	if len(points) < 24 {
		return
	}
	var b [2]board.Checkers
	for i, v := range points[:min(len(points), 26)] {
		f, _ := number(v)
		n := int(f)
		if n < -board.MaxCheckers || n > board.MaxCheckers {
			r.s.Warn("%d checkers on a point", n)
			return
		}
		switch {
		case i == 24:
			b[0][board.Bar] = uint8(max(n, -n))
		case i == 25:
			b[1][board.Bar] = uint8(max(n, -n))
		case n > 0:
			b[0][23-i] = uint8(n)
		case n < 0:
			b[1][i] = uint8(-n)
		}
	}
	var e record.Setup
	if start := r.s.Match.Rules.Variation.Start(); b != [2]board.Checkers{start.Me, start.Opp} {
		e.Board = &b
	}
	if n := o.int("cube"); n > 1 && n <= 1<<15 && n&(n-1) == 0 {
		e.Cube, e.SetOwner, e.Owner = n, true, record.NoPlayer
		switch o.int("cubeOwner") {
		case -1:
			e.Owner = 0
		case 1:
			e.Owner = 1
		}
	}
	if e != (record.Setup{}) {
		r.s.SetUp(record.NoPlayer, e)
	}
}

// move reads a record: a roll and its play, a double, or the answer to one.
// last tells that it is the last of its game.
func (r *reader) move(o object, i int, last bool) {
	player := 0
	if o.int("player") > 0 {
		player = 1
	}
	from, to := o.list("from"), o.list("to")
	first := -1.0
	if len(from) > 0 {
		first, _ = number(from[0])
	}
	d := board.Dice{A: uint8(o.int("red")), B: uint8(o.int("green"))}
	_, dances := o["dancingEquity"]
	if r.doubled {
		r.doubled = false
		if first < 0 && !d.Valid() && !dances {
			return // the double has it
		}
		r.odd(i, "the answer to a double is missing")
	}
	switch decision := o.obj("equity").obj("cubeDecision"); {
	case first < 0 && decision.flag("hasDoubled"):
		r.double(o, player)
		return
	case dances && !d.Valid() && len(to) > 0:
		b, _ := number(to[0])
		d = board.Dice{A: uint8(first), B: uint8(b)}
	case first < 0 && !d.Valid():
		if !last { // the empty record at the end
			r.odd(i, "nothing was done")
		}
		return
	}
	if !d.Valid() {
		r.odd(i, fmt.Sprintf("dice %d and %d", d.A, d.B))
		return
	}
	text := ""
	if !dances {
		text = points(from, to)
	}
	before, state := r.s.Position(player), r.s.State(player)
	r.s.Move(player, d, text)
	a := r.s.Last()
	if state.MayDouble() && r.rolled {
		r.judgeCube(a, o, state)
	}
	r.rolled = true
	r.judgeMove(a, o, before, d)
	r.comment(o)
}

// odd warns about a record of the current game.
func (r *reader) odd(i int, what string) {
	r.s.Warn("game %d, record %d: %s", len(r.s.Match.Games)+1, i+1, what)
}

// double reads a double with its answer and the analysis of both.
func (r *reader) double(o object, player int) {
	state := r.s.State(player)
	at := len(r.s.Current().Actions)
	r.s.Double(player)
	r.doubled = true
	if o.obj("equity").obj("cubeDecision").flag("hasAccepted") {
		r.s.Take(1 - player)
	} else {
		r.s.Drop(1 - player)
	}
	for i := range r.s.Current().Actions[at:] {
		r.judgeCube(&r.s.Current().Actions[at+i], o, state)
	}
	r.comment(o)
}

// comment keeps what was written about a record.
func (r *reader) comment(o object) {
	if c, _ := o["comment"].(string); c != "" {
		r.s.Comment(strings.TrimSpace(c))
	}
}
