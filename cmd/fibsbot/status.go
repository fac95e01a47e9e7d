package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"fibsbot/bot/ops"
	"fibsbot/config"
)

func newStatusCmd() *cobra.Command {
	var file, socket, address string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show what a running fibsbot is doing",
		Long: `Asks the fibsbot that runs with this configuration, through the socket beside its
logs or the address of operations.listen, and prints one line for each account.
Exit status 1 when none is running.`,
		Example: `  fibsbot status
  fibsbot status --json
  fibsbot status -c /etc/fibsbot/bot.yaml
  fibsbot status --address 127.0.0.1:9321`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			where := socket
			if address != "" {
				if socket != "" {
					return usagef("--socket and --address: give one of them")
				}
				if _, _, err := net.SplitHostPort(address); err != nil {
					return usagef("--address %q is no host:port", address)
				}
				where = address
			}
			if where == "" {
				c, _, err := config.Load(file)
				if errors.Is(err, os.ErrNotExist) && !cmd.Flags().Changed("config") {
					return usagef("there is no %s here: which fibsbot? Give -c FILE, --socket or --address", file)
				}
				if err != nil {
					return asUsage(err)
				}
				where = statusSocket(c)
			}
			st, err := ops.Ask(cmd.Context(), where)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), st)
			}
			return printStatus(cmd.OutOrStdout(), st, time.Now())
		},
	}
	fl := cmd.Flags()
	fl.StringVarP(&file, "config", "c", defaultConfig, "configuration of the running fibsbot")
	fl.StringVar(&socket, "socket", "", "its status socket, instead of looking it up in the configuration")
	fl.StringVar(&address, "address", "", "its operations.listen address")
	fl.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// printStatus writes a line for the process and one for each account.
func printStatus(w io.Writer, st ops.Status, now time.Time) error {
	state := "running"
	if st.Draining {
		state = "leaving"
	}
	if _, err := fmt.Fprintf(w, "fibsbot %s %s for %s, %s\n", st.Version, state, now.Sub(st.Started).Round(time.Second), st.Config); err != nil {
		return err
	}
	if st.ConfigError != "" {
		fmt.Fprintf(w, "the last reload failed: %s\n", st.ConfigError)
	}
	if st.IndexError != "" {
		fmt.Fprintf(w, "the index does not work: %s\n", st.IndexError)
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "ACCOUNT\tSTATE\tRATING\tWON\tMATCH\tPRESET\tLAST LINE\tNOTE")
	for _, a := range st.Accounts {
		match := a.Match
		if a.Opponent != "" {
			match = a.Opponent + " " + match
		}
		last := ""
		if !a.LastLine.IsZero() {
			last = now.Sub(a.LastLine).Round(time.Second).String() + " ago"
		}
		note := a.Error
		if note == "" {
			note = a.Waiting
		}
		if a.Journal != "" && a.Waiting == "" {
			note = a.Journal // its end is what it waits for
		}
		fmt.Fprintf(tw, "%s\t%s\t%.2f\t%d/%d\t%s\t%s\t%s\t%s\n", a.Name, a.State, a.Rating, a.Won, a.Finished, match, a.Preset, last, note)
	}
	return tw.Flush()
}
