package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"regexp"
	"time"

	"github.com/spf13/cobra"

	"fibsbot/bot"
	"fibsbot/bot/host"
	"fibsbot/bot/ops"
	"fibsbot/bot/protocol"
	"fibsbot/bot/strength"
	"fibsbot/bot/watch"
	"fibsbot/bot/watch/show"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/config"
)

// playerName is what PLAYER may be.
var playerName = regexp.MustCompile(`^[A-Za-z_*?]{1,20}$`)

// watchOptions are the flags of `fibsbot watch`.
type watchOptions struct {
	config, server, account, passwordEnv string
	preset, archive, boards              string
	any, best, kibitz, whisper           bool
	asJSON, once, noArchive              bool
	minLoss                              float64
}

func newWatchCmd() *cobra.Command {
	var o watchOptions
	cmd := cmdline.New("watch [PLAYER...]", o.run)
	fl := cmd.Flags()
	fl.StringVarP(&o.config, "config", "c", defaultConfig, "configuration file")
	fl.StringVar(&o.server, "server", "", "address of the server, instead of server.address")
	fl.StringVar(&o.account, "account", "", "account to log in with, instead of the first of bot.yaml")
	fl.StringVar(&o.passwordEnv, "password-env", "FIBSBOT_PASSWORD", "environment variable with the password of --account")
	fl.BoolVar(&o.any, "any", false, "watch any match, one after another")
	fl.BoolVar(&o.best, "best", false, "watch the match of the highest rated players")
	fl.BoolVar(&o.kibitz, "kibitz", false, "comment to players and spectators")
	fl.BoolVar(&o.whisper, "whisper", false, "comment to spectators")
	fl.StringVar(&o.preset, "preset", "", "strength of the analysis, instead of watch.preset")
	fl.Float64Var(&o.minLoss, "min-loss", 0, "smallest equity loss to comment on, instead of watch.min_loss")
	fl.StringVar(&o.archive, "archive", "", "folder for the watched matches")
	fl.BoolVar(&o.noArchive, "no-archive", false, "do not keep the watched matches")
	fl.StringVar(&o.boards, "boards", "auto", "draw the board of every decision: auto (on a terminal), always or never")
	fl.BoolVar(&o.asJSON, "json", false, "print one JSON object a line for each decision")
	fl.BoolVar(&o.once, "once", false, "leave after the first match")
	return cmd
}

// settings puts flags and configuration together.
func (o *watchOptions) settings(cmd *cobra.Command, args []string) (*config.Config, protocol.Login, error) {
	var none protocol.Login
	cfg := config.Default()
	cfg.Accounts = nil
	given := cmd.Flags().Changed("config")
	if _, err := os.Stat(o.config); given || o.account == "" && err == nil {
		if cfg, err = loadConfig(o.config); err != nil {
			return nil, none, err
		}
	}
	w := &cfg.Watch
	switch {
	case len(args) > 0 && (o.any || o.best), o.any && o.best:
		return nil, none, cmdline.Usagef("give players, --any or --best, only one of them")
	case o.kibitz && o.whisper:
		return nil, none, cmdline.Usagef("--kibitz and --whisper: give one of them")
	case o.any:
		w.Players = []string{watch.Any}
	case o.best:
		w.Players = []string{watch.Best}
	case len(args) > 0:
		for _, name := range args {
			if !playerName.MatchString(name) {
				return nil, none, cmdline.Usagef("PLAYER: %q is not a FIBS name (letters and underscores; * and ? are patterns)", name)
			}
		}
		w.Players = args
	case !given || len(w.Players) == 0:
		return nil, none, cmdline.Usagef("watch: no player (give PLAYER, --any or --best)")
	}
	w.Channel = watch.ChannelNone
	if o.whisper {
		w.Channel = watch.ChannelWhisper
	}
	if o.kibitz {
		w.Channel = watch.ChannelKibitz
	}
	if cmd.Flags().Changed("min-loss") {
		if !(o.minLoss >= 0 && o.minLoss <= 10) {
			return nil, none, cmdline.Usagef("--min-loss: %v is not an equity loss (use 0 to 10)", o.minLoss)
		}
		w.MinLoss = o.minLoss
	}
	if o.preset != "" {
		w.Preset = o.preset
	}
	if o.boards != "auto" && o.boards != "always" && o.boards != "never" {
		return nil, none, cmdline.Usagef("--boards: unknown value %q (use auto, always or never)", o.boards)
	}
	if pr := protocolOf(cfg.Server.Protocol); !watches(pr) {
		return nil, none, cmdline.Usagef("server.protocol: matches cannot be watched on a %s server (use fibs)", pr.Name())
	}
	w.Archive = (w.Archive || o.archive != "") && !o.noArchive
	opt, err := o.login(cfg)
	return cfg, opt, err
}

