package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/sirupsen/logrus"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"fibsbot/bot"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/bgammon"
	"fibsbot/bot/fibs"
	"fibsbot/bot/host"
	"fibsbot/bot/person"
	"fibsbot/bot/protocol"
	"fibsbot/bot/strength"
	"fibsbot/bot/watch"
	"fibsbot/cmd/fibsbot/internal/online"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/cmd/fibsbot/internal/play/lobby"
	"fibsbot/cmd/fibsbot/internal/play/terminal"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/config"
	"fibsbot/engine"
	"fibsbot/internal/sanitize"
)

// remoteFlags are the flags of `fibsbot play` for a match on a server.
type remoteFlags struct {
	address, protocol string
	register          bool
	spoken            protocol.Protocol
}

// persons are the protocols for the accounts of people.
var persons = []protocol.Protocol{fibs.Protocol{Person: true}, bgammon.Protocol{Person: true}}

func (f *remoteFlags) add(fl *pflag.FlagSet) {
	fl.StringVar(&f.address, "server", "", "play people on this server with --account, as fibs.com:4321")
	fl.StringVar(&f.protocol, "protocol", persons[0].Name(), "with --server: its protocol: fibs or bgammon")
	fl.BoolVar(&f.register, "register", false, "with --server: register --account first")
}

// onlineFlags are the flags that a match on a server has, apart from those of remoteFlags.
var onlineFlags = []string{"server", "protocol", "register", "account", "archive", "auto", "config", "plain", "threads", "cache-mb", "weights", "bearoff-dir", "met"}

// check reports the first flag that does not fit the others.
func (f *remoteFlags) check(cmd *cobra.Command, account string) (err error) {
	if f.address == "" {
		for _, name := range [...]string{"protocol", "register"} {
			if cmd.Flags().Changed(name) {
				return cmdline.Usagef("--%s: belongs to a server (give --server too)", name)
			}
		}
		return nil
	}
	cmd.Flags().Visit(func(fl *pflag.Flag) {
		if err == nil && !slices.Contains(onlineFlags, fl.Name) {
			err = cmdline.Usagef("--%s is for a match against the engine (leave out --server)", fl.Name)
		}
	})
	if err != nil {
		return err
	}
	f.spoken, err = spoken(f.address, f.protocol, account)
	if e := (config.Error{}); errors.As(err, &e) {
		return cmdline.Usagef("%s: %s", flagOf(e.Field), e.Problem)
	}
	if _, ok := f.spoken.(protocol.Registrar); err == nil && f.register && !ok {
		return cmdline.Usagef("--register: %w", person.ErrRegister)
	}
	return err
}

// spoken is the protocol of a person's account. An error is a config.Error.
func spoken(address, name, account string) (protocol.Protocol, error) {
	c := config.Default()
	c.Server.Address, c.Server.Protocol, c.Accounts = address, name, []config.Account{{Name: account}}
	known := knownNames()
	known.Protocols = describedProtocols(persons)
	for _, e := range config.Check(c, nil, known) {
		if e.Field != "accounts[0]" { // the password is not in a file
			return nil, e
		}
	}
	i := slices.IndexFunc(persons, func(p protocol.Protocol) bool { return p.Name() == name })
	return persons[max(i, 0)], nil
}

// openDesk is where the pages log in, with matches in the archive of db. e judges watched matches.
func openDesk(db *index.DB, e *engine.Engine) (*online.Desk, error) {
	c := config.Default()
	p, err := strength.Preset(c, c.Watch.Preset)
	return &online.Desk{Judge: watch.NewJudge(e, p, nil), Open: func(l lobby.Login) (*person.Account, error) {
		p, err := spoken(l.Server, l.Protocol, l.Account)
		if e := (config.Error{}); errors.As(err, &e) {
			return nil, errors.New(e.Problem)
		}
		secret := config.Secret(l.Password)
		if err == nil && secret == "" {
			secret, err = commandedPassword(l.Server, l.Account)
		}
		if _, registers := p.(protocol.Registrar); err == nil && secret == "" && registers {
			err = errors.New("no password")
		}
		return &person.Account{Name: l.Account, Server: l.Server, Protocol: p, Password: secret, Register: l.Register, DB: db}, err
	}}, err
}

