package profile

import (
	"context"

	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/duel"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
)

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
