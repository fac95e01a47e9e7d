package main

import (
	"fmt"
	"net"
	"time"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibsbot/internal/web"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/engine/bench"
	"fibsbot/engine/external"
	"fibsbot/engine/preset"
	"fibsbot/engine/search"
)

func newEngineCmd() *cobra.Command {
	var strength engineflags.Strength
	var parts engineflags.Engine
	var listen, address, tokenFile string
	var jacoby bool
	cmd := cmdline.New("engine", func(cmd *cobra.Command, _ []string) error {
		if listen != "" && address != "" {
			return cmdline.Usagef("--http: does not go with --listen (start a second engine)")
		}
		p, err := strength.Resolve(cmd)
		if err != nil {
			return err
		}
		e, err := parts.Open(cmd, strength.Seed)
		if err != nil {
			return err
		}
		defer e.Close()
		x := external.Player{Engine: e, Preset: p, Jacoby: jacoby, Version: "fibsbot " + buildVersion().Version}
		switch {
		case listen != "":
			return listenExternal(cmd, listen, x)
		case address != "":
			return serveNodots(cmd, address, tokenFile, x)
		}
		own := func(name string) (preset.Preset, error) {
			return engineflags.FindPreset("preset", name, strength.Config)
		}
		filter := func(name string) (search.Filter, error) { return engineflags.FindFilter(name, strength.Config) }
		l := external.Server{Engine: e, Preset: p, Seed: strength.Seed, Find: own, Filter: filter, Version: x.Version}
		l.Warn = func(text string) { fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: %s\n", text) }
		return l.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
	})
	engineflags.Add(cmd, &strength, &parts, "expert")
	engineflags.AddWithin(cmd, &strength)
	fl := cmd.Flags()
	fl.StringVar(&listen, "listen", "", "serve gnubg's external-player protocol there")
	fl.StringVar(&address, "http", "", "serve the Nodots engine protocol there")
	fl.StringVar(&tokenFile, "token-file", "", "with --http: file with the token that others need; created if missing")
	fl.BoolVar(&jacoby, "jacoby", true, "with --listen: use the Jacoby rule in money sessions")
	return cmd
}

// serveNodots serves the Nodots engine protocol until the command's context ends.
func serveNodots(cmd *cobra.Command, address, tokenFile string, x external.Player) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return cmdline.Usagef("--http: %q is not HOST:PORT (as 127.0.0.1:8090)", address)
	}
	var token string
	switch {
	case tokenFile != "":
		if token, err = web.TokenFrom(tokenFile); err != nil {
			return cmdline.Usagef("--token-file: %w", err)
		}
	case web.NeedsToken(address):
		return cmdline.Usagef("--http %s can be reached from other machines: give --token-file FILE as well", address)
	}
	var lc net.ListenConfig
	ln, err := lc.Listen(cmd.Context(), "tcp", address)
	if err != nil {
		return cmdline.Usagef("--http: %w", err)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: answering on http://%s/v1/health\n", listening(address, ln.Addr()))
	return web.Guarded(x.NodotsHandler(), token, []string{host}).Serve(cmd.Context(), ln)
}

// listenExternal serves gnubg's external-player protocol until the command's
// context ends.
func listenExternal(cmd *cobra.Command, address string, x external.Player) error {
	var lc net.ListenConfig
	ln, err := lc.Listen(cmd.Context(), "tcp", address)
	if err != nil {
		return cmdline.Usagef("--listen: %w", err)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: listening on %s\n", listening(address, ln.Addr()))
	return x.Serve(cmd.Context(), ln)
}

func newBenchCmd() *cobra.Command {
	var parts engineflags.Engine
	var seconds float64
	cmd := cmdline.New("bench", func(cmd *cobra.Command, _ []string) error {
		if !(seconds > 0 && seconds <= 3600) {
			return cmdline.Usagef("--seconds: %v is not a time (more than 0, at most 3600)", seconds)
		}
		parts.Threads = 1
		e, err := parts.Open(cmd, 1)
		if err != nil {
			return err
		}
		defer e.Close()
		e.Warm()
		out, err := bench.Measure(cmd.Context(), e, time.Duration(seconds*float64(time.Second)))
		if err != nil {
			return err
		}
		return cmdline.AnswerBy(cmd, out, out.Print)
	})
	engineflags.AddEngine(cmd, &parts)
	cmd.Flags().Float64Var(&seconds, "seconds", 1, "seconds to measure each figure")
	cmdline.AddJSON(cmd)
	return cmd
}
