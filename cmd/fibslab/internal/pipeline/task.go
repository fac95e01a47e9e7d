package pipeline

import (
	"context"
	"fmt"
	"slices"

	"fibsbot/cmd/fibslab/internal/teacher"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/board"
	"fibsbot/internal/shard"
)

// Task is work of a loop that a teacher of our own does, here or elsewhere.
type Task struct {
	Teacher teacher.Options
	// Games is work of self-play; the other one is labels, Plies deep.
	Games bool
	Plies int
	// Of tells tasks of one teacher apart, or is what [train.SelfPlay.Spec] wrote.
	Of any
	// Ask asks for part k alone, to see how long parts take; nil asks for its range.
	// Most bounds the parts of a piece.
	Ask  func(k int) []byte
	Most int
}

// Do is called with the teacher of a task and, where others do the work, with the crew
// that does it and how many parts a piece may have.
type Do func(t train.Teacher, crew shard.Crew, size int) error

// send gives a task to whoever does it: l.Send, or a teacher of this process.
func (l *Loop) send(ctx context.Context, task Task, do Do) error {
	if l.Send != nil {
		return l.Send(task, do)
	}
	t, err := teacher.Open(ctx, task.Teacher)
	if err != nil {
		return err
	}
	defer t.Close()
	return do(t, nil, 0)
}

// rate is the task of rating decisions: a decision has a dozen plays, so pieces are made
// as if for so many.
func (l *Loop) rate(base string) Task {
	ask := func(int) []byte { return train.AskLabels(slices.Repeat([]board.Key{board.Start.Key()}, 12)) }
	return Task{Teacher: teacher.Options{Name: "own", Weights: base, Threads: 1}, Plies: l.HeldPlies,
		Of: fmt.Sprint("held ", l.Seed, l.Held), Ask: ask, Most: 256}
}