// login finds server, account and password.
func (o *watchOptions) login(cfg *config.Config) (protocol.Login, error) {
	every := cfg.Server.Rate.Every.Std()
	opt := protocol.Login{
		Address: cfg.Server.Address, Program: cfg.Server.ClientName, Keepalive: cfg.Server.Keepalive.Std(),
		ChatGap: every, Burst: cfg.Server.Rate.Burst, Every: every,
		Connect: cfg.Server.ConnectTimeout.Std(), Silence: cfg.Server.Silence.Std(),
	}
	switch {
	case o.account != "":
		password := os.Getenv(o.passwordEnv)
		if password == "" {
			return opt, cmdline.Usagef("--password-env: the environment variable %s is not set (set it to the password)", o.passwordEnv)
		}
		opt.Name, opt.Password = o.account, config.Secret(password)
	default:
		for i := range cfg.Accounts {
			a := &cfg.Accounts[i]
			if a.Disabled {
				continue
			}
			secret, err := a.Resolve()
			if err != nil {
				return opt, cmdline.Usagef("%s: account %s %v", o.config, a.Name, err)
			}
			opt.Name, opt.Password = a.Name, secret
			if a.Address != "" {
				opt.Address = a.Address
			}
			break
		}
		if opt.Name == "" {
			return opt, cmdline.Usagef("watch: no account in %s (add one there, or give --account and --password-env)", o.config)
		}
	}
	if o.server != "" {
		opt.Address = o.server
	}
	if _, _, err := net.SplitHostPort(opt.Address); err != nil {
		return opt, cmdline.Usagef("--server: %q is not HOST:PORT (as fibs.com:4321)", opt.Address)
	}
	return opt, nil
}

func (o *watchOptions) run(cmd *cobra.Command, args []string) error {
	cfg, login, err := o.settings(cmd, args)
	if err != nil {
		return err
	}
	pr, err := strength.Preset(cfg, cfg.Watch.Preset)
	if err != nil {
		return cmdline.Usagef("--preset: %v", err)
	}
	if err := notRunning(cmd.Context(), cfg, login); err != nil {
		return err
	}
	eng, err := openEngine(cfg, cfg.Engine.Threads, func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), "fibsbot: "+text) })
	if err != nil {
		return err
	}
	defer eng.Close()
	printer := &show.Printer{Out: cmd.OutOrStdout(), Log: cmd.ErrOrStderr(), JSON: o.asJSON,
		Boards: o.boards == "always" || o.boards == "auto" && cmdline.IsTerminal(cmd.OutOrStdout()) && !o.asJSON}
	opt := watch.Options{
		Me: login.Name, Server: login.Address, Protocol: protocolOf(cfg.Server.Protocol), Config: cfg.Watch, Judge: watch.NewJudge(eng, pr, cfg.Catalogue()), Report: printer.Report,
		Dir: watch.Dir(cfg.Archive.Dir),
	}
	if o.archive != "" {
		opt.Dir = o.archive
	}
	if opt.OptOuts, err = host.OptOuts(cfg.Archive.Dir, login.Name, login.Address); err != nil {
		return cmdline.AsUsage(err) // without the list, comments could reach players who asked for silence
	}
	limit := 0
	if o.once {
		limit = 1
	}
	login.Store = host.SettingsStore(cfg.Archive.Dir, login.Name, login.Address, func(err error) { fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: %v\n", err) })
	err = watchAgain(cmd.Context(), login, host.Waits(cfg), opt, limit, cmd.ErrOrStderr())
	if err == nil {
		err = printer.Err()
	}
	if errors.Is(err, protocol.ErrBadLogin) {
		return cmdline.AsUsage(err) // wrong name or password: the input is wrong
	}
	return err
}

// notRunning refuses an account that the fibsbot of this configuration runs: the
// server ends the older login of a name, in the middle of a match too.
func notRunning(ctx context.Context, cfg *config.Config, login protocol.Login) error {
	st, err := ops.Ask(ctx, statusSocket(cfg))
	if err != nil {
		return nil // no bot runs with this configuration
	}
	for _, a := range st.Accounts {
		if a.Name == login.Name && a.Server == login.Address && a.State != "stopped" {
			return cmdline.Usagef("--account: %s is in use by `fibsbot run`, which the server would log out (use another account, or set watch.enabled)", a.Name)
		}
	}
	return nil
}

// watchAgain watches until ctx ends, and comes back when the connection breaks.
func watchAgain(ctx context.Context, login protocol.Login, waits bot.Backoff, opt watch.Options, limit int, log io.Writer) error {
	var row bot.Failures
	for first := true; ; first = false {
		began := time.Now()
		err := watchOnce(ctx, login, opt, limit, log)
		loggedIn := errors.Is(err, watch.ErrConnection)
		switch {
		case ctx.Err() != nil:
			return nil // Ctrl-C is how watching ends
		case err == nil, limit > 0, errors.Is(err, protocol.ErrBadLogin), protocol.CauseOf(err, "") == protocol.CauseKicked, first && !loggedIn:
			return err
		}
		wait := row.Wait(waits, err, !loggedIn, time.Since(began))
		fmt.Fprintf(log, "fibsbot: %v; again in %v\n", err, wait.Round(time.Millisecond))
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
}

func watchOnce(ctx context.Context, login protocol.Login, opt watch.Options, limit int, log io.Writer) error {
	link, err := opt.Protocol.Dial(ctx, login)
	if err != nil {
		return err
	}
	defer link.Close()
	fmt.Fprintf(log, "fibsbot: logged in to %s as %s\n", login.Address, login.Name)
	return watch.Run(ctx, link, opt, limit)
}
