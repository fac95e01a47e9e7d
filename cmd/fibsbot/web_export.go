package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibsbot/internal/web/browser"
	"fibsbot/cmd/internal/cmdline"
)

func newWebExportCmd() *cobra.Command {
	module := false
	cmd := &cobra.Command{
		Use:  "export DIR",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			version := buildVersion().Version
			p, err := browser.Find(cmd.Context(), version)
			if err != nil {
				return fmt.Errorf("web export: %w", err)
			}
			write, what := browser.Write, "the site is written"
			if module {
				write, what = browser.WriteModule, "the module is written"
			}
			err = write(args[0], version, p)
			if errors.Is(err, browser.ErrFolder) {
				return cmdline.Usagef("web export: %w", err)
			}
			if err != nil {
				return fmt.Errorf("web export: %w", err)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s (%.1f MB of engine); put the folder on any web host\n", args[0], what, float64(len(p.Packed))/1e6)
			return err
		},
	}
	cmd.Flags().BoolVar(&module, "module", false, "write a JavaScript module instead of the pages")
	return cmd
}
