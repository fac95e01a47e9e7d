package bot

import (
	"fibsbot/engine/board"
	"fibsbot/fibs/server"
)

func diceOfRoll(r [2]int) board.Dice { return board.Dice{A: uint8(r[0]), B: uint8(r[1])} }

// stepsOfServer turns the server's steps into the mover's numbering.
func stepsOfServer(a server.Action) []board.Step {
	var out []board.Step
	for _, s := range a.Steps {
		out = append(out, board.Step{From: serverPoint(s.From, a.Side), To: serverPoint(s.To, a.Side)})
	}
	return out
}

// serverPoint turns a board number into the mover's index: bar and off of a
// colour lie just outside 1 to 24, on the ends where it starts and finishes.
func serverPoint(p int, side server.Colour) int8 {
	if side == server.O {
		return int8(p - 1)
	}
	return int8(24 - p)
}