// online plays on a server.
func (f *playFlags) online(cmd *cobra.Command, db *index.DB, store *play.Store, e *engine.Engine, setting string) error {
	ctx, stop := context.WithCancel(cmd.Context())
	defer stop()
	password, err := f.password(cmd)
	if err != nil {
		return err
	}
	s := &f.remote
	console, restore, err := f.console(cmd)
	if err != nil {
		return err
	}
	defer restore()
	log := logrus.New()
	log.SetOutput(io.Discard) // the room prints what the person has to know
	acc := &person.Account{Name: f.o.Name, Server: s.address, Protocol: s.spoken, Password: password, Register: s.register, DB: db, Log: log}
	room := online.New(acc, func(ctx context.Context, id string) ([]string, error) {
		filed := terminal.Filed{Identity: id}
		err := filed.Analyse(ctx, store, e, setting, f.o.Name, nil)
		if filed.PR == "" {
			return nil, err
		}
		return append([]string{filed.PR}, filed.Review...), err
	})
	var work sync.WaitGroup
	var ended error
	work.Go(func() { defer stop(); ended = acc.Run(ctx) })
	work.Go(func() { room.Analyse(ctx) })
	err = online.Lines(ctx, room, console, f.automatic)
	stop()
	work.Wait()
	for _, line := range room.Take().News {
		fmt.Fprintln(console, line)
	}
	restore()
	if err = errors.Join(err, loginError(ended)); err == nil && cmd.Context().Err() != nil {
		return cmdline.ErrInterrupted
	}
	return err
}

// loginError makes a refused login a mistake of the user.
func loginError(err error) error {
	if errors.Is(err, bot.ErrBadLogin) || errors.Is(err, host.ErrRunning) {
		return cmdline.AsUsage(err)
	}
	return err
}

// commandedPassword is what the command in FIBSBOT_PASSWORD_COMMAND prints, "" without one. The
// command finds server and account in its environment.
func commandedPassword(server, account string) (config.Secret, error) {
	command := os.Getenv("FIBSBOT_PASSWORD_COMMAND")
	if command == "" {
		return "", nil
	}
	secret, err := config.PasswordOf(command, "FIBSBOT_SERVER="+server, "FIBSBOT_ACCOUNT="+account)
	if err != nil {
		err = fmt.Errorf("FIBSBOT_PASSWORD_COMMAND: %w", err)
	}
	return secret, err
}

// password is that of FIBSBOT_PASSWORD, of FIBSBOT_PASSWORD_COMMAND, or typed without echo.
func (f *playFlags) password(cmd *cobra.Command) (protocol.Secret, error) {
	if text := os.Getenv("FIBSBOT_PASSWORD"); text != "" {
		return config.Secret(text), nil
	}
	if secret, err := commandedPassword(f.remote.address, f.o.Name); err != nil {
		return nil, cmdline.AsUsage(err)
	} else if secret != "" {
		return secret, nil
	}
	_, needed := f.remote.spoken.(protocol.Registrar) // the other servers have guests
	keys := f.screen(cmd)
	if keys == nil {
		if !needed {
			return config.Secret(""), nil
		}
		return nil, cmdline.Usagef("no password (set FIBSBOT_PASSWORD)")
	}
	ask := func(what string) (string, error) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s of %s: ", what, f.o.Name)
		text, err := term.ReadPassword(int(keys.Fd()))
		fmt.Fprintln(cmd.ErrOrStderr())
		return strings.TrimSpace(string(text)), err
	}
	text, err := ask("Password")
	if err == nil && f.remote.register {
		var again string
		if again, err = ask("The same password again"); err == nil && again != text {
			err = cmdline.Usagef("the two passwords differ")
		}
	}
	if err == nil && text == "" && needed {
		err = cmdline.Usagef("no password (type one, or set FIBSBOT_PASSWORD)")
	}
	return config.Secret(text), err
}

// console is where the person reads and types. restore gives the terminal back.
func (f *playFlags) console(cmd *cobra.Command) (c online.Console, restore func(), err error) {
	out := cmd.OutOrStdout()
	keys := f.screen(cmd)
	if keys == nil {
		return online.Plain(cmd.InOrStdin(), sanitize.Writer(out)), func() {}, nil
	}
	old, err := term.MakeRaw(int(keys.Fd()))
	if err != nil {
		return nil, nil, fmt.Errorf("terminal: %w", err)
	}
	t := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{keys, out}, "> ")
	if w, h, err := term.GetSize(int(keys.Fd())); err == nil {
		_ = t.SetSize(w, h)
	}
	return t, sync.OnceFunc(func() {
		fmt.Fprint(out, "\r\n") // behind the prompt
		_ = term.Restore(int(keys.Fd()), old)
	}), nil
}
