// Package enginetest opens engines for tests.
package enginetest

import (
	"testing"

	"fibsbot/engine"
	"fibsbot/engine/preset"
)

// Open opens a small engine without databases, which is closed at the end of the test.
func Open(t testing.TB) *engine.Engine {
	t.Helper()
	e, err := engine.Open(engine.Options{NoBearoff: true, Threads: 1, CacheMB: 1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// Preset is the preset of that name.
func Preset(t testing.TB, name string) preset.Preset {
	t.Helper()
	p, err := preset.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
