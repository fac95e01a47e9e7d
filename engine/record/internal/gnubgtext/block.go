package gnubgtext

import (
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// block is the text below one "Move number", or one board without it.
type block struct {
	open   bool // nothing was done in it so far
	kind   record.Kind
	name   string
	dice   board.Dice
	player int // on roll by the Match ID, record.NoPlayer without
	id     string
	sit    *match.Situation
	line   int
	// The checkers, the score and the cube before the action, seen by the player on roll.
	before  board.Position
	state   match.State
	stateOf int
}

// move begins the block below a "Move number".
func (g *reader) move(number int, text string) {
	if g.at == note {
		g.annotation(false)
	}
	g.undone()
	g.analysed()
	switch {
	case g.Builder == nil:
		g.next(head{}, false)
	case number <= g.number:
		// The line above a game is lost: the score is in the Match ID.
		g.begin()
		h := g.head
		h.number, h.said = h.number+1, false
		g.next(h, true)
	}
	g.Line = g.Number
	if g.number > 0 && number > g.number+1 {
		g.Warn("move number %d follows number %d: the moves between them are missing from the file", number, g.number)
	}
	g.at, g.number = inBoard, max(number, 1)
	g.b = block{open: true, player: record.NoPlayer, line: g.Number}
	if m := toPlay.FindStringSubmatch(text); m != nil {
		g.b.kind, g.b.name, g.b.dice = record.Move, m[1], board.Dice{A: m[2][0] - '0', B: m[3][0] - '0'}
	} else if m := doublesTo.FindStringSubmatch(text); m != nil {
		g.b.kind, g.b.name = record.Take, m[1]
	} else if m := onRoll.FindStringSubmatch(text); m != nil {
		g.b.kind, g.b.name = record.Double, m[1]
	} else {
		g.Warn("cannot read %.60q", text)
		g.b.kind, g.b.name = record.Double, ""
	}
}

// drawn begins a board. One without a "Move number" above it is a position of its own.
func (g *reader) drawn(id string) {
	switch {
	case g.at == inBoard && g.b.id == "" && !g.bare():
	case g.Builder == nil || g.bare():
		g.next(head{}, false)
		g.at = inBoard
		g.b = block{open: true, player: record.NoPlayer, kind: record.Double, line: g.Number}
	default:
		return // drawn once more
	}
	g.b.id = id
}

// bare reports whether the current match is a board that was drawn alone.
func (g *reader) bare() bool { return !g.head.said && g.number == 0 }

// board reads a line of a block before anything was done.
func (g *reader) board(text string) {
	if m := matchLine.FindStringSubmatch(text); m != nil && g.b.sit == nil && g.b.id != "" {
		g.situation(m[1])
		return
	}
	if m := nameLine.FindStringSubmatch(text); m != nil {
		if p := strings.Index("OX", m[1]); !g.named[p] {
			g.named[p] = true
			g.Match.Players[p].Name = nameCube.ReplaceAllString(m[2], "")
		}
		return
	}
	if strings.HasPrefix(text, "* ") {
		g.act(text)
	} else if m := winsLine.FindStringSubmatch(text); m != nil && g.player(m[1]) >= 0 && !g.bare() {
		g.undone()
		g.wins(m)
	}
}

// situation reads the Position ID and Match ID of a block.
func (g *reader) situation(id string) {
	p, known := match.MatchIDPlayer(id)
	if !known {
		g.Warn("cannot read the Match ID %.20q", id)
		return
	}
	g.b.player = p
	sit, err := match.ParseSituation(g.b.id + ":" + id)
	switch {
	case err == nil:
		g.b.sit = &sit
	case g.b.kind != record.Take:
		// That of a beaver names an owner who may not double.
		g.Warn("%v", err)
	}
}

// begin begins the game that the file is at, with what its first board says.
func (g *reader) begin() {
	if g.Builder == nil || !g.waits {
		return
	}
	g.waits = false
	s, h, sit, p := g.Builder, &g.head, g.b.sit, g.b.player
	first := len(s.Match.Games) == 0 && s.Current() == nil
	if sit != nil {
		h.score[p], h.score[1-p], h.crawford = sit.State.Score[0], sit.State.Score[1], sit.State.Crawford
		if first {
			h.length = sit.State.Length
			g.rules(h.length)
			if s.Match.Length == 0 {
				s.Match.Rules.Jacoby = sit.State.Jacoby
			}
			s.Match.Rules.Variation = variation(sit.Position)
		}
	}
	s.CrawfordSaid = s.CrawfordSaid || sit != nil || h.said
	if first && !h.said && g.bare() {
		s.CrawfordSaid = true
	}
	s.Game(h.score)
	now := s.Current()
	now.Number, now.Crawford = h.number, h.crawford && s.Match.Length > 0
	if sit != nil && sit.Position == s.Match.Rules.Variation.Start() && sit.State.Owner == match.Centred && sit.State.Cube > 1 && g.b.kind != record.Take {
		now.Cube = sit.State.Cube // automatic doubles
		s.Restart()
	}
}

// variation is the game that begins with a position: backgammon where none does.
func variation(p board.Position) record.Variation {
	for _, g := range record.Variations {
		if p == g.Start() {
			return g.Variation
		}
	}
	return record.Backgammon
}

// sync makes the game stand as the board of the block does.
func (g *reader) sync() {
	s, sit, p := g.Builder, g.b.sit, g.b.player
	if sit == nil || s.Pending() {
		return
	}
	var set []record.Setup
	if s.Position(p) != sit.Position {
		set = append(set, record.Setup{Board: record.ByPlayer(sit.Position, p)})
	}
	st := s.State(p)
	if st.Cube != sit.State.Cube {
		set = append(set, record.Setup{Cube: sit.State.Cube})
	}
	if st.Owner != sit.State.Owner {
		set = append(set, record.Setup{Owner: sit.State.Owner.Side(p), SetOwner: true})
	}
	if len(set) > 0 && s.Last() != nil {
		line := s.Line
		s.Line = g.b.line
		s.Warn("the board drawn here does not follow from the plays: read as a set-up")
		s.Line = line
	}
	for i := range set {
		// As gnubg itself sets up: the board with who is on roll, the cube without.
		who := p
		if set[i].Board == nil && (i > 0 || s.Last() != nil) {
			who = record.NoPlayer
		}
		s.SetUp(who, set[i])
	}
}

// ready begins the game, sets it up, and returns who is on roll in the block.
func (g *reader) ready() (player int) {
	g.begin()
	if g.Over() {
		return 0
	}
	g.sync()
	switch {
	case g.b.player >= 0:
		return g.b.player
	case g.player(g.b.name) >= 0:
		return g.player(g.b.name)
	}
	return max(g.OnRoll(), 0)
}

// act reads the action: a line that begins with a star.
func (g *reader) act(text string) {
	m := action.FindStringSubmatch(text)
	if m == nil {
		if len(text) > 2 && text[2] != ' ' {
			g.Warn("cannot read %.60q", text)
		}
		return
	}
	player := g.ready()
	g.b.open, g.at = false, done
	s := g.Builder
	if s.Over() {
		s.Warn("the game is over: left out %.60q", text)
		g.at = outside
		return
	}
	g.b.before, g.b.state, g.b.stateOf = s.Position(player), s.State(player), player
	switch m[2] {
	case "moves", "cannot move":
		switch {
		case !g.b.dice.Valid():
			s.Warn("a play without its dice: left out %.60q", text)
		case m[2] == "moves" && m[3] != "":
			s.Move(player, g.b.dice, m[3])
		default:
			s.Stay(player, g.b.dice)
		}
	case "doubles", "redoubles", "beavers":
		if s.Pending() {
			answers := s.OnRoll()
			if s.Match.Length > 0 || g.player(m[1]) == 1-answers {
				return // a double that waits for its answer stands there twice
			}
			player = answers
		}
		s.Double(player)
	default:
		if !s.Pending() && g.b.kind == record.Take {
			s.Double(player) // its block is not in the file
		}
		if who := s.OnRoll(); s.Pending() && who >= 0 {
			player = who
		}
		if m[2] == "rejects" || m[2] == "passes" {
			s.Drop(player)
		} else {
			s.Take(player)
		}
	}
}

// undone writes the block that ends without anything done in it: a roll that was not
// played, a double that was not answered, a position.
func (g *reader) undone() {
	if g.at != inBoard || !g.b.open {
		return
	}
	g.b.open = false
	if g.Builder == nil || g.b.sit == nil && g.bare() {
		return
	}
	player := g.ready()
	if g.Over() {
		return
	}
	switch d, sit := g.b.dice, g.b.sit; {
	case g.b.kind == record.Take:
		if !g.Pending() {
			g.Double(player)
		}
	case d.Valid():
		g.Roll(player, d)
	case sit == nil:
	case sit.Dice.Valid():
		g.Roll(player, sit.Dice)
	case sit.Doubled && !g.Pending():
		g.Double(player)
	case g.Last() == nil:
		// The position that every game begins with, with who is on roll.
		g.SetUp(player, record.Setup{Board: record.ByPlayer(sit.Position, player)})
	}
}

// below reads a line after the action.
func (g *reader) below(text string) {
	if text == "Annotation:" {
		g.analysed()
		g.at = note
	} else if m := winsLine.FindStringSubmatch(text); m != nil && g.player(m[1]) >= 0 {
		g.analysed()
		g.at = outside
		g.wins(m)
	} else {
		g.ana.read(text)
	}
}

// number reads a number with a sign and a point that a pattern has checked.
func number(text string) float64 {
	v, _ := strconv.ParseFloat(text, 64)
	return v
}
