package main

import (
	"errors"
	"net"
	"os"
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
			return st.Print(cmd.OutOrStdout(), time.Now())
		},
	}
	fl := cmd.Flags()
	fl.StringVarP(&file, "config", "c", defaultConfig, "configuration of the running fibsbot")
	fl.StringVar(&socket, "socket", "", "its status socket, instead of looking it up in the configuration")
	fl.StringVar(&address, "address", "", "its operations.listen address")
	fl.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
