// Package config is what the operator says: whom the bot plays, how strong, how
// it behaves, where it keeps its things.
//
// One file, bot.yaml, holds it all. The types in this package are its only
// description: defaults, the commented default file (Render), the schema for
// editors (Schema), the reference page in docs and the strict decoder (Load) are
// all driven by the same struct tags, so a key cannot exist in one and be missing
// in another.
//
// Load reports every problem of a file, not only the first, each as an Error
// with file, line, column, field and what is wrong. Check looks for what a type
// cannot say: contradictions, missing presets, unreadable secrets, templates
// with unknown fields. Watcher reloads a changed file and keeps the last good
// one when the new one is bad.
//
// The package knows neither the protocol nor the engine.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package config
