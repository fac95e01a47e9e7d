package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"time"

	"github.com/sirupsen/logrus"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"fibsbot/bot"
	"fibsbot/bot/archive"
	"fibsbot/bot/sheet"
	"fibsbot/bot/table"
	"fibsbot/engine"
	"fibsbot/engine/preset"
	"fibsbot/fibs/chaos"
	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
)

// demoFlags are the flags of `fibsbot demo`.
type demoFlags struct {
	matches, length int
	archive, preset string
	config          string // file with own presets
	seed            uint64
	fast, chaos     bool
}

func newDemoCmd() *cobra.Command {
	var f demoFlags
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Watch two bots play a match on the embedded server",
		Long: `Starts the embedded FIBS server on a free loopback port, logs two bots in through
the real client, lets them play, shows the board live on a terminal, and archives
every match. It needs no account and no network.

The last line on stdout is the result with the paths written.`,
		Example: `  fibsbot demo
  fibsbot demo --length 5 --archive /tmp/matches
  fibsbot demo --fast --matches 20 --length 5 --seed 42
  fibsbot demo --fast --chaos --length 5`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.matches < 1 {
				return usagef("--matches %d: must be at least 1", f.matches)
			}
			if f.length < 1 || f.length > 99 {
				return usagef("--length %d: must be 1 to 99", f.length)
			}
			if err := wantFolder("--archive", f.archive); err != nil {
				return err
			}
			return runDemo(cmd.Context(), f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	fl := cmd.Flags()
	fl.IntVar(&f.matches, "matches", 1, "how many matches to play")
	fl.IntVar(&f.length, "length", 3, "points to a match")
	fl.StringVar(&f.archive, "archive", filepath.Join("logs", "archive"), "directory for the finished matches")
	fl.Uint64Var(&f.seed, "seed", 0, "seed of the dice; the same seed gives the same matches (0: a new one)")
	fl.BoolVar(&f.fast, "fast", false, "full speed instead of paced for watching")
	fl.BoolVar(&f.chaos, "chaos", false, "play over a bad line: connections break, lines come late, in pieces or glued")
	fl.StringVar(&f.preset, "preset", "", "strength of both bots (default worldclass, with --fast expert)")
	addPresetsFlag(cmd, &f.config)
	return cmd
}

// The two players of the demo. The lower side is the one whose archive is kept.
const (
	demoLower = "demobot"
	demoUpper = "sparring"
)

// demoPolicy plays a fixed number of matches: the lower bot invites, the upper
// one accepts.
type demoPolicy struct {
	bot.Range
	partner string
	length  int
	left    int
	again   time.Time
}

func (p *demoPolicy) Partner(who func(string) (clip.Player, bool), now time.Time) (string, int, bool) {
	w, ok := who(p.partner)
	if p.left <= 0 || !ok || !w.Available() || now.Before(p.again) {
		return "", 0, false
	}
	p.again = now.Add(200 * time.Millisecond)
	return p.partner, p.length, true
}

func (p *demoPolicy) MatchOver(*sheet.Sheet, time.Time) {
	p.left--
	p.again = time.Time{}
}

// demoResult is what the demo has to tell at its end.
type demoResult struct {
	matches int
	won     int
	score   [2]int // of the last match, by sheet.Side
	paths   []string
}

// add counts a match that is over.
func (r *demoResult) add(m bot.Moment) {
	r.matches++
	r.score = m.Over.Score
	if m.Over.Winner == sheet.Us {
		r.won++
	}
	for _, f := range m.Filed {
		r.paths = append(r.paths, f.Files...)
	}
}

// withDefaults fills in what was not asked for.
func (f demoFlags) withDefaults() demoFlags {
	if f.preset == "" {
		// Looking ahead fits into the pauses of a paced match and costs nothing.
		f.preset = "worldclass"
		if f.fast {
			f.preset = "expert"
		}
	}
	if f.seed == 0 {
		f.seed = uint64(time.Now().UnixNano())
	}
	return f
}

func runDemo(ctx context.Context, f demoFlags, out, errOut io.Writer) error {
	f = f.withDefaults()
	pr, err := findPreset("--preset", f.preset, f.config)
	if err != nil {
		return err
	}
	eng, err := engine.Open(engine.Options{Seed: f.seed})
	if err != nil {
		return err
	}
	defer eng.Close()

	log := logrus.New()
	log.SetOutput(errOut)
	log.SetLevel(logrus.WarnLevel)

	ctx, stop := context.WithCancel(ctx)
	defer stop()
	addr, served, err := demoServer(ctx, f.seed)
	if err != nil {
		return err
	}
	if f.chaos {
		line, err := demoLine(ctx, addr, f.seed)
		if err != nil {
			return err
		}
		defer line.report(errOut)
		addr = line.addr
		// Lost connections are what this is about; the count at the end tells.
		log.SetLevel(logrus.ErrorLevel)
	}

	show := newStage(out, f)
	defer show.close()
	var result demoResult
	finished := make(chan struct{})
	lower := demoAccount(demoLower, addr, eng, pr, f)
	lower.Policy = &demoPolicy{Range: bot.Range{Min: 1, Max: 99}, partner: demoUpper, length: f.length, left: f.matches}
	lower.MaxMatches = f.matches
	lower.Log = log
	lower.Archive = archive.Options{Dir: f.archive, Server: "embedded " + addr, NoSync: f.fast}
	lower.Observe = func(m bot.Moment) {
		show.moment(m)
		if m.Over == nil {
			return
		}
		if result.add(m); result.matches == f.matches {
			close(finished)
		}
	}
	upper := demoAccount(demoUpper, addr, eng, pr, f)
	upper.Policy = bot.Range{Min: 1, Max: 99}
	upper.Log = log

	err = playUntil(ctx, finished, lower, upper)
	interrupted := ctx.Err() != nil
	stop()
	if e := <-served; err == nil {
		err = e
	}
	show.close()
	switch {
	case err != nil:
		return err
	case interrupted && result.matches < f.matches:
		return errInterrupted
	}
	return result.print(out, f)
}

// playUntil runs the accounts until finished is closed, ctx ends or one of them
// fails, and waits for all of them.
func playUntil(ctx context.Context, finished <-chan struct{}, accounts ...*bot.Account) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	group, ctx := errgroup.WithContext(ctx)
	for _, a := range accounts {
		group.Go(func() error {
			if err := a.Run(ctx); err != nil {
				return fmt.Errorf("%s: %w", a.Name, err)
			}
			return nil
		})
	}
	select {
	case <-finished:
	case <-ctx.Done():
	}
	stop()
	return group.Wait()
}

