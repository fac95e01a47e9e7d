package sgf

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// Limits on the size of a match: far beyond any played, near enough to keep a
// hostile file from filling the memory.
const (
	maxGames    = 10_000
	maxActions  = 10_000 // of one game
	maxTotal    = 1_000_000
	maxWarnings = 1000
)

// Read reads a match. An error is a *record.SyntaxError with line and column or
// an error of r. What could be read with doubts comes as warnings.
func Read(r io.Reader) (*record.Match, []record.Warning, error) {
	return readAtMost(r, maxInput)
}

// ReadFile reads the match in the file at path as Read does. Every error names the
// file; one that there is none wraps fs.ErrNotExist.
func ReadFile(path string) (*record.Match, []record.Warning, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	m, warnings, err := Read(f)
	return m, warnings, record.InFile(path, err)
}

func readAtMost(r io.Reader, limit int) (*record.Match, []record.Warning, error) {
	all, ws, err := readSeveral(r, limit)
	if err != nil {
		return nil, ws, err
	}
	if len(all) > 1 {
		ws = append(ws, record.Warning{Text: strconv.Itoa(len(all)) + " matches in the file: this is the first"})
	}
	return all[0], ws, nil
}

// ReadAll reads every match of a file, at least one: games of other players, of
// another length, or that begin anew belong to another match.
func ReadAll(r io.Reader) ([]*record.Match, []record.Warning, error) { return readSeveral(r, maxInput) }

func readSeveral(r io.Reader, limit int) ([]*record.Match, []record.Warning, error) {
	rd := reader{lex: newLexer(r, limit), m: &record.Match{}}
	for {
		n, err := rd.lex.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, rd.warnings, err
		}
		if err := rd.node(n); err != nil {
			return nil, rd.warnings, err
		}
	}
	rd.endMatch()
	if len(rd.matches) == 0 {
		return nil, rd.warnings, &record.SyntaxError{Line: 1, Column: 1, Problem: "no game of backgammon in the file: no tree has GM[6]"}
	}
	return rd.matches, rd.warnings, nil
}

// endMatch closes the match that is being read, if it has games.
func (r *reader) endMatch() {
	r.endGame()
	if len(r.m.Games) == 0 {
		return
	}
	r.matches = append(r.matches, r.m)
	r.games += len(r.m.Games)
	for _, w := range r.m.Settle() {
		if len(r.warnings) < maxWarnings {
			r.warnings = append(r.warnings, w)
		}
	}
	r.m = &record.Match{}
}

// another tells whether a root begins another match than the running one.
func (r *reader) another(n *node) bool {
	m := r.m
	if len(m.Games) == 0 {
		return false
	}
	length, number, score := 0, -1, 0
	for _, v := range n.get("MI") {
		key, text, _ := strings.Cut(v, ":")
		i, _ := strconv.Atoi(strings.TrimSpace(text))
		switch strings.TrimSpace(key) {
		case "length":
			length = i
		case "game":
			number = i
		case "ws", "bs":
			score += i
		}
	}
	white, _ := n.one("PW")
	black, _ := n.one("PB")
	players := white == m.Players[0].Name && black == m.Players[1].Name
	fresh := number == 0 && score == 0
	return fresh || number < 0 && length == 0 && m.Length > 0 || !players && (length != m.Length || fresh)
}

type reader struct {
	lex      *lexer
	matches  []*record.Match // that are read
	games    int             // of those
	m        *record.Match
	g        *record.Game
	replay   *record.Replay
	total    int
	warnings []record.Warning
}

func (r *reader) warn(n *node, format string, args ...any) {
	if len(r.warnings) < maxWarnings {
		r.warnings = append(r.warnings, record.Warning{Line: n.line, Column: n.column, Text: fmt.Sprintf(format, args...)})
	}
}

func (r *reader) endGame() {
	if r.g != nil {
		r.m.Games = append(r.m.Games, *r.g)
		r.g, r.replay = nil, nil
	}
}

func (r *reader) node(n *node) error {
	if n.first {
		r.endGame()
		if v, _ := n.one("GM"); strings.TrimSpace(v) != "6" {
			return nil
		}
		if r.another(n) {
			r.endMatch()
		}
		if r.games+len(r.m.Games) >= maxGames {
			return r.lex.errorf("more than %d games", maxGames)
		}
		r.root(n)
	}
	if r.g == nil {
		return nil // another game than backgammon
	}
	if err := r.action(n); err != nil {
		return err
	}
	if len(r.g.Actions) > maxActions {
		return r.lex.errorf("more than %d actions in a game", maxActions)
	}
	if r.total++; r.total > maxTotal {
		return r.lex.errorf("more than %d nodes", maxTotal)
	}
	return nil
}

