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
		Use:   "export DIR",
		Short: "Write the pages as a static site that needs no server",
		Long: `Writes a folder of static files for any web host: the rooms of fibsbot web, with the
engine compiled to WebAssembly. Everything is computed and stored in the visitor's
browser; nothing is sent away.

Releases have the engine in their folder browser, beside the program. In a clone of the
source, Go builds it. DIR is created; if it holds an earlier site, the new one replaces it.

With --module the folder gets the engine alone, as a JavaScript module for pages of your own
with its types and an example (docs/module.md).`,
		Example: `  fibsbot web export site
  python3 -m http.server -d site 8000
  fibsbot web export --module pages/fibsbot`,
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
