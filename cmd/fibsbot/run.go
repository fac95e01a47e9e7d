package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/sirupsen/logrus"
	"github.com/spf13/cobra"

	"fibsbot/bot"
	"fibsbot/bot/host"
	"fibsbot/bot/ops"
	"fibsbot/cmd/fibsbot/internal/web"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/config"
	"fibsbot/engine"
)

// runFlags are the flags of `fibsbot run`.
type runFlags struct {
	file                          string
	server, account, passwordFile string
	preset, archive               string
	min, max, maxMatches          int
	once, dryRun, verbose         bool
}

func newRunCmd() *cobra.Command {
	var f runFlags
	cmd := cmdline.New("run", func(cmd *cobra.Command, _ []string) error { return f.run(cmd) })
	fl := cmd.Flags()
	fl.StringVarP(&f.file, "config", "c", defaultConfig, "configuration file")
	fl.BoolVar(&f.once, "once", false, "stop after the first finished match of each account")
	fl.IntVar(&f.maxMatches, "max-matches", 0, "stop after N finished matches of each account (0 for no limit)")
	fl.BoolVar(&f.dryRun, "dry-run", false, "log in and decide, but send nothing except keepalives")
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "log debug messages too")
	fl.StringVar(&f.server, "server", cmp.Or(os.Getenv("FIBSBOT_SERVER"), "127.0.0.1:4321"), "with --account: address of the server, or FIBSBOT_SERVER")
	fl.StringVar(&f.account, "account", os.Getenv("FIBSBOT_ACCOUNT"), "run this account without a bot.yaml; or FIBSBOT_ACCOUNT")
	fl.StringVar(&f.passwordFile, "password-file", "", "with --account: file with the password in its first line")
	fl.StringVar(&f.preset, "preset", "", "with --account: strength")
	fl.StringVar(&f.archive, "archive", "", "with --account: archive folder (default logs/archive)")
	fl.IntVar(&f.min, "min-length", 1, "with --account: shortest match accepted, in points")
	fl.IntVar(&f.max, "max-length", 13, "with --account: longest match accepted, in points")
	return cmd
}

// source is the configuration of a run: a watched file, or what the flags say.
type source struct {
	watcher *config.Watcher
	fixed   *config.Config
}

func (s source) current() *config.Config {
	if s.watcher != nil {
		return s.watcher.Current()
	}
	return s.fixed
}

// annotate adds the errors of the last read of the file to a status.
func (s source) annotate(st ops.Status) ops.Status {
	if s.watcher != nil {
		if err := s.watcher.Err(); err != nil {
			st.ConfigError = err.Error()
		}
	}
	return st
}

// source reads the configuration. --account on the command line, or in the
// environment while there is no file, does without one.
func (f *runFlags) source(cmd *cobra.Command) (source, error) {
	_, err := os.Stat(f.file)
	noFile := errors.Is(err, os.ErrNotExist) && !cmd.Flags().Changed("config")
	if cmd.Flags().Changed("account") || f.account != "" && noFile {
		c, err := f.config()
		return source{fixed: c}, err
	}
	if noFile {
		return source{}, cmdline.Usagef("run: no %s (fibsbot config init writes one; --account NAME runs without)", f.file)
	}
	w, err := config.NewWatcher(f.file, knownNames())
	return source{watcher: w}, cmdline.AsUsage(err)
}

// config makes a configuration from the flags.
func (f *runFlags) config() (*config.Config, error) {
	c := config.Default()
	c.Server.Address = f.server
	a := config.Account{Name: f.account, PasswordFile: f.passwordFile}
	if f.passwordFile == "" {
		a.PasswordEnv = "FIBSBOT_PASSWORD"
	}
	c.Accounts = []config.Account{a}
	c.Invitations.Length = config.Lengths{Min: f.min, Max: f.max}
	if f.preset != "" {
		c.Strength.Preset = f.preset
	}
	if f.archive != "" {
		c.Archive.Dir = f.archive
	}
	c.Logs.Dir = "" // one account by hand: the terminal is the log
	if f.verbose {
		c.Logs.Level = "debug"
	}
	if errs := config.Check(c, nil, knownNames()); len(errs) > 0 {
		return nil, f.wrong(errs[0])
	}
	return c, nil
}

// wrong is the usage error for a value of the configuration made by --account.
func (f *runFlags) wrong(e config.Error) error {
	switch {
	case e.Field != "accounts[0]":
		return cmdline.Usagef("%s: %s", flagOf(e.Field), e.Problem)
	case f.passwordFile != "":
		return cmdline.Usagef("--password-file: %s", strings.TrimPrefix(e.Problem, "password_file: "))
	case os.Getenv("FIBSBOT_PASSWORD") == "":
		return cmdline.Usagef("no password (set FIBSBOT_PASSWORD, or give --password-file FILE)")
	}
	return cmdline.Usagef("FIBSBOT_PASSWORD: %s", e.Problem)
}

// flagOf is the flag that set a key of the configuration made by --account.
func flagOf(key string) string {
	flags := map[string]string{
		"server.address": "--server", "accounts[0].name": "--account",
		"strength.preset": "--preset", "archive.dir": "--archive",
		"invitations.length.min": "--min-length", "invitations.length.max": "--max-length", "invitations.length": "--min-length and --max-length",
	}
	if f, ok := flags[key]; ok {
		return f
	}
	return key
}

