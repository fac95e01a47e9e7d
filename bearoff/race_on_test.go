//go:build race

package bearoff

// raceEnabled tells that the race detector slows everything down.
const raceEnabled = true
