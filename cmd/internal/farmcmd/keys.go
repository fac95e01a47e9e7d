package farmcmd

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/farm"
)

func newCancelCmd() *cobra.Command {
	var f Flags
	var readmit string
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "cancel [JOB]",
		Short:   "End a job and drop what is stored of it",
		Example: "  fibsbot farm cancel rollout-8a31c07f1b22 --farm tls://desk:4333 --farm-key submit.key\n  fibsbot farm cancel --readmit kitchen --farm tls://desk:4333 --farm-key submit.key",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if (len(args) == 1) == (readmit != "") {
				return cmdline.Usagef("name a job, or a machine with --readmit")
			}
			c, err := f.dial()
			if err != nil {
				return err
			}
			defer c.Close()
			if readmit != "" {
				why, err := c.Readmit(cmd.Context(), readmit)
				if err != nil {
					return err
				}
				return told(cmd.OutOrStdout(), asJSON, map[string]string{"readmitted": readmit, "was_left_out": why},
					fmt.Sprintf("%s may come again; it was left out: %s", readmit, why))
			}
			gone, err := c.Cancel(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			text := fmt.Sprintf("%s is cancelled: %d results are dropped", gone.ID, gone.Results)
			if o := gone.Owner; o != nil {
				text += fmt.Sprintf(", process %d on %s ends", o.PID, o.Host)
			}
			return told(cmd.OutOrStdout(), asJSON, map[string]any{"cancelled": gone}, text)
		},
	}
	f.address(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	cmd.Flags().StringVar(&readmit, "readmit", "", "name or key of a machine that was left out, to let it in again")
	return cmd
}

// told prints what a command has done.
func told(w io.Writer, asJSON bool, v any, text string) error {
	if !asJSON {
		_, err := fmt.Fprintln(w, text)
		return err
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

func newKeyCmd() *cobra.Command {
	var dir, role, out string
	var cluster, renew bool
	cmd := &cobra.Command{
		Use:   "key NAME",
		Short: "Make a key for a worker or a person, or renew what keys trust",
		Long: `Makes a key file for NAME and lets it into the farm in --data, within a second where a
server runs there. Taking its line out of the file users there withdraws it.

With --cluster the key is for a NATS cluster that others run: what is printed goes into the
list authorization.users of its configuration.

With --renew the farm's authority for certificates, which is made for ten years, lasts ten
from now, and submit.key, work.key and the key files named trust it for as long: farm status
tells when that is due. Other key files are let in until the old end; put ca.pem of --data
behind what is in them. No worker need be started again for it.`,
		Example: "  fibsbot farm key kitchen\n  fibsbot farm key alice --role submit -o alice.key\n  fibsbot farm key kitchen --cluster >> farm-users.conf",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if renew {
				for _, other := range []string{"role", "output", "cluster"} {
					if cmd.Flags().Changed(other) {
						return cmdline.Usagef("--renew makes no key: --%s does not go with it", other)
					}
				}
				return renewAuthority(cmd.OutOrStdout(), dir, args)
			}
			if len(args) != 1 {
				return cmdline.Usagef("farm key: one name, please")
			}
			r := farm.Role(role)
			if r != farm.RoleWork && r != farm.RoleSubmit {
				return cmdline.Usagef("--role: %q is neither work nor submit", role)
			}
			if strings.TrimSpace(args[0]) == "" {
				return cmdline.Usagef("farm key: a key needs a name")
			}
			if out == "" {
				out = args[0] + ".key"
			}
			if cluster {
				entry, err := farm.NewClusterKey(args[0], r, out)
				if err == nil {
					fmt.Fprint(cmd.OutOrStdout(), entry)
					fmt.Fprintln(cmd.ErrOrStderr(), "fibsbot: the key is in "+out)
				}
				return err
			}
			if err := farm.NewKey(dir, args[0], r, out); err != nil {
				return err
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), out)
			return err
		},
	}
	cmd.Flags().StringVar(&dir, "data", farmDir(), "folder of the farm")
	cmd.Flags().BoolVar(&cluster, "cluster", false, "for a NATS cluster run by others: print its user for their configuration")
	cmd.Flags().BoolVar(&renew, "renew", false, "renew the farm's authority for certificates, also in the key files named")
	cmd.Flags().StringVar(&role, "role", "work", "what it may do: work, or submit (and cancel, and see everything)")
	cmd.Flags().StringVarP(&out, "output", "o", "", "key file to write (default NAME.key)")
	return cmd
}

func renewAuthority(w io.Writer, dir string, files []string) error {
	end, written, err := farm.RenewAuthority(dir, time.Now(), files...)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "the farm of %s has its authority until %s; written to %s\n", dir, end.UTC().Format(time.DateOnly), strings.Join(append(written, "ca.pem"), ", "))
	return err
}
