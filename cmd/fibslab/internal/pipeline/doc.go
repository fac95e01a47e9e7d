// Package workshop is the workshop's work on files: each function is a step of making
// nets that can be stopped and gone on with, and Loop puts them together.
//
// What is known about a net is in cmd/fibslab/internal/train; here are the files that its data
// come from and go to. Errors wrap teacher.ErrOptions where what the user asked for
// cannot be done.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package pipeline

import (
	"fmt"

	"fibsbot/cmd/fibslab/internal/teacher"
)

// mistake is an error with its own words, which errors.Is finds as
// teacher.ErrOptions.
type mistake struct{ error }

// Is implements the interface of errors.Is.
func (mistake) Is(target error) bool { return target == teacher.ErrOptions }

// Unwrap gives the cause.
func (e mistake) Unwrap() error { return e.error }

func wrong(format string, args ...any) error { return mistake{fmt.Errorf(format, args...)} }
