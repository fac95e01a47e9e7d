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

// Task is the work of one of our own teachers in a loop, here or on a farm.
type Task struct {
	Teacher teacher.Options
	// Games is self-play; otherwise the task is labels, Plies deep.
	Games bool
	Plies int
	// Of distinguishes tasks of one teacher, or is the result of [train.SelfPlay.Spec].
	Of any
	// Ask asks for part k alone, to time parts; nil asks for its range. Most bounds the parts of
	// a piece.
	Ask  func(k int) []byte
	Most int
}

// Do is called with the teacher of a task or, on a farm, with its crew and how many parts a
// piece may have.
type Do func(t train.Teacher, crew shard.Crew, size int) error

// send gives a task to l.Send, or to a teacher of this process.
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

// rate is the task of rating decisions: a decision has a dozen plays, so pieces are sized for
// so many.
func (l *Loop) rate(base string) Task {
	ask := func(int) []byte { return train.AskLabels(slices.Repeat([]board.Key{board.Start.Key()}, 12)) }
	return Task{Teacher: teacher.Options{Name: "own", Weights: base, Threads: 1}, Plies: l.HeldPlies,
		Of: fmt.Sprint("held ", l.Seed, l.Held), Ask: ask, Most: 256}
}
