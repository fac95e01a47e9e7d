//go:build linux && !amd64

package host

import (
	"testing"
	"time"
)

type clockOf struct{}

func steppable() string { return "the clock of a process is only moved on amd64" }

func newClock(testing.TB, int) *clockOf { return nil }

func (*clockOf) set(testing.TB, time.Duration) {}