// root reads the properties of a game's first node.
func (r *reader) root(n *node) {
	m := r.m
	r.g = &record.Game{Number: len(m.Games), Cube: 1}
	r.replay = record.NewReplay(m, r.g)
	begin := len(m.Games) == 0
	length := 0
	for _, v := range n.get("MI") {
		key, text, ok := strings.Cut(v, ":")
		number, err := strconv.Atoi(strings.TrimSpace(text))
		if !ok || err != nil || number < 0 || number > 1<<20 {
			r.warn(n, "match information %q", clip(v))
			continue
		}
		switch strings.TrimSpace(key) {
		case "length":
			length = number
		case "game":
			r.g.Number = number
		case "ws":
			r.g.Score[0] = number
		case "bs":
			r.g.Score[1] = number
		}
	}
	set := func(name string, to *string) {
		if v, ok := n.one(name); ok {
			*to = v
		}
	}
	var names [2]string
	set("PW", &names[0])
	set("PB", &names[1])
	if begin {
		m.Length = length
		m.Players[0].Name, m.Players[1].Name = names[0], names[1]
		set("WR", &m.Players[0].Rating)
		set("BR", &m.Players[1].Rating)
		set("DT", &m.Date)
		set("EV", &m.Event)
		set("RO", &m.Round)
		set("PC", &m.Place)
		set("AN", &m.Annotator)
		set("GC", &m.Comment)
		set(timeProperty, &m.Time)
	} else {
		if length != m.Length {
			r.warn(n, "this game belongs to a match of %d points, the first to one of %d", length, m.Length)
		}
		if names[0] != m.Players[0].Name || names[1] != m.Players[1].Name {
			r.warn(n, "this game is between %q and %q", clip(names[0]), clip(names[1]))
		}
	}
	r.g.Other = n.unknown()
	r.rules(n, begin)
	if v, ok := n.one("CV"); ok {
		if c, err := strconv.Atoi(v); err == nil && powerOfTwo(c) {
			r.g.Cube = c
		} else {
			r.warn(n, "cube %q", clip(v))
		}
		r.replay = record.NewReplay(m, r.g)
	}
	if v, ok := n.one("RE"); ok {
		r.result(n, v)
	}
	if gs := n.get("GS"); gs != nil {
		s, err := parseStatistics(gs)
		if err != nil {
			r.warn(n, "%v", err)
		} else {
			r.g.Statistics = s
		}
	}
}

func powerOfTwo(n int) bool { return n > 0 && n <= 1<<15 && n&(n-1) == 0 }

// clip keeps quoted file content in messages short.
func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "..."
	}
	return s
}

func (r *reader) rules(n *node, begin bool) {
	v, _ := n.one("RU")
	for rule := range strings.SplitSeq(v, ":") {
		rules := &r.m.Rules
		switch rule {
		case "CrawfordGame":
			r.g.Crawford = true
			continue
		case "":
			continue
		}
		if !begin {
			continue
		}
		switch rule {
		case "NoCube":
			rules.NoCube = true
		case "Crawford":
			rules.Crawford = true
		case "Jacoby":
			rules.Jacoby = true
		case "Nackgammon", "Hypergammon1", "Hypergammon2", "Hypergammon3", "Longgammon":
			rules.Variation = record.Variation(rule)
		case dropRule:
			rules.Drops = match.DropByPosition
		default:
			r.warn(n, "rule %q", clip(rule))
		}
	}
	if begin {
		if r.m.Length == 0 {
			r.m.Rules.Beavers = 3
		}
		r.replay = record.NewReplay(r.m, r.g)
	}
}

func (r *reader) result(n *node, v string) {
	winner := -1
	text, resigned := strings.CutSuffix(strings.TrimSpace(v), "R")
	switch {
	case strings.HasPrefix(text, "W+"):
		winner = 0
	case strings.HasPrefix(text, "B+"):
		winner = 1
	}
	if winner < 0 {
		if text != "" && text != "Void" && text != "?" {
			r.warn(n, "result %q", clip(v))
		}
		return
	}
	points, err := strconv.Atoi(text[2:])
	if err != nil || points < 1 || points > 1<<20 {
		r.warn(n, "result %q", clip(v))
		return
	}
	r.g.Result = record.Result{Winner: winner, Points: points, Resigned: resigned}
}