// print writes the last line: the result and the paths.
func (r *demoResult) print(out io.Writer, f demoFlags) error {
	what := fmt.Sprintf("%s won %d of %d %d-point matches against %s", demoLower, r.won, r.matches, f.length, demoUpper)
	if r.matches == 1 {
		verb := "lost to"
		if r.won == 1 {
			verb = "beat"
		}
		what = fmt.Sprintf("%s %s %s %d-%d in a %d-point match", demoLower, verb, demoUpper,
			r.score[sheet.Us], r.score[sheet.Them], f.length)
	}
	if _, err := fmt.Fprintf(out, "%s:", what); err != nil {
		return err
	}
	for _, p := range r.paths {
		if _, err := fmt.Fprintf(out, " %s", p); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(out)
	return err
}

// demoServer starts the embedded server on a free loopback port. served receives
// its end.
func demoServer(ctx context.Context, seed uint64) (addr string, served <-chan error, err error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("start the embedded server: %w", err)
	}
	srv, err := server.New(server.Options{Seed: seed, AutoAccounts: true})
	if err != nil {
		ln.Close()
		return "", nil, err
	}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(ctx, ln) }()
	return ln.Addr().String(), done, nil
}

// badLine is a proxy that spoils the connections of both bots.
type badLine struct {
	addr  string
	proxy *chaos.Proxy
	done  <-chan error
}

// demoLine puts a bad line in front of the server at target, until ctx ends.
func demoLine(ctx context.Context, target string, seed uint64) (*badLine, error) {
	p, err := chaos.New(chaos.Options{
		Target: target, Seed: seed, SparedLines: 30,
		ToClient: chaos.Faults{Delay: 0.02, CutEveryN: 400, CutHalf: 0.001, Split: 0.1, Merge: 0.1},
		ToServer: chaos.Faults{CutEveryN: 150, Split: 0.1},
	})
	if err != nil {
		return nil, err
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start the bad line: %w", err)
	}
	done := make(chan error, 1)
	go func() { done <- p.Serve(ctx, ln) }()
	return &badLine{addr: ln.Addr().String(), proxy: p, done: done}, nil
}

// report waits for the end of the line and says what became of it.
func (l *badLine) report(w io.Writer) {
	if err := <-l.done; err != nil {
		fmt.Fprintf(w, "fibsbot: the bad line: %v\n", err)
	}
	s := l.proxy.Stats()
	fmt.Fprintf(w, "the line: %d connections, %d lines, %d broken, %d late, %d in pieces, %d glued\n",
		s.Connections, s.Lines, s.Cut+s.Halved, s.Delayed, s.Split, s.Merged)
}

func demoAccount(name, addr string, eng *engine.Engine, pr preset.Preset, f demoFlags) *bot.Account {
	opts := client.Options{Address: addr, Name: name, Password: clip.NewSecret("demo"), Program: "fibsbot_demo"}
	a := &bot.Account{
		Name:    name,
		Decider: bot.Player{Engine: eng, Preset: pr},
		Table:   table.Options{Patience: 2 * time.Second, AutoRoll: time.Second, Mend: true},
		Backoff: bot.Backoff{Min: 200 * time.Millisecond, Max: 2 * time.Second},
	}
	if f.fast {
		// The embedded server loses nothing that comes close together.
		opts.Pace = client.Pace{Gap: -1, ChatGap: -1, Burst: -1}
	} else {
		a.Pace = demoPace
	}
	a.Dial = bot.Dialer(opts)
	return a
}

// demoPace is quick enough to stay awake and slow enough to follow.
func demoPace(s table.Situation, d table.Decision) time.Duration {
	if s.Ask == table.AskRoll && d.Action == table.Roll {
		return 500 * time.Millisecond
	}
	return 1300 * time.Millisecond
}
