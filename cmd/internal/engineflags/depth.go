package engineflags

import (
	"fmt"

	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/analyse"
	"fibsbot/engine/search"
)

// Depth are the flags that switch parts of an analysis off and choose the depth of luck.
type Depth struct {
	skip analyse.Skip
	luck int
}

// Add adds the flags to a command.
func (d *Depth) Add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.BoolVar(&d.skip.Checker, "no-checker", false, "do not analyse checker plays")
	fl.BoolVar(&d.skip.Cube, "no-cube", false, "do not analyse cube decisions")
	fl.BoolVar(&d.skip.Luck, "no-luck", false, "do not measure luck")
	fl.Var(bounded.Of(&d.luck, 0, 0, search.MaxPlies-1), "luck-plies", fmt.Sprintf("look-ahead for luck, 0 to %d (default as the analysis, at most 1)", search.MaxPlies-1))
	fl.Lookup("luck-plies").DefValue = ""
}

// Set makes a follow the flags. It fails where they contradict each other.
func (d *Depth) Set(cmd *cobra.Command, a *analyse.Analyst) error {
	a.Skip = d.skip
	if !cmd.Flags().Changed("luck-plies") {
		return nil
	}
	if d.skip.Luck {
		return cmdline.Usagef("--luck-plies: does not go with --no-luck")
	}
	a.LuckPlies = d.luck
	return nil
}
