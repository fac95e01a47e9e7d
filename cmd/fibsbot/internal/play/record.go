package play

import (
	"fibsbot/engine/board"
	"fibsbot/engine/record"
)

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
		score := s.score
		if s.swapped {
			score = [2]int{score[1], score[0]}
		}
		rec.Games = append(rec.Games, record.Game{Number: len(rec.Games), Score: score, Crawford: s.crawford, Cube: s.cube})
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
	if s.cube > 1 || s.owner != record.NoPlayer { // SGF has a node for each
		owner := record.NoPlayer
		if s.owner != record.NoPlayer {
			owner = player(s.owner)
		}
		out = append(out, record.Action{Kind: record.SetUp, Player: record.NoPlayer, SetUp: &record.Setup{Cube: s.cube}},
			record.Action{Kind: record.SetUp, Player: record.NoPlayer, SetUp: &record.Setup{Owner: owner, SetOwner: true}})
	}
	if s.phase == ToAnswer {
		out = append(out, record.Action{Kind: record.Double, Player: player(turn)})
	}
	return out
}
