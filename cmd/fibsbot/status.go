package main

import (
	"net"
	"time"

	"github.com/spf13/cobra"

	"fibsbot/bot/ops"
	"fibsbot/cmd/internal/cmdline"
)

func newStatusCmd() *cobra.Command {
	var from asking
	var address string
	var asJSON bool
	cmd := &cobra.Command{
		Use:  "status",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			where := address
			switch {
			case address == "":
				var err error
				if where, err = from.where(cmd); err != nil {
					return err
				}
			case from.socket != "":
				return cmdline.Usagef("--socket and --address: give only one")
			default:
				if _, _, err := net.SplitHostPort(address); err != nil {
					return cmdline.Usagef("--address: %q is not HOST:PORT (as 127.0.0.1:9321)", address)
				}
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
	from.flags(cmd)
	fl := cmd.Flags()
	fl.StringVar(&address, "address", "", "address of operations.listen")
	fl.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
