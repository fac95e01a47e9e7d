package ops

import (
	"os"
	"runtime/debug"
)

// thrift is how much garbage may be beside what lives, in per cent. Most of what a bot
// has lives in the engine's cache and has no pointers: looking through it again costs
// next to nothing, and letting as much garbage pile up beside it costs its size.
const thrift = 25

// Thrift has the garbage collector keep a bot small, unless GOGC asks for something
// else.
func Thrift() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(thrift)
	}
}
