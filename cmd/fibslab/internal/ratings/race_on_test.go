//go:build race

package ratings

const raceEnabled = true
