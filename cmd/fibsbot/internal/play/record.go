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
		Date: m.created.Format("2006-01-02"), Place: "fibsbot",
	}
	var g *record.Game
	var dice board.Dice
	s := newState(&m.opts)
	for _, a := range m.acts {
		_ = s.apply(&a) // cannot fail: it was applied before
		switch a.Kind {
		case Start:
			rec.Games = append(rec.Games, record.Game{Number: s.game, Score: s.score, Crawford: s.crawford, Cube: s.cube})
			g = &rec.Games[len(rec.Games)-1]
			dice = board.Dice{A: a.Dice[0], B: a.Dice[1]}
		case Roll: // without dice: they follow, thrown by hand
			dice = board.Dice{A: a.Dice[0], B: a.Dice[1]}
		case Move:
			act := record.Action{Kind: record.Move, Player: a.Side, Dice: dice}
			for _, st := range s.entries[len(s.entries)-1].Steps {
				act.Steps = append(act.Steps, board.Step{From: int8(st[0] - 1), To: int8(st[1] - 1)})
			}
			g.Actions = append(g.Actions, act)
			dice = board.Dice{}
		case Double, Beaver, Raccoon, Take, Drop:
			kind := map[Kind]record.Kind{Double: record.Double, Beaver: record.Double, Raccoon: record.Double, Take: record.Take, Drop: record.Drop}[a.Kind]
			g.Actions = append(g.Actions, record.Action{Kind: kind, Player: a.Side})
		case Accept:
			if dice.Valid() { // thrown, not played
				g.Actions = append(g.Actions, record.Action{Kind: record.Roll, Player: 1 - a.Side, Dice: dice})
			}
			dice = board.Dice{}
		}
		if s.phase == GameOver || s.phase == MatchOver {
			g.Result = record.Result{Points: s.result.Points, Winner: s.result.Winner, Resigned: s.result.How == "resign"}
		}
	}
	if dice.Valid() && g != nil {
		g.Actions = append(g.Actions, record.Action{Kind: record.Roll, Player: s.turn, Dice: dice})
	}
	return rec
}
