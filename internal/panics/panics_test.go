package panics

import (
	"errors"
	"strings"
	"testing"
)

func TestRecover_tellsWhatAndWhere(t *testing.T) {
	tests := []struct {
		name, want string
		fault      func()
	}{
		{"none", "", func() {}},
		{"a value", "fault of this program: tripped (panics_test.go:", func() { panic("tripped") }},
		{"the runtime's", "index out of range [3] with length 2 (panics_test.go:", func() { _ = make([]int, 2)[len("abc")] }},
		{"no pointer", "nil pointer dereference (panics_test.go:", func() { var p *Fault; _ = p.Value }},
		{"handed on", "fault of this program: elsewhere (there:1)", func() { panic(&Fault{Value: "elsewhere", Where: "there:1"}) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := func() (err error) {
				defer Recover(&err)
				tt.fault()
				return nil
			}()
			if tt.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("%v, want %q", err, tt.want)
			}
			var f *Fault
			if !errors.As(err, &f) || tt.name != "handed on" && !strings.Contains(string(f.Stack), "panics_test.go") {
				t.Errorf("no stack: %+v", f)
			}
		})
	}
}

func TestFault_unwraps(t *testing.T) {
	mine := errors.New("mine")
	err := func() (err error) {
		defer Recover(&err)
		panic(mine)
	}()
	if !errors.Is(err, mine) {
		t.Errorf("%v is not what was thrown", err)
	}
}
