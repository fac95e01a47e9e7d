// Package bounded has flags whose numbers are checked against their bounds when they are parsed: the
// error names the flag in every command, and NaN is refused.
package bounded

import (
	"fmt"
	"strconv"

	"github.com/spf13/pflag"
)

// Number is the type of a flag's value.
type Number interface{ int | float32 | float64 }

type number[T Number] struct {
	to        *T
	low, high T
}

// Of sets to to value and returns a flag for it that accepts low to high.
func Of[T Number](to *T, value, low, high T) pflag.Value {
	*to = value
	return &number[T]{to, low, high}
}

// String is the value as help texts show it.
func (n *number[T]) String() string { return fmt.Sprint(*n.to) }

// Type names the value in help texts.
func (n *number[T]) Type() string {
	if _, whole := any(n.low).(int); whole {
		return "int"
	}
	return "float"
}

// Set accepts a number within the bounds.
func (n *number[T]) Set(text string) error {
	if n.Type() == "int" {
		v, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("%q is not a whole number", text)
		}
		return n.take(T(v))
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return fmt.Errorf("%q is not a number", text)
	}
	return n.take(T(v))
}

func (n *number[T]) take(v T) error {
	if !(v >= n.low && v <= n.high) {
		return fmt.Errorf("%v is not between %v and %v", v, n.low, n.high)
	}
	*n.to = v
	return nil
}
