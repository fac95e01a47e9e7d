package xg_test

import (
	"errors"
	"fmt"
	"strings"

	"fibsbot/engine/record"
	"fibsbot/engine/record/xg"
)

// A file that ends too early: the error names the place.
func ExampleRead() {
	_, _, err := xg.Read(strings.NewReader(xg.Magic))
	var e *record.SyntaxError
	fmt.Println(errors.As(err, &e))
	fmt.Println(record.InFile("match.xg", err))
	// Output:
	// true
	// match.xg:1:5: damaged .xg file: it ends inside its header
}
