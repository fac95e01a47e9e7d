package flagrule_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/flagrule"
)

func TestRules(t *testing.T) {
	for line, want := range map[string]string{
		"":                        "",
		"--file x":                "",
		"--file=":                 "--file: the value is empty",
		"--plies 2":               "--plies: needs --truth",
		"--plies 0":               "--plies: needs --truth",
		"--truth=false --plies 2": "--plies: needs --truth",
		"--truth --plies 2":       "",
		"--truth --games 3":       "--games: does not go with --truth",
		"--games 3":               "",
		"--games 3 --file x":      "",
	} {
		cmd := &cobra.Command{}
		cmd.Flags().String("file", "", "")
		cmd.Flags().Bool("truth", false, "")
		cmd.Flags().Int("plies", 0, "")
		cmd.Flags().Int("games", 0, "")
		if err := cmd.ParseFlags(strings.Fields(line)); err != nil {
			t.Fatal(err)
		}
		err := cmp.Or(flagrule.NotEmpty(cmd, "file"), flagrule.Needs(cmd, "truth", "plies"), flagrule.Apart(cmd, "truth", "games"))
		if got := fmt.Sprint(err); got != cmp.Or(want, "<nil>") {
			t.Errorf("%q: %v, want %q", line, err, want)
		}
	}
}
