//go:build unix

package main

import (
	"strings"
	"testing"

	"fibsbot/cmd/internal/cmdline"
)

// TestInterrupt_whatIsThereIsPrinted: Ctrl-C on a terminal ends the long commands with
// their results so far and status 130.
func TestInterrupt_whatIsThereIsPrinted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		args  []string
		alive string   // shown while it runs
		want  []string // after Ctrl-C
	}{
		{"rollout", []string{"rollout", "4HPwATDgc/ABMA", "--cube", "--truncate", "7", "--trials", "1000000"}, "±", []string{"No double", "Double, take", "±"}},
		{"duel", []string{"duel", "expert", "advanced", "--games", "1000000"}, "games: ", []string{"standard error", "points a game"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := startScreen(t, c.args...)
			p.until(c.alive)
			before := len(p.out.String())
			p.press("\x03")
			if code := p.ended(); code != cmdline.ExitInterrupted {
				t.Errorf("ended with %d", code)
			}
			after := p.out.String()[before:]
			for _, want := range append(c.want, "interrupted") {
				if !strings.Contains(after, want) {
					t.Errorf("after Ctrl-C no %q in %q", want, tail(after, 2000))
				}
			}
		})
	}
}
