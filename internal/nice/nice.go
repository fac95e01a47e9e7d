// Package nice lets other programs go first.
package nice

import "sync/atomic"

// low is the priority of what takes only what others leave.
const low = 10

var off atomic.Bool

// Lower lowers the priority of this process for good, where the system knows how. It is a
// courtesy: what the system refuses is no error.
func Lower() {
	if !off.Load() {
		lower()
	}
}

// Off makes Lower do nothing: a test that runs commands in its own process would go on
// with their priority and starve beside the tests of other packages.
func Off() { off.Store(true) }
