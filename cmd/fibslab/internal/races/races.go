package races

import (
	"fmt"

	"fibsbot/bearoff"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

// outsideHome reports whether a checker of either side is not home yet; the engine looks up
// positions at home.
func outsideHome(p *board.Position) bool {
	return p.Me.Rearmost() > 5 || p.Opp.Rearmost() > 5
}

// OpenDatabase opens a one-sided database that knows more than the engine's own.
func OpenDatabase(path string) (*bearoff.OneSided, error) {
	known, err := bearoff.OpenOneSided(path)
	if err != nil {
		return nil, err
	}
	if known.Points() <= 6 || known.Checkers() < board.MaxCheckers {
		known.Close()
		return nil, fmt.Errorf("--db: %s: not a database of 15 checkers on more than 6 points", known)
	}
	return known, nil
}

// labelled is p with the database's chances; ok is false if they are not in it.
func labelled(known *bearoff.OneSided, p *board.Position) (r train.Record, ok bool) {
	c, ok := known.Race(p)
	return train.Record{Key: p.Key(), Label: train.LabelOf(eval.Probs{
		eval.Win: float32(c.Win), eval.WinGammon: float32(c.WinGammon), eval.LoseGammon: float32(c.LoseGammon)})}, ok
}
