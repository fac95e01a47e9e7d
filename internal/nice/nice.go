// Package nice lowers the priority of this process.
package nice

import "sync/atomic"

// low is the priority that leaves the processor to other programs first.
const low = 10

var off atomic.Bool

// Lower lowers the priority of this process for good, if the system allows it. A refusal is
// ignored.
func Lower() {
	if !off.Load() {
		lower()
	}
}

// Off makes Lower do nothing, for a test that runs commands in its own process and would keep
// their priority.
func Off() { off.Store(true) }
