//go:build race

package rollout

// raceEnabled tells that the race detector slows everything down.
const raceEnabled = true
