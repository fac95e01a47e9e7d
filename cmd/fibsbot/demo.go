package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fibsbot/bot/demo"
	"fibsbot/bot/ops"
	"fibsbot/cmd/fibsbot/internal/web"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/engine"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/internal/atomicfile"
)

func newDemoCmd() *cobra.Command {
	var f demo.Options
	var config string // file with own presets
	var pages bool
	cmd := cmdline.New("demo", func(cmd *cobra.Command, _ []string) error {
		if f.Matches < 1 {
			return cmdline.Usagef("--matches: %d is too few (minimum 1)", f.Matches)
		}
		if f.Length < 1 || f.Length > match.MaxLength {
			return cmdline.Usagef("--length: %d is not a match length (1 to %d)", f.Length, match.MaxLength)
		}
		if err := cmdline.WantFolder("--archive", f.Archive); err != nil {
			return err
		}
		f.Find = func(name string) (preset.Preset, error) { return engineflags.FindPreset("--preset", name, config) }
		f.Terminal = cmdline.IsTerminal(cmd.OutOrStdout())
		if !cmd.Flags().Changed("web") {
			pages = f.Terminal
		}
		p := demoPages{archive: f.Archive}
		defer p.close()
		if pages {
			f.Pages = func(bots func(context.Context) (ops.Status, error)) (string, error) { return p.open(cmd, bots) }
		}
		err := demo.Run(cmd.Context(), f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		if errors.Is(err, demo.ErrInterrupted) {
			return cmdline.ErrInterrupted
		}
		if errors.Is(err, demo.ErrProtocol) {
			return cmdline.Usagef("--protocol: %w", err)
		}
		if err != nil || !pages {
			return err
		}
		return p.stay(cmd)
	})
	fl := cmd.Flags()
	fl.IntVar(&f.Matches, "matches", 1, "number of matches")
	fl.IntVar(&f.Length, "length", 3, "match length in points, 1 to 99")
	fl.StringVar(&f.Archive, "archive", filepath.Join("logs", "archive"), "archive folder")
	fl.Uint64Var(&f.Seed, "seed", 0, "seed of the dice; the same seed gives the same matches (0: random)")
	fl.BoolVar(&f.Fast, "fast", false, "play at full speed")
	fl.StringVar(&f.Protocol, "protocol", demo.Protocols()[0], "protocol of the embedded server: "+strings.Join(demo.Protocols(), ", "))
	fl.BoolVar(&f.Chaos, "chaos", false, "damage the connections: breaks, delays, split and glued lines")
	fl.BoolVar(&pages, "web", false, "show the bots, and then their matches, in the browser (default on a terminal)")
	fl.StringVar(&f.Preset, "preset", "", "strength of both bots (default worldclass, with --fast expert)")
	engineflags.AddPresets(cmd, &config)
	return cmd
}

// demoAddress is where the pages of a demo are, if nothing else is there.
const demoAddress = "127.0.0.1:8080"

// demoPages are the pages of a demo: the bots while they play, then the review of their matches.
type demoPages struct {
	archive string
	url     string // of all pages
	served  chan error
	closers []func()
}

// open serves the pages until the command ends, and returns the address of the bots.
func (p *demoPages) open(cmd *cobra.Command, bots func(context.Context) (ops.Status, error)) (string, error) {
	ctx := cmd.Context()
	ln, err := listen(ctx, demoAddress)
	if errors.Is(err, errInUse) {
		ln, err = listen(ctx, "127.0.0.1:0")
	}
	if err != nil {
		return "", err
	}
	p.closers = append(p.closers, func() { ln.Close() })
	e, err := engine.Open(engine.Options{})
	if err != nil {
		return "", err
	}
	p.closers = append(p.closers, func() { e.Close() })
	if err := atomicfile.MkdirPrivate(p.archive); err != nil {
		return "", fmt.Errorf("archive: %w", err)
	}
	opts := web.Options{Version: buildVersion().Version}
	opts.API.Analyse, opts.API.Look = true, time.Second
	opts.API.Bots = func(ctx context.Context) (ops.Status, error) {
		st, err := bots(ctx)
		st.Version = opts.Version
		return st, err
	}
	site, err := openSite(ctx, opts, e, p.archive, "")
	if err != nil {
		return "", err
	}
	p.closers = append(p.closers, site.Close)
	p.served = make(chan error, 1)
	go func() { p.served <- site.Serve(ctx, ln) }()
	p.url = webURLs(demoAddress, ln.Addr(), "")[0]
	return p.url + "bots", nil
}

// stay serves the pages until the user ends the command.
func (p *demoPages) stay(cmd *cobra.Command) error {
	if _, err := fmt.Fprintf(cmd.ErrOrStderr(), "\nReview what they played at %smatches (Ctrl-C ends)\n", p.url); err != nil {
		return err
	}
	return <-p.served
}

// close closes what was opened, the last first.
func (p *demoPages) close() {
	for _, c := range slices.Backward(p.closers) {
		c()
	}
}
