package profile

import (
	"context"

	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/duel"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
)

// Counts are the decisions of one player and what they lost, in EMG.
type Counts struct {
	Counted  float64 // decisions that count for the performance rating
	Plays    float64 // of them plays
	PlayLoss float64
	// Plays that lose at least as much, and the total loss of those of VeryBad.
	Bad, VeryBad, Blunders, VeryBadLoss float64
	// Hits are the plays whose best is a hit, Refused those of them that do not hit.
	Hits, Refused float64

	Cubes    float64 // cube decisions that count
	CubeLoss float64
	// Cube errors of more than slip; Late are the missed doubles beyond the cash point.
	WrongDoubles, MissedDoubles, Late, WrongTakes, WrongPasses float64
	// Doubles are all doubles, Absurd those with a no-double equity below absurdDouble.
	Doubles, Absurd float64

	Phases [analyse.Phases]PhaseCounts
}

// PhaseCounts are the plays of a phase of the game.
type PhaseCounts struct{ Plays, Loss float64 }

// The limits of bad plays are those of a report (analyse.DefaultLimits), and blunder.
const (
	blunder = 0.3
	// slip is the loss up to which a cube action counts as right.
	slip = 0.02
	// absurdDouble is the no-double equity below which a double makes no sense to anyone.
	absurdDouble = -0.2
)

// Loss is what all decisions lost.
func (c *Counts) Loss() float64 { return c.PlayLoss + c.CubeLoss }

// PR is the performance rating.
func (c *Counts) PR() float64 { return analyse.PR(c.Loss(), c.Counted) }

// cubeErrors is the number of wrong cube actions.
func (c *Counts) cubeErrors() float64 {
	return c.WrongDoubles + c.MissedDoubles + c.WrongTakes + c.WrongPasses
}

// Count returns the counts of both players of a match that was analysed with table t.
func Count(s *analyse.Summary, t *match.Table) (out [2]Counts) {
	for i := range s.Games {
		for k := range s.Games[i].Decisions {
			j := &s.Games[i].Decisions[k]
			out[j.Turn.Player&1].add(j, t)
		}
	}
	return out
}

func (c *Counts) add(j *analyse.Judged, t *match.Table) {
	a := analyse.Judgement(j.Turn.Action.Analysis)
	if a == nil {
		return
	}
	if j.Counts {
		c.Counted++
	}
	if j.Turn.Action.Kind != record.Move {
		c.answer(j, a, t)
		return
	}
	if j.CubeCounts {
		c.Counted++
		c.Cubes++
		c.CubeLoss += j.CubeLoss
		if j.CubeLoss > slip {
			c.MissedDoubles++
			if a.Cube.DoubleTake.Cubeful > passed(&j.Turn.State, t) {
				c.Late++
			}
		}
	}
	if j.Counts {
		c.play(j, a)
	}
}

func (c *Counts) play(j *analyse.Judged, a *record.Analysis) {
	c.Plays++
	c.PlayLoss += j.Loss
	c.Phases[j.Phase%analyse.Phases].Plays++
	c.Phases[j.Phase%analyse.Phases].Loss += j.Loss
	lim := analyse.DefaultLimits
	if j.Loss >= lim.Bad {
		c.Bad++
	}
	if j.Loss >= lim.VeryBad {
		c.VeryBad++
		c.VeryBadLoss += j.Loss
	}
	if j.Loss >= blunder {
		c.Blunders++
	}
	if hits(&j.Turn.Position, a.Candidates[0].Steps) {
		c.Hits++
		if !hits(&j.Turn.Position, a.Candidates[a.Played].Steps) {
			c.Refused++
		}
	}
}

// answer counts a double, a take or a pass.
func (c *Counts) answer(j *analyse.Judged, a *record.Analysis, t *match.Table) {
	if a.Cube == nil {
		return
	}
	if j.Counts {
		c.Cubes++
		c.CubeLoss += j.Loss
	}
	wrong := 0.0
	if j.Loss > slip {
		wrong = 1
	}
	switch j.Turn.Action.Kind {
	case record.Double:
		c.Doubles++
		c.WrongDoubles += wrong
		if equity(&j.Turn.State, a.Cube.NoDouble.Cubeful, t) < absurdDouble {
			c.Absurd++
		}
	case record.Take:
		c.WrongTakes += wrong
	case record.Drop:
		c.WrongPasses += wrong
	}
}

// hits reports whether the steps hit a checker.
func hits(p *board.Position, steps []board.Step) bool {
	for _, s := range steps {
		if s.To >= 0 && s.To < 24 && p.Opp[23-s.To] == 1 {
			return true
		}
	}
	return false
}

// equity is the normalised equity of a cube analysis in state st of the doubler, and passed the
// value of a pass in the unit of the analysis.
func equity(st *match.State, v float64, t *match.Table) float64 {
	if st.Length == 0 {
		return v
	}
	return t.EMG(*st, v)
}

func passed(st *match.State, t *match.Table) float64 {
	if st.Length == 0 {
		return 1
	}
	return t.MWC(*st, 1)
}

// Matches says which matches a setting plays against itself.
type Matches struct {
	Length, Matches int
	Seed            uint64
	// Progress, when not nil, is called with the number of matches that were played and judged.
	Progress func(done, total int)
}

// Play has a preset play against itself, judges the matches and returns the counts of each side
// of each match. The result depends on the arguments alone, whatever the analyst's workers.
func Play(ctx context.Context, e *engine.Engine, judge *analyse.Analyst, p preset.Preset, m Matches) (out []Counts, err error) {
	var two [2]duel.Player
	for i := range two {
		if two[i], err = duel.Preset(e, p)(ctx); err != nil {
			return nil, err
		}
		defer two[i].Close()
	}
	set := duel.Settings{Length: m.Length, Seed: m.Seed}
	for k := range m.Matches {
		rec, err := duel.Record(ctx, two, set, uint64(k))
		if err != nil {
			return nil, err
		}
		s, err := judge.Analyse(ctx, rec)
		if err != nil {
			return nil, err
		}
		c := Count(s, e.Table())
		out = append(out, c[:]...)
		if m.Progress != nil {
			m.Progress(k+1, m.Matches)
		}
	}
	return out, nil
}

// Judge analyses a match and returns the counts of its players.
func Judge(ctx context.Context, judge *analyse.Analyst, m *record.Match) ([2]Counts, error) {
	s, err := judge.Analyse(ctx, m)
	if err != nil {
		return [2]Counts{}, err
	}
	return Count(s, judge.Engine.Table()), nil
}
