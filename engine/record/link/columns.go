package link

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// Bounds of lists: of the games of a match and of the actions in all of them, four times as many as the longest match has.
const (
	maxGames   = 1000
	maxActions = 20_000
)

// settings are how a list of plays or a cube decision was evaluated.
type settings = record.Settings

// head is what is written of a match once.
type head struct {
	Match    record.Match
	Settings []settings
}

// pack returns the columns of m, in parts of like values.
func pack(m *record.Match) ([][]byte, error) {
	s := &stream{}
	s.plan(m)
	h := head{Match: *m}
	h.Match.Games, h.Match.Other, h.Match.Tags = nil, nil, nil
	games := m.Games
	s.match(&games)
	h.Settings = s.settings
	text, err := json.Marshal(&h)
	if err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	out := binary.AppendUvarint(nil, uint64(len(text)))
	for _, c := range s.cols {
		out = binary.AppendUvarint(out, uint64(len(c)))
	}
	parts := [][]byte{append(out, text...)}
	for _, c := range [][2]column{{texts, dice}, {dice, points}, {points, betterPips}, {betterPips, numColumns}} {
		parts = append(parts, slices.Concat(s.cols[c[0]:c[1]]...))
	}
	return parts, nil
}

func unpack(data []byte, m *record.Match) error {
	var sizes [1 + numColumns]int
	left := data
	for i := range sizes {
		x, n := binary.Uvarint(left)
		if n <= 0 || x > maxColumns || i == 0 && x > maxHead {
			return errColumns
		}
		sizes[i], left = int(x), left[n:]
	}
	take := func(n int) (out []byte) {
		if n > len(left) {
			return nil
		}
		out, left = left[:n], left[n:]
		return out
	}
	var h head
	if err := json.Unmarshal(take(sizes[0]), &h); err != nil {
		return errColumns
	}
	s := &stream{reading: true, settings: h.Settings}
	s.plan(&h.Match)
	for c := range s.cols {
		s.cols[c] = take(sizes[c+1])
	}
	if err := check(&h.Match); err != nil {
		return err
	}
	*m = h.Match
	m.Games = nil
	s.match(&m.Games)
	if s.err != nil || len(left) > 0 {
		return errColumns
	}
	for i := range m.Games { // what the rules forbid is marked here, whatever the link says
		r := record.NewReplay(m, &m.Games[i])
		for k := range m.Games[i].Actions {
			t, ok := r.Next()
			if a := &m.Games[i].Actions[k]; ok && (!t.Legal || a.Raw != "") {
				a.Illegal = true
			}
		}
	}
	return nil
}

// plan sets what values are expected first.
func (s *stream) plan(m *record.Match) {
	s.last[0] = perMille / 2
	if m.Length > 0 {
		s.whole, s.cubeful = fine, fine/2
	}
}

// check refuses rules that no reader gives.
func check(m *record.Match) error {
	if m.Length < 0 || m.Length > match.MaxLength {
		return fmt.Errorf("a match of %d points: the longest has %d", m.Length, match.MaxLength)
	}
	r := &m.Rules
	if _, known := record.ParseVariation(string(r.Variation)); !known && r.Variation != record.Backgammon || r.CubeLimit < 0 || r.Beavers < 0 || r.Beavers > 99 {
		return errColumns
	}
	return nil
}

func (s *stream) match(list *[]record.Game) {
	n := len(*list)
	s.count(rest, heads, &n, maxGames)
	if s.reading {
		*list = make([]record.Game, n)
	}
	for i := range *list {
		if s.err == nil {
			s.game(&(*list)[i])
		}
	}
}

func (s *stream) game(g *record.Game) {
	for _, v := range []*int{&g.Number, &g.Score[0], &g.Score[1], &g.Cube, &g.Result.Points} {
		number(s, heads, v, 0, 1<<20)
	}
	number(s, heads, &g.Result.Winner, 0, 1)
	s.bits(&g.Crawford, &g.Result.Resigned, &g.EndUnknown)
	s.text(&g.Disputed)
	s.text(&g.Comment)
	n := len(g.Actions)
	s.count(heads, kinds, &n, maxActions-s.actions)
	s.actions += n
	if s.reading {
		g.Actions = make([]record.Action, n)
	}
	for k := range g.Actions {
		if s.err == nil {
			s.action(&g.Actions[k])
		}
	}
}

func (s *stream) action(a *record.Action) {
	kind := int(a.Kind)<<2 | (a.Player+1)&3 // NoPlayer is -1
	number(s, kinds, &kind, 0, int(record.SetUp)<<2|3)
	a.Kind, a.Player = record.Kind(kind>>2), kind&3-1
	raw, comment, analysed := a.Raw != "", a.Comment != "", a.Analysis != nil
	s.bits(&a.Illegal, &raw, &comment, &analysed)
	if raw {
		s.text(&a.Raw)
	}
	if comment {
		s.text(&a.Comment)
	}
	if a.Kind == record.Move || a.Kind == record.Roll {
		number(s, dice, &a.Dice.A, 0, 6)
		number(s, dice, &a.Dice.B, 0, 6)
	}
	if a.Kind == record.Move {
		s.steps(points, pips, a.Dice, &a.Steps)
	}
	if a.Kind == record.SetUp {
		s.setUp(a)
	}
	if analysed {
		if s.reading {
			a.Analysis = &record.Analysis{}
		}
		s.analysis(a)
	}
}

// steps carries a play of a roll: where the checkers start, and with which die they go or how far.
func (s *stream) steps(from, far column, roll board.Dice, list *[]board.Step) {
	n := len(*list)
	s.count(far, far, &n, 8)
	if s.reading && n > 0 {
		*list = make([]board.Step, n)
	}
	for i := range n {
		x := &(*list)[i]
		by := int(x.From - x.To)
		switch by {
		case int(roll.A):
			by = 0
		case int(roll.B):
			by = -1
		}
		number(s, from, &x.From, 0, board.Bar)
		number(s, far, &by, -1, 25)
		switch by {
		case 0:
			by = int(roll.A)
		case -1:
			by = int(roll.B)
		}
		x.To = max(x.From-int8(by), board.Off)
	}
}

func (s *stream) setUp(a *record.Action) {
	if s.reading {
		a.SetUp = &record.Setup{}
	}
	u := a.SetUp
	if u == nil {
		u = &record.Setup{}
	}
	placed := u.Board != nil
	s.bits(&placed, &u.SetOwner)
	number(s, rest, &u.Cube, 0, 1<<20)
	number(s, rest, &u.Owner, record.NoPlayer, 1)
	if !placed {
		return
	}
	if s.reading {
		u.Board = &[2]board.Checkers{}
	}
	for p := range u.Board {
		for i := range u.Board[p] {
			number(s, rest, &u.Board[p][i], 0, 15)
		}
	}
}
