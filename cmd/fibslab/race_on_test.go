//go:build race

package main

// raceEnabled tells that the race detector slows everything down.
const raceEnabled = true
