package play

import (
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
)

// View is a match at one moment for a display or a script. Pairs are by side: the
// opponent's value first, then yours.
type View struct {
	ID       string    `json:"id"`
	Created  time.Time `json:"created"`
	Version  int       `json:"version"`
	Phase    Phase     `json:"phase"`
	Turn     int       `json:"turn"`
	Game     int       `json:"game"` // counts from 1
	Length   int       `json:"length"`
	Score    [2]int    `json:"score"`
	Names    [2]string `json:"names"`
	Crawford bool      `json:"crawford"`
	Jacoby   bool      `json:"jacoby"`
	// Board holds the checkers of both sides by own point; the last is the bar.
	Board [2]board.Checkers `json:"board"`
	Pips  [2]int            `json:"pips"`
	// Opening reports that the dice to enter are those of an opening: the person's first,
	// then the opponent's.
	Opening bool `json:"opening,omitempty"`
	// ByHand reports that the person throws all dice. Variation is the game if it is not
	// backgammon. Egyptian reports the Egyptian rule. Checkers is the number of each side at
	// the start.
	ByHand    bool             `json:"by_hand,omitempty"`
	Variation record.Variation `json:"variation,omitempty"`
	Egyptian  bool             `json:"egyptian,omitempty"`
	Checkers  int              `json:"checkers"`
	// Opponent is the approximate rating of the opponent, if known.
	Opponent Standing `json:"opponent,omitzero"`
	// Dice on the table in the order thrown.
	Dice []int `json:"dice,omitempty"`
	Cube int   `json:"cube"`
	// Owner is the side that holds the cube, -1 for the centre.
	Owner int `json:"owner"`
	// Offered is the value of the cube that waits for an answer, 0 without one.
	Offered int `json:"offered,omitempty"`
	// MayDouble, MayBeaver, MayRaccoon and MayUndo report what You may do now.
	MayDouble  bool `json:"may_double"`
	MayBeaver  bool `json:"may_beaver,omitempty"`
	MayRaccoon bool `json:"may_raccoon,omitempty"`
	MayUndo    bool `json:"may_undo"`
	// Resign is the level of the resignation on offer.
	Resign int `json:"resign,omitempty"`
	// Result of the finished game.
	Result *Result `json:"result,omitempty"`
	// Posed reports that the match began from a position, Tally its finished games, and
	// MayNext that a next game may follow.
	Posed   bool   `json:"posed,omitempty"`
	Tally   *Tally `json:"tally,omitempty"`
	MayNext bool   `json:"may_next,omitempty"`
	// Easy is the play at your turn that needs no thought, or nil.
	Easy *Easy `json:"easy,omitempty"`
	// Two reports a match of two people, who both act; Moves and Easy are those of Turn.
	Two   bool   `json:"two_players,omitempty"`
	Event string `json:"event,omitempty"`
	// Clock is the time of both, or nil.
	Clock *ClockView `json:"clock,omitempty"`
	// Moves are the ways to play the dice at your turn.
	Moves Tree `json:"moves,omitempty"`
	// Acts of the present game.
	Acts       []Entry `json:"acts"`
	Undone     int     `json:"undone,omitempty"`
	PositionID string  `json:"position_id"` // of the side to decide; the IDs are empty after a match
	MatchID    string  `json:"match_id"`
	XGID       string  `json:"xgid"`
	// Seed of the dice, hidden until the match is over.
	Seed uint64 `json:"seed,omitempty"`
}

// View returns the present state.
func (m *Match) View() View {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := &m.state
	v := View{
		ID: m.id, Created: m.created, Version: m.version, Phase: s.throwing(), Turn: s.turn, Game: s.game + 1,
		Length: m.opts.Length, Score: s.Score, Names: [2]string{m.foe.Name, m.opts.Name},
		Crawford: s.Crawford && s.phase != MatchOver, Jacoby: m.opts.jacoby(),
		Board: [2]board.Checkers{s.pos.Opp, s.pos.Me}, Pips: [2]int{s.pos.Opp.Pips(), s.pos.Me.Pips()},
		Cube: s.Cube, Owner: s.Owner, Resign: s.level, Undone: m.undone, MayUndo: m.undoTo() >= 0,
		Acts: []Entry{},
	}
	v.Opening, v.ByHand = s.phase == toStart, m.opts.ByHand
	v.Variation, v.Egyptian, v.Checkers = m.opts.Variation, m.opts.Egyptian, m.opts.Variation.Checkers()
	v.Opponent = m.standing
	if s.dice.Valid() {
		v.Dice = []int{int(s.dice.A), int(s.dice.B)}
	}
	if s.phase == ToAnswer {
		v.Offered = s.Offered()
	}
	me := s.me()
	v.MayBeaver = s.turn == me && s.mayBeaver()
	v.MayRaccoon = s.turn == me && s.mayRaccoon()
	v.MayDouble = s.phase == ToRoll && s.turn == me && s.mayDouble(me)
	v.Two, v.Event = m.opts.Two, m.opts.Event
	if c := m.opts.Clock; c != nil {
		v.Clock = &ClockView{*c, s.clock.left, s.clock.used}
	}
	if s.phase == ToMove && s.turn == me {
		p := s.situation(me).Position
		v.Moves = Steps(m.opts.rules(), p, s.dice)
		v.Easy = EasyPlay(m.opts.rules(), p, s.dice)
	}
	v.MayNext = s.phase == GameOver && !s.decided()
	if m.opts.From != nil {
		t := s.tally
		v.Posed, v.Tally = true, &t
	}
	if s.phase == GameOver || s.phase == MatchOver {
		r := s.result
		v.Result = &r
	}
	if s.phase == MatchOver {
		v.Seed = m.opts.Seed
	}
	for _, e := range s.entries {
		if e.Game == s.game {
			v.Acts = append(v.Acts, e)
		}
	}
	if s.phase == MatchOver || s.phase == GameOver && s.decided() {
		return v // there is no decision at a final score
	}
	// IDs keep the doubler or resigner on roll until the answer.
	side := s.turn
	switch s.phase {
	case ToAnswer:
		side = s.First
	case ToAnswerResign:
		side = 1 - s.turn
	}
	sit := s.situation(side)
	v.PositionID, v.MatchID = sit.Position.ID(), sit.MatchID()
	sit.Resigned = 0 // XGID has no room for it
	v.XGID = sit.XGID()
	return v
}