// action reads a node's move, cube action or set-up and what was said about it.
func (r *reader) action(n *node) error {
	var a *record.Action
	for i := range n.props {
		p := &n.props[i]
		if (p.name == "W" || p.name == "B") && len(p.values) > 0 {
			a = r.play(n, p.name, p.values[0])
			break
		}
	}
	if a == nil && !n.first || n.get("AE") != nil || n.get("AW") != nil || n.get("AB") != nil || n.get("DI") != nil {
		if s := r.setUp(n); s != nil {
			if a != nil {
				r.g.Actions = append(r.g.Actions, *s)
			} else {
				a = s
			}
		}
	}
	comment, commented := n.one("C")
	if a == nil {
		if commented {
			r.remark(comment)
		}
		if !n.first {
			r.keep(n.unknown())
		}
		return nil
	}
	a.Comment = comment
	if !n.first {
		a.Other = n.unknown()
	}
	r.marks(n, a)
	r.analysis(n, a)
	r.g.Actions = append(r.g.Actions, *a)
	return nil
}

// remark takes the comment of a node without an action: of the game, or of the action
// before it.
func (r *reader) remark(text string) {
	to := &r.g.Comment
	if k := len(r.g.Actions); k > 0 {
		to = &r.g.Actions[k-1].Comment
	}
	if *to != "" {
		text = *to + "\n" + text
	}
	if len(text) <= maxNode {
		*to = text
	}
}

// keep puts properties of a node without an action at the last action of the game.
func (r *reader) keep(other []record.Property) {
	to := &r.g.Other
	if k := len(r.g.Actions); k > 0 {
		to = &r.g.Actions[k-1].Other
	}
	if len(*to)+len(other) <= maxOther {
		*to = append(*to, other...)
	}
}

// maxOther bounds the unknown properties of a node.
const maxOther = 1000

// known are the properties that are read and written as parts of a record; what a
// program says of itself (AP, CA, ST) is not handed on.
var known = map[string]bool{
	"FF": true, "GM": true, "CA": true, "AP": true, "ST": true, "MI": true, "PW": true, "PB": true, "WR": true, "BR": true, "DT": true, "EV": true,
	"RO": true, "PC": true, "AN": true, "GC": true, "RU": true, "CV": true, "RE": true, "GS": true, "C": true, "W": true, "B": true,
	"PL": true, "CP": true, "AE": true, "AW": true, "AB": true, "DI": true, "BM": true, "DO": true, "BC": true, "DC": true,
	"GW": true, "GB": true, "DA": true, "A": true, "MR": true, "CR": true, "LU": true, levelProperty: true, statedProperty: true, timeProperty: true,
}

// unknown returns the properties of a node that mean nothing here.
func (n *node) unknown() []record.Property {
	var out []record.Property
	for i := range n.props {
		if p := &n.props[i]; !known[p.name] && len(p.values) > 0 && len(out) < maxOther {
			out = append(out, record.Property{Name: p.name, Values: p.values})
		}
	}
	return out
}

// play reads the value of a W or B property.
func (r *reader) play(n *node, colour, v string) *record.Action {
	a := &record.Action{}
	if colour == "B" {
		a.Player = 1
	}
	switch text := strings.TrimSpace(v); text {
	case "double":
		a.Kind = record.Double
	case "take":
		a.Kind = record.Take
	case "drop":
		a.Kind = record.Drop
	default:
		a.Kind = record.Move
		d, steps, err := parseMove(a.Player, text)
		a.Dice = d
		if err != nil {
			r.warn(n, "%v", err)
			a.Raw = clip(text)
			return a
		}
		a.Steps = steps
	}
	return a
}

var errMove = errors.New("not a move")

// parseMove reads dice and pairs of letters.
func parseMove(player int, text string) (board.Dice, []board.Step, error) {
	if len(text) < 2 {
		return board.Dice{}, nil, fmt.Errorf("%w: %q", errMove, clip(text))
	}
	d := board.Dice{A: text[0] - '0', B: text[1] - '0'}
	if !d.Valid() {
		return board.Dice{}, nil, fmt.Errorf("%w: dice of %q", errMove, clip(text))
	}
	steps, err := parseSteps(player, text[2:])
	return d, steps, err
}

