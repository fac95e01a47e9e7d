package main

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/farmcmd"
	"fibsbot/internal/sanitize"
	"fibsbot/internal/version"
)

// newRootCmd builds the whole command tree. There are no package variables: a
// test makes as many trees as it likes.
func newRootCmd() *cobra.Command {
	root := &cobra.Command{
		Use:   "fibsbot",
		Short: "A backgammon bot for FIBS, with its own engine, server and archive",
		Long: `fibsbot plays backgammon on FIBS-compatible servers, archives every match,
analyses them, and brings a server of its own to try all that without an account.

Results go to stdout, logs and progress to stderr. Exit status: 0 done, 1 failed
at run time, 2 wrong input, flag or configuration, 130 interrupted.

A POSITION is a gnubg Position ID, PositionID:MatchID, an XGID, an OGID or a FIBS board: line.`,
		Version: buildVersion().text(),
		Example: `  fibsbot demo                        watch two bots play a match, no account needed
  fibsbot demo --fast --matches 20 --length 5
  fibsbot server                      a FIBS-compatible server on 127.0.0.1:4321
  fibsbot version`,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.AddCommand(
		newAnalyseCmd(),
		newAnnotateCmd(),
		newArchiveCmd(),
		newConfigCmd(),
		newBearoffCmd(),
		newRolloutCmd(),
		newConvertCmd(),
		newBoardCmd(),
		newMetCmd(),
		newVersionCmd(),
		newPlayCmd(),
		newDiceCmd(),
		newDemoCmd(),
		newRunCmd(),
		newServerCmd(),
		newWatchCmd(),
		newStatusCmd(),
		newWebCmd(),
		newEvalCmd(),
		newHintCmd(),
		newEngineCmd(),
		newDuelCmd(),
		newBenchCmd(),
		newTuneCmd(),
		farmcmd.New(),
	)
	cmdline.Finish(root)
	completeWords(root)
	scrubbed(root, "analyse", "archive", "convert", "status")
	return root
}

// scrubbed makes commands that print what others wrote, names and comments in match
// files, print nothing that a terminal obeys. What convert writes to a pipe is a
// file and stays as it is.
func scrubbed(root *cobra.Command, names ...string) {
	for _, c := range root.Commands() {
		if slices.Contains(names, c.Name()) {
			c.PersistentPreRun = func(cmd *cobra.Command, _ []string) {
				if out := cmd.OutOrStdout(); c.Name() != "convert" || isTerminal(out) {
					cmd.SetOut(sanitize.Writer(out))
				}
			}
		}
	}
}

func newVersionCmd() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version of this build",
		Example: "  fibsbot version\n  fibsbot version --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := buildVersion()
			if asJSON {
				return printJSON(cmd.OutOrStdout(), v)
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), v.text())
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// versionInfo is what `version --json` prints.
type versionInfo struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

func (v versionInfo) text() string {
	return fmt.Sprintf("fibsbot %s (%s, %s/%s)", v.Version, v.Go, v.OS, v.Arch)
}

func buildVersion() versionInfo {
	v := versionInfo{Version: version.Number(), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	v.Revision, v.Modified = version.Revision()
	return v
}
