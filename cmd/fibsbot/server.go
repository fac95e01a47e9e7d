package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/sirupsen/logrus"
	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/fibs/server"
	"fibsbot/internal/lockfile"
)

// serverFlags are the flags of fibsbot server.
type serverFlags struct {
	listen       string
	quirks, mute bool
	server.Options
}

// newServerCmd is `fibsbot server`: the embedded FIBS-compatible server on its
// own, until it is interrupted.
func newServerCmd() *cobra.Command {
	o := serverFlags{Options: server.Options{KeepMatches: 500}} // enough for oldmoves of the last games
	cmd := cmdline.New("server", func(cmd *cobra.Command, _ []string) error {
		if err := o.check(cmd.Context()); err != nil {
			return err
		}
		return o.serve(cmd)
	})
	f := cmd.Flags()
	f.StringVar(&o.listen, "listen", "127.0.0.1:4321", "address to listen on; port 0 takes a free one")
	f.StringVar(&o.Data, "data", "", "folder for accounts and saved matches (default: memory only)")
	f.Uint64Var(&o.Seed, "seed", 0, "seed for repeatable dice (0: unpredictable dice)")
	f.BoolVar(&o.AutoAccounts, "auto-accounts", false, "create an account for any new name that logs in")
	f.BoolVar(&o.quirks, "quirks", false, "imitate the faults of FIBS: glued lines, lost commands")
	f.DurationVar(&o.IdleLimit, "idle", time.Hour, "log out users who are silent for this long")
	f.IntVar(&o.MaxConns, "max-connections", 1000, "connections at a time in all")
	f.IntVar(&o.MaxAccounts, "max-accounts", 100_000, "most accounts on the server")
	f.DurationVar(&o.Limits.LoginTime, "login-time", 3*time.Minute, "time to log in or register")
	f.IntVar(&o.Limits.Connections, "connections-per-address", 0, "connections at a time from one address (default 32)")
	f.IntVar(&o.Limits.Logins, "logins-per-minute", 0, "login attempts a minute from one address (default 30)")
	f.DurationVar(&o.Limits.FailedPause, "failed-login-pause", 0, "wait after a failed login, doubled after each further one (default 1s)")
	f.IntVar(&o.Limits.Registrations, "registrations-per-hour", 0, "new accounts an hour from one address (default 6)")
	f.IntVar(&o.Limits.AllRegistrations, "all-registrations-per-hour", 0, "new accounts an hour in all (default 200)")
	f.Float64Var(&o.Limits.Messages, "messages-per-second", 10, "messages a second from one user; more are delayed")
	f.BoolVar(&o.mute, "quiet", false, "log errors and warnings only")
	return cmd
}

func (o *serverFlags) check(ctx context.Context) error {
	_, port, err := net.SplitHostPort(o.listen)
	if err == nil {
		_, err = net.DefaultResolver.LookupPort(ctx, "tcp", port)
	}
	switch {
	case err != nil:
		return cmdline.Usagef("--listen: %q is not HOST:PORT (as 127.0.0.1:4321)", o.listen)
	case o.IdleLimit < time.Second:
		return cmdline.Usagef("--idle: %s is too short (minimum 1s)", o.IdleLimit)
	case o.MaxConns < 1 || o.MaxAccounts < 1:
		return cmdline.Usagef("--max-connections, --max-accounts: the minimum is 1")
	case o.Limits.LoginTime > 0 && o.Limits.LoginTime < time.Second:
		return cmdline.Usagef("--login-time: %s is too short (minimum 1s; -1s for no limit)", o.Limits.LoginTime)
	}
	return cmdline.WantFolder("--data", o.Data)
}

// serve runs the server until the command's context ends.
func (o *serverFlags) serve(cmd *cobra.Command) error {
	log := logrus.New()
	log.SetOutput(cmd.ErrOrStderr())
	if o.mute {
		log.SetLevel(logrus.WarnLevel)
	}
	o.Log = log
	if o.quirks {
		o.Quirks = server.AllQuirks(o.Seed)
	}
	release, err := holdData(o.Data)
	if err != nil {
		return err
	}
	defer release()
	s, err := server.New(o.Options)
	if err != nil {
		return err
	}
	var lc net.ListenConfig
	ln, err := lc.Listen(cmd.Context(), "tcp", o.listen)
	if err != nil {
		err = errors.Join(err, s.Close())
	}
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("--listen: %s is in use by another program (choose another address)", o.listen)
	}
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "fibsbot server listening on %s (log in as guest to register; Ctrl-C stops)\n", listening(o.listen, ln.Addr())); err != nil {
		ln.Close()
		return err
	}
	return s.Serve(cmd.Context(), ln)
}

// holdData keeps a second server out of the folder of --data until release is called:
// each would write its own accounts over the other's. Without a folder it does nothing.
func holdData(dir string) (release func(), err error) {
	if dir == "" {
		return func() {}, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("--data: %w", err)
	}
	unlock, err := lockfile.Take(filepath.Join(dir, "lock"), 0o600)
	if errors.Is(err, lockfile.ErrLocked) {
		return nil, fmt.Errorf("--data: %s is in use by another fibsbot server", dir)
	}
	if err != nil {
		return nil, fmt.Errorf("--data: %w", err)
	}
	return func() { _ = unlock() }, nil
}
