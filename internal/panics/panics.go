// Package panics turns a panic into an error, so that a fault of the program ends only its task.
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

// Of returns the fault for a value of recover, in the deferred function that called it.
func Of(p any) *Fault {
	if f, ok := p.(*Fault); ok {
		return f
	}
	return &Fault{Value: p, Where: origin(), Stack: debug.Stack()}
}

// Recover, when deferred, turns a panic of the function into its error.
func Recover(err *error) {
	if p := recover(); p != nil {
		*err = Of(p)
	}
}

// origin returns the innermost place of this program on the stack of the current panic.
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
