package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func TestComplete_wordsOfFlagsAndArguments(t *testing.T) {
	for _, tt := range []struct {
		line, want string
	}{
		{"hint --preset w", "worldclass"},
		{"rollout --opponent-cube-preset gr", "grandmaster"},
		{"eval --filter l", "large"},
		{"analyse --format h", "html"},
		{"archive export --format o", "oldmoves"},
		{"duel exp", "expert"},
		{"bearoff build h", "hyper"},
	} {
		code, out, errOut := cli(t, append([]string{"__complete"}, strings.Fields(tt.line)...)...)
		if code != 0 || !slices.Contains(strings.Split(out, "\n"), tt.want) { // the shell filters
			t.Errorf("%s: status %d, %q without %q\n%s", tt.line, code, out, tt.want, errOut)
		}
	}
}

// TestComplete_everyEntryIsUsed: a renamed command or flag leaves no dead words.
func TestComplete_everyEntryIsUsed(t *testing.T) {
	found := map[string]bool{}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		_, path, _ := strings.Cut(c.CommandPath(), " ")
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			found[f.Name], found[path+" "+f.Name] = true, true
		})
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRootCmd())
	for key := range flagWords {
		if !found[key] {
			t.Errorf("flagWords has %q, which no command has", key)
		}
	}
}
