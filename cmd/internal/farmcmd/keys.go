package farmcmd

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/farm"
)

func newCancelCmd() *cobra.Command {
	var f Flags
	var readmit string
	var asJSON bool
	cmd := &cobra.Command{
		Use:  "cancel [JOB]",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if (len(args) == 1) == (readmit != "") {
				return cmdline.Usagef("farm cancel: give a JOB or --readmit NAME")
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
					fmt.Sprintf("%s is admitted again; it was excluded: %s", readmit, why))
			}
			gone, err := c.Cancel(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			text := fmt.Sprintf("%s is cancelled: %d results deleted", gone.ID, gone.Results)
			if o := gone.Owner; o != nil {
				text += fmt.Sprintf(", process %d on %s ends", o.PID, o.Host)
			}
			return told(cmd.OutOrStdout(), asJSON, map[string]any{"cancelled": gone}, text)
		},
	}
	f.address(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	cmd.Flags().StringVar(&readmit, "readmit", "", "admit a machine again, by name or key")
	return cmd
}

// told prints the result of a command.
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
	var cluster bool
	cmd := &cobra.Command{
		Use:  "key NAME",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cmdline.Usagef("farm key: give one NAME")
			}
			r := farm.Role(role)
			if r != farm.RoleWork && r != farm.RoleSubmit {
				return cmdline.Usagef("--role: unknown role %q (use work or submit)", role)
			}
			if strings.TrimSpace(args[0]) == "" {
				return cmdline.Usagef("farm key: the name is empty")
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
	dataFlag(cmd.Flags(), &dir)
	cmd.Flags().BoolVar(&cluster, "cluster", false, "print an entry for a NATS cluster of your own")
	cmd.Flags().StringVar(&role, "role", "work", "what the key allows: work, or submit (and cancel and status)")
	cmd.Flags().StringVarP(&out, "output", "o", "", "key file to write (default NAME.key)")
	return cmd
}
