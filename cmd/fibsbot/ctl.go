package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fibsbot/bot/ops"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/config"
)

// asking are the flags that say which running bot is asked.
type asking struct{ file, socket string }

func (a *asking) flags(cmd *cobra.Command) {
	cmd.PersistentFlags().StringVarP(&a.file, "config", "c", defaultConfig, "configuration of the running fibsbot")
	cmd.PersistentFlags().StringVar(&a.socket, "socket", "", "status socket, instead of the one in the configuration")
}

// where returns the status socket.
func (a *asking) where(cmd *cobra.Command) (string, error) {
	if a.socket != "" {
		return a.socket, nil
	}
	c, _, err := config.Load(a.file)
	if errors.Is(err, os.ErrNotExist) && !cmd.Flags().Changed("config") {
		return "", cmdline.Usagef("%s: no %s here (give -c FILE or --socket FILE)", strings.TrimPrefix(cmd.CommandPath(), "fibsbot "), a.file)
	}
	if err != nil {
		return "", cmdline.AsUsage(err)
	}
	return statusSocket(c), nil
}

func newCtlCmd() *cobra.Command {
	var from asking
	var account string
	cmd := &cobra.Command{Use: "ctl"}
	from.flags(cmd)
	cmd.PersistentFlags().StringVar(&account, "account", "", "account that the order is for (default all)")
	cmd.PersistentFlags().Bool("json", false, "print one JSON document")
	for _, kind := range ops.Orders {
		name := kind.Name
		cmd.AddCommand(&cobra.Command{
			Use: strings.TrimSpace(name + " " + kind.Args), Short: kind.Short, Example: strings.TrimRight("  fibsbot ctl "+name+" "+kind.Example, " "),
			RunE: func(cmd *cobra.Command, args []string) error {
				o := ops.Order{Order: name, Account: account, Args: args}
				if _, err := o.Check(); err != nil {
					return cmdline.Usagef("ctl %s: %v", name, err)
				}
				where, err := from.where(cmd)
				if err != nil {
					return err
				}
				r, err := ops.Give(cmd.Context(), where, o)
				switch {
				case err != nil:
					return err
				case r.Misused:
					return cmdline.Usagef("ctl %s: %s", name, r.Answer)
				case cmdline.JSON(cmd):
					err = cmdline.PrintJSON(cmd.OutOrStdout(), r)
				case r.Done:
					fmt.Fprintln(cmd.OutOrStdout(), r.Answer)
				}
				if err == nil && !r.Done {
					err = errors.New("ctl " + name + ": " + r.Answer)
				}
				return err
			},
		})
	}
	return cmd
}

func newStatusCmd() *cobra.Command {
	var from asking
	var address string
	cmd := cmdline.New("status", func(cmd *cobra.Command, _ []string) error {
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
		return cmdline.AnswerBy(cmd, st, func(w io.Writer) error { return st.Print(w, time.Now()) })
	})
	from.flags(cmd)
	fl := cmd.Flags()
	fl.StringVar(&address, "address", "", "address of operations.listen")
	cmdline.AddJSON(cmd)
	return cmd
}
