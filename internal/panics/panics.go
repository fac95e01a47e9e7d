// Package panics turns a panic into an error, so that a fault of the program ends only
// the task it happened in.
package panics

import (
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"strings"
)

// Fault is a panic as an error. A panic with a *Fault passes on the
// fault of another goroutine.
type Fault struct {
	Value any
	Where string // file:line of the code that panicked
	Stack []byte
}

// Error implements error: one line.
func (f *Fault) Error() string {
	return fmt.Sprintf("fault of this program: %v (%s)", f.Value, f.Where)
}

// Unwrap returns the value of the panic when it is an error.
func (f *Fault) Unwrap() error {
	err, _ := f.Value.(error)
	return err
}

// Of makes a fault of what recover returned, in the deferred function that called it.
func Of(p any) *Fault {
	if f, ok := p.(*Fault); ok {
		return f
	}
	return &Fault{Value: p, Where: origin(), Stack: debug.Stack()}
}

// Recover is deferred by a function that is to return its panics as errors.
func Recover(err *error) {
	if p := recover(); p != nil {
		*err = Of(p)
	}
}

// origin is the innermost place of the program below the panic that is under way.
func origin() string {
	pc := make([]uintptr, 64)
	frames := runtime.CallersFrames(pc[:runtime.Callers(2, pc)])
	panicking := false
	for {
		f, more := frames.Next()
		own := strings.HasPrefix(f.Function, "runtime.")
		switch {
		case f.Function == "runtime.gopanic":
			panicking = true
		case panicking && !own:
			return fmt.Sprintf("%s:%d", path.Base(f.File), f.Line)
		}
		if !more {
			return "somewhere"
		}
	}
}
