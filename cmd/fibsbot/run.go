package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/sirupsen/logrus"
	"github.com/spf13/cobra"

	"fibsbot/bot"
	"fibsbot/bot/archive"
	"fibsbot/bot/table"
	"fibsbot/engine"
	"fibsbot/engine/preset"
	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
)

// runAccount is one account that `fibsbot run` plays.
type runAccount struct {
	Server   string // host:port
	Name     string
	Password clip.Secret
	Preset   string
	Min, Max int // match lengths accepted
	Archive  string
	Program  string
}

// runFlags are the flags of `fibsbot run`.
type runFlags struct {
	server, name, passwordFile string
	preset, archive            string
	min, max, maxMatches       int
	once, verbose              bool
}

func newRunCmd() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Play on a FIBS server until stopped",
		Long: `Logs in to a FIBS-compatible server and plays whoever invites, resumes interrupted
matches, archives every match, and comes back when the connection breaks.

The password comes from the environment variable FIBSBOT_PASSWORD or from
--password-file, never from the command line, where other users could read it.
FIBS traffic is not encrypted: use a password that you use nowhere else.

Ctrl-C leaves in order: a running match is saved by the server and resumed at the
next start.`,
		Example: `  FIBSBOT_PASSWORD=secret fibsbot run --server fibs.com:4321 --name MyBot
  fibsbot run --name MyBot --password-file ~/.fibsbot --preset advanced --max 5
  fibsbot run --name MyBot --once`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := f.account()
			if err != nil {
				return err
			}
			log := logrus.New()
			log.SetOutput(cmd.ErrOrStderr())
			if f.verbose {
				log.SetLevel(logrus.DebugLevel)
			}
			limit := f.maxMatches
			if f.once {
				limit = 1
			}
			return runAccounts(cmd.Context(), []runAccount{a}, limit, log)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.server, "server", envOr("FIBSBOT_SERVER", "127.0.0.1:4321"), "host:port of the server (FIBSBOT_SERVER)")
	fl.StringVar(&f.name, "name", os.Getenv("FIBSBOT_NAME"), "account name (FIBSBOT_NAME)")
	fl.StringVar(&f.passwordFile, "password-file", "", "file whose first line is the password (else FIBSBOT_PASSWORD)")
	fl.StringVar(&f.preset, "preset", "expert", "strength")
	fl.StringVar(&f.archive, "archive", filepath.Join("logs", "archive"), "directory for the matches")
	fl.IntVar(&f.min, "min", 1, "shortest match accepted, in points")
	fl.IntVar(&f.max, "max", 13, "longest match accepted, in points")
	fl.IntVar(&f.maxMatches, "max-matches", 0, "leave after so many finished matches (0: never)")
	fl.BoolVar(&f.once, "once", false, "leave after the first finished match")
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "log more")
	return cmd
}

func envOr(key, otherwise string) string {
	if v := os.Getenv(key); v != "" {
		return v
	}
	return otherwise
}

// account checks the flags and reads the password.
func (f *runFlags) account() (runAccount, error) {
	a := runAccount{Server: f.server, Name: f.name, Preset: f.preset, Min: f.min, Max: f.max, Archive: f.archive}
	if f.name == "" {
		return a, usagef("--name: which account? (or set FIBSBOT_NAME)")
	}
	if strings.ContainsAny(f.name, ": \t") {
		return a, usagef("--name %q: FIBS names are letters and underscores", f.name)
	}
	if _, _, err := net.SplitHostPort(f.server); err != nil {
		return a, usagef("--server %q: must be host:port", f.server)
	}
	if f.min < 1 || f.max < f.min || f.max > 99 {
		return a, usagef("--min %d --max %d: must be 1 to 99, the smaller first", f.min, f.max)
	}
	if f.maxMatches < 0 {
		return a, usagef("--max-matches %d: must not be negative", f.maxMatches)
	}
	if _, err := preset.ByName(f.preset); err != nil {
		return a, usagef("--preset: %v", err)
	}
	password := os.Getenv("FIBSBOT_PASSWORD")
	if f.passwordFile != "" {
		data, err := os.ReadFile(f.passwordFile)
		if err != nil {
			return a, usagef("--password-file: %v", err)
		}
		password, _, _ = strings.Cut(string(data), "\n")
		password = strings.TrimSpace(password)
	}
	if password == "" {
		return a, usagef("no password: set FIBSBOT_PASSWORD or give --password-file")
	}
	a.Password = clip.NewSecret(password)
	return a, nil
}

// runAccounts plays all accounts over one engine until ctx ends or every account
// has played its matches. Ctrl-C is a normal end.
func runAccounts(ctx context.Context, accounts []runAccount, maxMatches int, log *logrus.Logger) error {
	eng, err := engine.Open(engine.Options{})
	if err != nil {
		return err
	}
	defer eng.Close()
	var wg sync.WaitGroup
	errs := make([]error, len(accounts))
	for i, acc := range accounts {
		pr, err := preset.ByName(acc.Preset)
		if err != nil {
			return asUsage(err)
		}
		a := &bot.Account{
			Name:       acc.Name,
			Dial:       bot.Dialer(client.Options{Address: acc.Server, Name: acc.Name, Password: acc.Password, Program: acc.Program}),
			Decider:    bot.Player{Engine: eng, Preset: pr},
			Policy:     bot.Range{Min: acc.Min, Max: acc.Max},
			Table:      table.Options{Mend: true},
			Archive:    archive.Options{Dir: acc.Archive, Server: acc.Server},
			Pace:       runPace,
			MaxMatches: maxMatches,
			Log:        log,
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := a.Run(ctx); err != nil {
				errs[i] = fmt.Errorf("account %s on %s: %w", acc.Name, acc.Server, err)
			}
		}()
	}
	wg.Wait()
	err = errors.Join(errs...)
	if errors.Is(err, bot.ErrBadLogin) {
		return asUsage(err) // wrong name or password: the configuration is wrong
	}
	return err
}

// runPace keeps opponents from feeling rushed.
func runPace(s table.Situation, d table.Decision) time.Duration {
	switch {
	case s.Ask == table.AskRoll && d.Action == table.Roll:
		return 700 * time.Millisecond
	case s.Ask == table.AskPlay:
		return 1800 * time.Millisecond
	}
	return 1200 * time.Millisecond
}