// Record returns the match so far as the archive stores it.
func (m *Match) Record() *record.Match {
	m.mu.Lock()
	defer m.mu.Unlock()
	rec := &record.Match{
		Players: [2]record.Player{{Name: m.foe.Name}, {Name: m.opts.Name}},
		Length:  m.opts.Length,
		Rules: record.Rules{
			NoCube: m.opts.NoCube, Crawford: m.opts.Length > 0 && !m.opts.NoCrawford,
			Jacoby:  m.opts.jacoby(),
			Beavers: m.opts.redoubles(), Variation: m.opts.Variation, Egyptian: m.opts.Egyptian,
		},
		Event: m.opts.Event,
		Date:  m.created.Format("2006-01-02"), Place: "fibsbot",
	}
	var g *record.Game
	var dice board.Dice
	s := newState(&m.opts)
	// player is the number of a side: players keep theirs when the person swaps sides.
	player := func(side int) int {
		if s.swapped {
			return 1 - side
		}
		return side
	}
	begin := func() {
		score := s.Score
		if s.swapped {
			score = [2]int{score[1], score[0]}
		}
		rec.Games = append(rec.Games, record.Game{Number: len(rec.Games), Score: score, Crawford: s.Crawford, Cube: s.Cube})
		g = &rec.Games[len(rec.Games)-1]
		dice = board.Dice{}
	}
	pose := func() {
		begin()
		dice = s.dice
		g.Actions = s.setUp(player)
	}
	if m.opts.From != nil {
		pose()
	}
	for _, a := range m.acts {
		_ = s.apply(&a) // cannot fail: it was applied before
		switch a.Kind {
		case Start:
			begin()
			dice = board.Dice{A: a.Dice[0], B: a.Dice[1]}
		case Again:
			if !g.Result.Finished() { // given up without a result
				rec.Games = rec.Games[:len(rec.Games)-1]
			}
			pose()
		case Roll: // without dice: they follow, thrown by hand
			dice = board.Dice{A: a.Dice[0], B: a.Dice[1]}
		case Move:
			act := record.Action{Kind: record.Move, Player: player(a.Side), Dice: dice, Illegal: a.Illegal}
			for _, st := range s.entries[len(s.entries)-1].Steps {
				act.Steps = append(act.Steps, board.Step{From: int8(st[0] - 1), To: int8(st[1] - 1)})
			}
			g.Actions = append(g.Actions, act)
			dice = board.Dice{}
		case Double, Beaver, Raccoon, Take, Drop:
			kind := map[Kind]record.Kind{Double: record.Double, Beaver: record.Double, Raccoon: record.Double, Take: record.Take, Drop: record.Drop}[a.Kind]
			g.Actions = append(g.Actions, record.Action{Kind: kind, Player: player(a.Side)})
		case Accept:
			if dice.Valid() { // thrown, not played
				g.Actions = append(g.Actions, record.Action{Kind: record.Roll, Player: player(1 - a.Side), Dice: dice})
			}
			dice = board.Dice{}
		}
		if s.phase == GameOver || s.phase == MatchOver {
			g.Result = record.Result{Points: s.result.Points, Winner: player(s.result.Winner), Resigned: s.result.How == "resign" || s.result.How == "time"}
			g.EndUnknown = s.result.How == "time"
		}
	}
	if dice.Valid() && g != nil {
		g.Actions = append(g.Actions, record.Action{Kind: record.Roll, Player: player(s.turn), Dice: dice})
	}
	return rec
}

// setUp is the position that a game begins from, as player numbers see it.
func (s *state) setUp(player func(int) int) []record.Action {
	boards := [2]board.Checkers{}
	boards[player(You)], boards[player(Opponent)] = s.pos.Me, s.pos.Opp
	turn := s.turn
	if s.phase == ToAnswer {
		turn = 1 - turn
	}
	out := []record.Action{{Kind: record.SetUp, Player: player(turn), SetUp: &record.Setup{Board: &boards}}}
	if s.Cube > 1 || s.Owner != record.NoPlayer { // SGF has a node for each
		owner := record.NoPlayer
		if s.Owner != record.NoPlayer {
			owner = player(s.Owner)
		}
		out = append(out, record.Action{Kind: record.SetUp, Player: record.NoPlayer, SetUp: &record.Setup{Cube: s.Cube}},
			record.Action{Kind: record.SetUp, Player: record.NoPlayer, SetUp: &record.Setup{Owner: owner, SetOwner: true}})
	}
	if s.phase == ToAnswer {
		out = append(out, record.Action{Kind: record.Double, Player: player(turn)})
	}
	return out
}
