package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"fibsbot/bearoff"
	"fibsbot/bot/bgammon"
	"fibsbot/bot/fibs"
	"fibsbot/bot/host"
	"fibsbot/bot/notify"
	"fibsbot/bot/protocol"
	"fibsbot/bot/strength"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/config"
	"fibsbot/engine"
	"fibsbot/engine/preset"
	"fibsbot/engine/search"
	"fibsbot/internal/figure"
	"fibsbot/weights"
)

const defaultConfig = engineflags.DefaultConfig

// knownNames lists what this build has.
func knownNames() config.Known {
	k := config.Known{Presets: preset.Names(), Weights: func(file string) error {
		_, err := weights.Load(file)
		return err
	}}
	k.Outside = func(e config.OutsideEngine) error {
		spec := host.SpecOf(e)
		return spec.Check()
	}
	k.Protocols, k.Strength = describedProtocols(protocols), strength.Check
	k.Table = func(name string) error {
		_, err := engine.LoadTable(name)
		return err
	}
	for _, f := range search.Filters() {
		k.Filters = append(k.Filters, f.Name)
	}
	return k
}

// loadConfig reads and checks a configuration; every problem is one line.
func loadConfig(file string) (*config.Config, error) {
	c, src, err := config.Load(file)
	if err != nil {
		return nil, cmdline.AsUsage(err)
	}
	if errs := config.Check(c, src, knownNames()); len(errs) > 0 {
		return nil, cmdline.AsUsage(errs)
	}
	return c, nil
}

// configIf reads file, or bot.yaml if file is empty; nil if there is no bot.yaml.
func configIf(file string) (*config.Config, error) {
	c, _, err := config.Load(cmp.Or(file, defaultConfig))
	if file == "" && errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return c, cmdline.AsUsage(err)
}

func newConfigCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "config"}
	cmd.AddCommand(newConfigInitCmd(), newConfigCheckCmd(), newConfigShowCmd(), newConfigSchemaCmd())
	return cmd
}

func newConfigInitCmd() *cobra.Command {
	var force bool
	cmd := cmdline.New("init [FILE]", func(cmd *cobra.Command, args []string) error {
		file := defaultConfig
		if len(args) == 1 {
			file = args[0]
		}
		if file == "-" {
			_, err := cmd.OutOrStdout().Write(config.Render())
			return err
		}
		what := "written"
		old, err := os.ReadFile(file)
		switch {
		case err == nil && bytes.Equal(old, config.Render()): // as in a clone of the source
			what = "is there, unchanged"
		case err == nil && !force:
			return cmdline.Usagef("config init: %s exists (--force overwrites it)", file)
		case err != nil && !errors.Is(err, os.ErrNotExist):
			return cmdline.AsUsage(err)
		default:
			if err := writeFileAtomic(file, config.Render()); err != nil {
				return cmdline.AsUsage(err)
			}
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s %s: set accounts[0].name and the password, then run `fibsbot config check %s`\n", file, what, file)
		return nil
	})
	cmd.Flags().BoolVar(&force, "force", false, "overwrite an existing file")
	return cmd
}

// configFile adds -c to a command and returns where its value will be; a FILE
// argument goes before it.
func configFile(cmd *cobra.Command) func(args []string) string {
	flag := cmd.Flags().StringP("config", "c", defaultConfig, "configuration file")
	return func(args []string) string {
		if len(args) > 0 {
			return args[0]
		}
		return *flag
	}
}

func newConfigCheckCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "check [FILE]", Args: cobra.MaximumNArgs(1)}
	file := configFile(cmd)
	try := cmd.Flags().Bool("notify", false, "send a test event through every channel under notify")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		known := knownNames()
		known.Bearoff = bearoff.Unusable // run does without
		c, src, err := config.Problems(file(args), known)
		if err != nil {
			return cmdline.AsUsage(err)
		}
		for _, w := range config.Warnings(c, src, known) {
			fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: warning: %v\n", w)
		}
		if *try {
			if c.Notify.Command == "" && c.Notify.Webhook == "" && c.Notify.HeartbeatURL == "" {
				return cmdline.Usagef("%s: notify: no command, webhook or heartbeat_url (set one of them)", file(args))
			}
			if err := notify.Try(cmd.Context(), &c.Notify); err != nil {
				return cmdline.AsUsage(err)
			}
			fmt.Fprintln(cmd.OutOrStdout(), "a test event was sent through every channel under notify")
		}
		n := 0
		for _, a := range c.Accounts {
			if !a.Disabled {
				n++
			}
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s: no problems; %s on %s, preset %s\n", file(args), figure.Count(n, "account"), c.Server.Address, c.Strength.Preset)
		return nil
	}
	return cmd
}

func newConfigShowCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "show [FILE]", Args: cobra.MaximumNArgs(1)}
	file := configFile(cmd)
	cmdline.AddJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, _, err := config.Load(file(args))
		if err != nil {
			return cmdline.AsUsage(err)
		}
		show := config.Show
		if cmdline.JSON(cmd) {
			show = config.ShowJSON
		}
		out, err := show(c)
		if err != nil {
			return err
		}
		_, err = cmd.OutOrStdout().Write(out)
		return err
	}
	return cmd
}

func newConfigSchemaCmd() *cobra.Command {
	return cmdline.New("schema", func(cmd *cobra.Command, _ []string) error {
		out, err := config.Schema()
		if err != nil {
			return err
		}
		_, err = cmd.OutOrStdout().Write(out)
		return err
	})
}

// protocols are the kinds of servers that server.protocol can name.
var protocols = []protocol.Protocol{fibs.Protocol{}, bgammon.Protocol{}}

// protocolOf is the protocol that a configuration names, which was checked.
func protocolOf(name string) protocol.Protocol {
	for _, p := range protocols {
		if p.Name() == name {
			return p
		}
	}
	return protocols[0]
}

// describedProtocols are the protocols as the check of a configuration needs them.
func describedProtocols(protocols []protocol.Protocol) (list []config.Protocol) {
	for _, p := range protocols {
		d := config.Protocol{Name: p.Name(), Opens: p.Rules().Opens, Watches: watches(p)}
		if c, ok := p.(interface {
			CheckName(name string) error
			CheckAddress(address string) error
		}); ok {
			d.CheckName, d.CheckAddress = c.CheckName, c.CheckAddress
		}
		list = append(list, d)
	}
	return list
}

// watches reports whether the matches of others can be watched on a server.
func watches(pr protocol.Protocol) bool {
	_, err := pr.Encode(protocol.Watch{Name: "player"})
	return err == nil
}
