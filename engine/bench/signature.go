package bench

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
)

// Question is a position with a roll.
type Question struct {
	Position board.Position
	Dice     board.Dice
}

// NaturalQuestions returns the decisions of games played by the static engine on fixed dice.
func NaturalQuestions(ctx context.Context, e *engine.Engine, n int) ([]Question, error) {
	r := rand.New(rand.NewPCG(20, 26))
	s := search.Settings{}
	var out []Question
	for p := board.Start; len(out) < n; {
		q := Question{p, board.Dice{A: uint8(1 + r.IntN(6)), B: uint8(1 + r.IntN(6))}}
		out = append(out, q)
		list, err := e.Search().Plays(ctx, q.Position, q.Dice, match.Money(false, 0), s)
		if err != nil {
			return nil, err
		}
		if len(list) > 0 {
			p = list[0].Play.Result
		}
		if p = p.Swap(); p.Result() != 0 {
			p = board.Start
		}
	}
	return out, nil
}

// signed is the number of questions of the signature.
const signed = 500

// Signature is a checksum of the plays that e chooses at 0 plies in 500 positions, at
// 2 plies in 20, and of 20 cube decisions. It changes when, and only when, play changes.
func Signature(ctx context.Context, e *engine.Engine) (string, error) {
	questions, err := NaturalQuestions(ctx, e, signed)
	if err != nil {
		return "", err
	}
	return signature(ctx, e, questions)
}

func signature(ctx context.Context, e *engine.Engine, questions []Question) (string, error) {
	h := fnv.New64a()
	money := match.Money(false, 0)
	for i, q := range questions[:signed] {
		s := search.Settings{Cubeful: true}
		if i%25 == 0 {
			s.Plies, s.Filter, s.Prune = 2, search.Lean, true
			d, err := e.Search().Cube(ctx, q.Position, money, search.Settings{Plies: 1})
			if err != nil {
				return "", err
			}
			io.WriteString(h, d.Action.String())
		}
		best, legal, err := e.Search().Best(ctx, q.Position, q.Dice, money, s)
		if err != nil {
			return "", err
		}
		if legal > 0 {
			io.WriteString(h, best.Play.Result.ID())
		}
	}
	return fmt.Sprintf("%016x", h.Sum64()), nil
}
