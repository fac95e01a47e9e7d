package main

import (
	"errors"
	"net"
	"os"
	"time"

	"github.com/spf13/cobra"

	"fibsbot/bot/ops"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/config"
)

func newStatusCmd() *cobra.Command {
	var file, socket, address string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show what a running bot is doing",
		Long: `Asks the fibsbot that runs with this configuration, through the socket beside its
logs or the address of operations.listen, and prints one line for each account.
The exit status is 1 if no fibsbot is running.`,
		Example: `  fibsbot status
  fibsbot status --json
  fibsbot status -c /etc/fibsbot/bot.yaml
  fibsbot status --address 127.0.0.1:9321`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			where := socket
			if address != "" {
				if socket != "" {
					return cmdline.Usagef("--socket and --address: give only one")
				}
				if _, _, err := net.SplitHostPort(address); err != nil {
					return cmdline.Usagef("--address: %q is not HOST:PORT (as 127.0.0.1:9321)", address)
				}
				where = address
			}
			if where == "" {
				c, _, err := config.Load(file)
				if errors.Is(err, os.ErrNotExist) && !cmd.Flags().Changed("config") {
					return cmdline.Usagef("status: no %s here (give -c FILE, --socket FILE or --address HOST:PORT)", file)
				}
				if err != nil {
					return cmdline.AsUsage(err)
				}
				where = statusSocket(c)
			}
			st, err := ops.Ask(cmd.Context(), where)
			if err != nil {
				return err
			}
			if asJSON {
				return cmdline.PrintJSON(cmd.OutOrStdout(), st)
			}
			return st.Print(cmd.OutOrStdout(), time.Now())
		},
	}
	fl := cmd.Flags()
	fl.StringVarP(&file, "config", "c", defaultConfig, "configuration of the running fibsbot")
	fl.StringVar(&socket, "socket", "", "status socket, instead of the one in the configuration")
	fl.StringVar(&address, "address", "", "address of operations.listen")
	fl.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