func (f *runFlags) run(cmd *cobra.Command) error {
	if f.maxMatches < 0 {
		return cmdline.Usagef("--max-matches: %d is negative (0 means no limit)", f.maxMatches)
	}
	if f.once && cmd.Flags().Changed("max-matches") {
		return cmdline.Usagef("--once and --max-matches: give only one")
	}
	if f.once {
		f.maxMatches = 1
	}
	src, err := f.source(cmd)
	if err != nil {
		return err
	}
	ops.Thrift()
	c := src.current()
	log, closeLog, err := host.OpenLog(c, f.verbose, cmd.ErrOrStderr(), cmdline.IsTerminal(cmd.ErrOrStderr()))
	if err != nil {
		return cmdline.AsUsage(err)
	}
	defer closeLog()
	eng, err := openEngine(c, host.EngineThreads(c), func(text string) { log.Warn(text) })
	if err != nil {
		return cmdline.AsUsage(err)
	}
	defer eng.Close()
	opt := host.Options{
		Config: src.current, Engine: eng, Log: log, CloseLog: closeLog, Version: buildVersion().Version, ConfigFile: f.file,
		Protocols: protocols, Metrics: ops.NewMetrics(), MaxMatches: f.maxMatches, DryRun: f.dryRun,
	}
	if src.watcher != nil {
		opt.Reload = src.watcher.Reload
	}
	h, err := host.New(opt)
	if err != nil {
		return cmdline.AsUsage(err)
	}
	// Claim first: "the port is in use" would hide that the same bot runs already.
	if err = h.Claim(); err == nil {
		var at *config.Source
		if src.watcher != nil {
			at = &config.Source{File: f.file}
		}
		for _, w := range config.Warnings(c, at, knownNames()) {
			log.WithField("key", w.Field).Warn(w.Problem)
		}
		if src.watcher != nil {
			src.watcher.Subscribe(h.Reloaded)
		}
		err = serve(cmd.Context(), h, src, opt, log)
	}
	if errors.Is(err, bot.ErrBadLogin) || errors.Is(err, host.ErrRunning) {
		return cmdline.AsUsage(err) // the configuration is wrong, trying again would not help
	}
	return err
}

// openEngine makes the engine that the keys under engine describe.
func openEngine(c *config.Config, threads int, warn func(string)) (*engine.Engine, error) {
	o, err := engineOptions(c, threads, warn)
	if err != nil {
		return nil, err
	}
	return engine.Open(o)
}

func engineOptions(c *config.Config, threads int, warn func(string)) (engine.Options, error) {
	table, err := engine.LoadTable(c.Engine.Met)
	return engine.Options{
		Table: table, Weights: c.Engine.Weights, BearoffDir: c.Engine.BearoffDir, CacheMB: c.Engine.CacheMB, Threads: threads, Warn: warn,
	}, err
}

// serve runs the host with its servers and signals until it ends.
func serve(parent context.Context, h *host.Host, src source, opt host.Options, log *logrus.Logger) error {
	// The first signal ends the parent; the host decides what that means.
	ctx, stop := context.WithCancel(context.WithoutCancel(parent))
	defer stop()
	c := src.current()
	systemd := ops.NewSupervisor()
	watch, stopWatch := context.WithCancel(ctx)
	defer stopWatch()
	var helpers sync.WaitGroup
	if src.watcher != nil {
		helpers.Go(func() {
			src.watcher.Watch(watch, func(err error) { reloadFailed(opt.Metrics, log, err) })
		})
	}
	server := &ops.Server{
		Listen: c.Operations.Listen, Socket: statusSocket(c), Metrics: opt.Metrics, Dashboard: c.Dashboard.Listen, Hosts: func() []string { return src.current().Dashboard.Hosts },
		Status: func() ops.Status { return src.annotate(h.Status()) },
		View:   func(ctx context.Context) ops.Status { return src.annotate(h.View(ctx)) },
	}
	server.Control = h.Control
	server.Page = web.BotsPage(watch, server.LiveView, opt.Version)
	helpers.Go(func() {
		if err := server.Run(watch); err != nil {
			// The bot plays without it; a busy port must not keep people waiting.
			log.WithError(err).Error("status and metrics are off")
		}
	})
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGHUP, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	ended := make(chan error, 1)
	go func() { ended <- h.Run(ctx) }()
	systemd.Ready()
	asked := parent.Done()
	stops := 0
	for {
		select {
		case err := <-ended:
			systemd.Stopping()
			stopWatch()
			helpers.Wait()
			return err
		case <-asked:
			asked = nil
			systemd.Stopping()
			h.Drain()
		case <-systemd.Watchdog():
			systemd.Alive()
		case sig := <-signals:
			if sig == syscall.SIGHUP {
				systemd.Reloading()
				h.Reopen()
				if src.watcher != nil {
					reloadFailed(opt.Metrics, log, src.watcher.Reload())
				}
				systemd.Ready()
				continue
			}
			if stops++; stops == 1 {
				systemd.Stopping()
				h.Drain()
				continue
			}
			log.Warn("stopping at once; " + h.Unfinished())
			stop()
		}
	}
}

func reloadFailed(m *ops.Metrics, log *logrus.Logger, err error) {
	if err != nil {
		m.Reload(false)
		log.WithError(err).Error("configuration not reloaded; the old one stays in force")
	}
}

// statusSocket is where `fibsbot status` asks.
func statusSocket(c *config.Config) string {
	dir := cmp.Or(c.Logs.Dir, c.Archive.Dir)
	return filepath.Join(dir, "status.sock")
}
