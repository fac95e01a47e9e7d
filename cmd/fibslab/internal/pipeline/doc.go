// Package pipeline is training on files: each function is a step of making nets that can be
// stopped and resumed, and Loop runs them all, round after round.
//
// Package train knows the nets; here are the files that its data come from and go to. Errors
// wrap teacher.ErrOptions if the user's request cannot be done.
package pipeline

import (
	"fmt"

	"fibsbot/cmd/fibslab/internal/teacher"
)

// mistake is an error with its own text that errors.Is finds as teacher.ErrOptions.
type mistake struct{ error }

// Is implements the interface of errors.Is.
func (mistake) Is(target error) bool { return target == teacher.ErrOptions }

// Unwrap returns the cause.
func (e mistake) Unwrap() error { return e.error }

func wrong(format string, args ...any) error { return mistake{fmt.Errorf(format, args...)} }
