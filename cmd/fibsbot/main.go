// Command fibsbot plays backgammon: it logs in to a FIBS server, plays whole
// matches, archives and analyses them, and carries its own engine and server.
package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"net"
	"runtime"
	"slices"
	"strings"

	// Hours in bot.yaml are local time; a container without a zone database still
	// has TZ.
	_ "time/tzdata"

	"github.com/spf13/cobra"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/review"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/farmcmd"
	"fibsbot/cmd/internal/help"
	"fibsbot/engine/external"
	"fibsbot/engine/record/detect"
	"fibsbot/internal/sanitize"
	"fibsbot/internal/version"
)

func main() { cmdline.Main(run) }

// run executes one command line and returns the exit status: the whole program except
// signals.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	return cmdline.Run(ctx, newRootCmd(), args, in, out, errOut)
}

// commandTexts are the texts of the commands, see help.Fill.
//
//go:embed commands.txt
var commandTexts string

// newRootCmd builds the whole command tree. Nothing is kept in package variables, so tests
// can build several trees.
func newRootCmd() *cobra.Command {
	root := &cobra.Command{Use: "fibsbot", Version: buildVersion().text()}
	root.SetVersionTemplate("{{.Version}}\n")
	root.AddCommand(newAnalyseCmd(), newAnnotateCmd(), newArchiveCmd(), newConfigCmd(), newBearoffCmd(), newRolloutCmd(), newConvertCmd(),
		newBoardCmd(), newMetCmd(), newVersionCmd(), newPlayCmd(), newDiceCmd(), newDemoCmd(), newRunCmd(), newServerCmd(), newWatchCmd(),
		newStatusCmd(), newCtlCmd(), newWebCmd(), newEvalCmd(), newHintCmd(), newOpeningCmd(), newQuizCmd(), newCollectionCmd(),
		newEngineCmd(), newDuelCmd(), newTournamentCmd(), newBenchCmd(), newTuneCmd(), farmcmd.New())
	help.Fill(root, commandTexts, map[string]string{
		"FORMATS": detect.Names("  ", 80), "PRESET": review.AutoPreset, "STATISTICS": strings.Join(index.StatisticNames(), ", "), "REQUESTS": external.Requests,
	})
	cmdline.Finish(root)
	completeWords(root)
	helpStyle().Install(root)
	scrubbed(root, "analyse", "archive", "convert", "status", "ctl")
	return root
}

// scrubbed removes terminal control sequences from the output of commands that print names
// and comments of other people. What convert writes to a pipe is a file and is unchanged.
func scrubbed(root *cobra.Command, names ...string) {
	for _, c := range root.Commands() {
		if slices.Contains(names, c.Name()) {
			c.PersistentPreRun = func(cmd *cobra.Command, _ []string) {
				if out := cmd.OutOrStdout(); c.Name() != "convert" || cmdline.IsTerminal(out) {
					cmd.SetOut(sanitize.Writer(out))
				}
			}
		}
	}
}

func newVersionCmd() *cobra.Command {
	cmd := cmdline.New("version", func(cmd *cobra.Command, _ []string) error {
		v := buildVersion()
		return cmdline.Answer(cmd, v, v.text()+"\n")
	})
	cmdline.AddJSON(cmd)
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

func complain(w io.Writer, err error) { cmdline.Complain(w, "fibsbot", err) }

// listening is the address of a listener with the host as the user wrote it: Go shows
// 0.0.0.0 as [::].
func listening(named string, a net.Addr) string {
	host, _, err := net.SplitHostPort(named)
	_, port, err2 := net.SplitHostPort(a.String())
	if err != nil || err2 != nil || host == "" {
		return a.String()
	}
	return net.JoinHostPort(host, port)
}
