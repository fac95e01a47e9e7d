package archivetest

import (
	"cmp"
	"os"
	"testing"
	"time"

	"fibsbot/fibs/server"
)

// Mode is a habit of FIBS that makes a bot's life harder.
type Mode struct {
	Name string
	set  func(*server.Options)
}

// Set turns the habit on.
func (m Mode) Set(opt *server.Options) {
	if m.set != nil {
		m.set(opt)
	}
	opt.Quirks.Seed = cmp.Or(opt.Quirks.Seed, opt.Seed)
}

// Modes are the habits; the last one is all of them together. No mode sends a board after a
// dance.
var Modes = []Mode{
	{"saved", func(o *server.Options) { o.NoAutoResume = true }},
	{"lists", func(o *server.Options) { o.Quirks.ShortList = 0.8 }},
	{"closing", func(o *server.Options) { o.Closing = 10 * time.Minute }},
	{"boards", func(o *server.Options) { o.Quirks.NoBoard = 0.8 }},
	{"rolls", func(o *server.Options) { o.Quirks.ForgetRoll = 1 }},
	{"notices", func(o *server.Options) { o.Quirks.Notice = 0.1 }},
	{"all", func(o *server.Options) {
		o.NoAutoResume, o.Closing = true, 10*time.Minute
		o.Quirks.ShortList, o.Quirks.NoBoard, o.Quirks.ForgetRoll, o.Quirks.Notice = 0.8, 0.8, 1, 0.1
	}},
}

// ModeOf returns the mode that the variable FIBSBOT_SOAK_MODE names, for the long forms of the
// soaks; without one, the server is kind.
func ModeOf(t testing.TB) Mode {
	t.Helper()
	name := os.Getenv("FIBSBOT_SOAK_MODE")
	if name == "" {
		return Mode{}
	}
	for _, m := range Modes {
		if m.Name == name {
			return m
		}
	}
	t.Fatalf("FIBSBOT_SOAK_MODE: no mode %q (use one of %v)", name, Modes)
	return Mode{}
}

// String names the mode.
func (m Mode) String() string { return m.Name }