// parseSteps reads pairs of letters for the given player.
func parseSteps(player int, text string) ([]board.Step, error) {
	if len(text)%2 != 0 || len(text) > 8 {
		return nil, fmt.Errorf("%w: %q is not up to four pairs of letters", errMove, clip(text))
	}
	var steps []board.Step
	for i := 0; i < len(text); i += 2 {
		from, ok1 := point(player, text[i])
		to, ok2 := point(player, text[i+1])
		if !ok1 || !ok2 || from == board.Off || to == board.Bar || to >= from {
			return nil, fmt.Errorf("%w: %q", errMove, clip(text))
		}
		steps = append(steps, board.Step{From: from, To: to})
	}
	return steps, nil
}

// point turns a letter into the player's own index.
func point(player int, c byte) (int8, bool) {
	switch {
	case c == 'y':
		return board.Bar, true
	case c == 'z':
		return board.Off, true
	case c < 'a' || c > 'x':
		return 0, false
	case player == 1:
		return int8('x' - c), true
	}
	return int8(c - 'a'), true
}

// letter is the reverse of point.
func letter(player int, i int8) byte {
	switch {
	case i == board.Bar:
		return 'y'
	case i < 0:
		return 'z'
	case player == 1:
		return byte('x' - i)
	}
	return byte('a' + i)
}

// setUp reads the editing properties of a node, nil when it has none.
func (r *reader) setUp(n *node) *record.Action {
	a := &record.Action{Kind: record.SetUp, Player: record.NoPlayer}
	s := &record.Setup{}
	found := false
	if v, ok := n.one("PL"); ok {
		found = true
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "w", "white":
			a.Player = 0
		case "b", "black":
			a.Player = 1
		default:
			r.warn(n, "player on roll %q", clip(v))
		}
	}
	if v, ok := n.one("CV"); ok && !n.first {
		found = true
		if c, err := strconv.Atoi(v); err == nil && powerOfTwo(c) {
			s.Cube = c
		} else {
			r.warn(n, "cube %q", clip(v))
		}
	}
	if v, ok := n.one("CP"); ok {
		found = true
		s.SetOwner = true
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "c":
			s.Owner = record.NoPlayer
		case "w":
			s.Owner = 0
		case "b":
			s.Owner = 1
		default:
			s.SetOwner = false
			r.warn(n, "cube owner %q", clip(v))
		}
	}
	if n.get("AE") != nil || n.get("AW") != nil || n.get("AB") != nil {
		found = true
		r.board(n, s)
	}
	if v, ok := n.one("DI"); ok {
		if len(v) == 2 {
			a.Dice = board.Dice{A: v[0] - '0', B: v[1] - '0'}
		}
		switch {
		case !a.Dice.Valid():
			a.Dice = board.Dice{}
			r.warn(n, "dice %q", clip(v))
		case s.Board == nil && s.Cube == 0 && !s.SetOwner:
			a.Kind = record.Roll
			a.Player = max(a.Player, 0)
			return a
		}
		found = true
	}
	if !found {
		return nil
	}
	a.SetUp = s
	return a
}

// board carries out AE, AW and AB on the position reached so far.
func (r *reader) board(n *node, s *record.Setup) {
	for {
		if _, ok := r.replay.Next(); !ok {
			break
		}
	}
	p := r.replay.Position(0)
	b := [2]board.Checkers{p.Me, p.Opp}
	each := func(name string, do func(c byte)) {
		for _, v := range n.get(name) {
			from, to, isRange := strings.Cut(v, ":")
			if !isRange {
				to = from
			}
			if len(from) != 1 || len(to) != 1 || from[0] < 'a' || to[0] > 'y' || from[0] > to[0] {
				r.warn(n, "points %q", clip(v))
				continue
			}
			for c := from[0]; c <= to[0]; c++ {
				do(c)
			}
		}
	}
	each("AE", func(c byte) {
		for player := range 2 {
			i, _ := point(player, c)
			b[player][i] = 0
		}
	})
	for player, name := range []string{"AW", "AB"} {
		each(name, func(c byte) {
			i, _ := point(player, c)
			if b[player].Count() < board.MaxCheckers {
				b[player][i]++
			} else {
				r.warn(n, "more than %d checkers", board.MaxCheckers)
			}
		})
	}
	s.Board = &b
}
