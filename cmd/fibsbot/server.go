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
	o := serverFlags{Options: server.Options{KeepMatches: 500}} // nobody asks for more than the last game with somebody
	cmd := &cobra.Command{
		Use:   "server",
		Short: "Run a FIBS-compatible server",
		Long: `Runs the embedded FIBS-compatible server until it is interrupted. Bots log in
with the client protocol, people with plain telnet ('set boardstyle 1', 2 or 3).
New users log in as guest to register. Matches in progress are saved and go on
after a restart when --data is given; without it everything is forgotten.

The limits by address (connections, logins, registrations, the wait after a failed
login) hold when others than this machine can connect; with --listen 127.0.0.1:PORT
only those that are given hold. 0 takes the default, -1 means no limit. Behind a
proxy all users have its address: set them to -1 there.`,
		Example: `  fibsbot server
  fibsbot server --listen 127.0.0.1:0 --data fibs-data
  fibsbot server --listen :4321 --data fibs-data --registrations-per-hour 2
  telnet 127.0.0.1 4321`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(cmd.Context()); err != nil {
				return err
			}
			return o.serve(cmd)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.listen, "listen", "127.0.0.1:4321", "address to listen on; port 0 takes a free one")
	f.StringVar(&o.Data, "data", "", "directory of accounts and saved matches (default: memory only)")
	f.Uint64Var(&o.Seed, "seed", 0, "seed for repeatable dice; 0 takes unforeseeable ones")
	f.BoolVar(&o.AutoAccounts, "auto-accounts", false, "make an account of any new name that logs in (for trials at home)")
	f.BoolVar(&o.quirks, "quirks", false, "behave as badly as the real FIBS: glued lines, lost commands")
	f.DurationVar(&o.IdleLimit, "idle", time.Hour, "drop users who are silent for so long")
	f.IntVar(&o.MaxConns, "max-connections", 1000, "simultaneous connections of all addresses")
	f.IntVar(&o.MaxAccounts, "max-accounts", 100_000, "accounts; more cannot register")
	f.DurationVar(&o.Limits.LoginTime, "login-time", 3*time.Minute, "how long a connection may take to log in or to register")
	f.IntVar(&o.Limits.Connections, "connections-per-address", 0, "simultaneous connections of one address (default 32)")
	f.IntVar(&o.Limits.Logins, "logins-per-minute", 0, "attempts to log in of one address in a minute (default 30)")
	f.DurationVar(&o.Limits.FailedPause, "failed-login-pause", 0, "wait after a failed login, doubled with each further one (default 1s)")
	f.IntVar(&o.Limits.Registrations, "registrations-per-hour", 0, "new accounts of one address in an hour (default 6)")
	f.IntVar(&o.Limits.AllRegistrations, "all-registrations-per-hour", 0, "new accounts of all addresses in an hour (default 200)")
	f.Float64Var(&o.Limits.Messages, "messages-per-second", 10, "lines of one user that others hear, a second; more are read more slowly")
	f.BoolVar(&o.mute, "quiet", false, "log trouble only")
	return cmd
}

func (o *serverFlags) check(ctx context.Context) error {
	_, port, err := net.SplitHostPort(o.listen)
	if err == nil {
		_, err = net.DefaultResolver.LookupPort(ctx, "tcp", port)
	}
	switch {
	case err != nil:
		return usagef("--listen %q: want HOST:PORT, such as 127.0.0.1:4321", o.listen)
	case o.IdleLimit < time.Second:
		return usagef("--idle %s: want at least 1s", o.IdleLimit)
	case o.MaxConns < 1 || o.MaxAccounts < 1:
		return usagef("--max-connections and --max-accounts: want at least 1")
	case o.Limits.LoginTime > 0 && o.Limits.LoginTime < time.Second:
		return usagef("--login-time %s: want at least 1s, or -1s for no limit", o.Limits.LoginTime)
	}
	return wantFolder("--data", o.Data)
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
		return fmt.Errorf("%s is in use by another program; choose another address with --listen", o.listen)
	}
	if err != nil {
		return fmt.Errorf("listen: %w", err)
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
		return nil, fmt.Errorf("server data: %w", err)
	}
	unlock, err := lockfile.Take(filepath.Join(dir, "lock"), 0o600)
	if errors.Is(err, lockfile.ErrLocked) {
		return nil, fmt.Errorf("server data: %s belongs to another fibsbot server that is running", dir)
	}
	if err != nil {
		return nil, fmt.Errorf("server data: %w", err)
	}
	return func() { _ = unlock() }, nil
}
