package search

import (
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

// Disturb adds the noise of Settings{Noise: deviation, Seed: seed} to pr, the
// static chances of position p for the player on roll. Programs that make 0-ply
// decisions of their own weaken them with it exactly as the engine does. A
// deviation of 0 changes nothing.
func Disturb(p *board.Position, pr *eval.Probs, deviation float64, seed uint64) {
	n := noise{deviation: deviation, seed: seed}
	n.add(p, pr)
}
