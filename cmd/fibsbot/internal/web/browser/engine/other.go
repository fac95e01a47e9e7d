//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "this program runs in a browser (fibsbot web export DIR builds it)")
	os.Exit(2)
}
