// Package demo lets two bots play matches on the embedded server, through the real
// client, and shows them: a board drawn over itself on a terminal, lines elsewhere.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"time"

	"github.com/sirupsen/logrus"
	"golang.org/x/sync/errgroup"

	"fibsbot/bot"
	"fibsbot/bot/archive"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/internal/accountview"
	"fibsbot/bot/ops"
	"fibsbot/bot/sheet"
	"fibsbot/bot/table"
	"fibsbot/engine"
	"fibsbot/engine/preset"
	"fibsbot/fibs/chaos"
	"fibsbot/internal/figure"
)

// Options are the options of a demo.
type Options struct {
	Matches, Length int
	Archive         string // folder of the finished matches
	Preset          string // of both bots; "" fits the pace
	// Find finds the preset of a name; nil knows the built-in ones.
	Find  func(name string) (preset.Preset, error)
	Seed  uint64 // of the dice; 0 draws one
	Fast  bool   // full speed instead of paced for watching
	Chaos bool   // over a bad line
	// Protocol is one of Protocols; "" is the first.
	Protocol string
	// Terminal reports whether the output is a terminal that may be redrawn.
	Terminal bool
	// Pages, if set, is called before the first match with what both bots are doing, and returns
	// the address of a page that shows it.
	Pages func(bots func(context.Context) (ops.Status, error)) (address string, err error)
}

// The two players of the demo. The lower side is the one whose archive is kept.
const (
	lowerName = "demobot"
	upperName = "sparring"
)

// ErrProtocol is wrapped by the refusal of a protocol that no demo plays.
var ErrProtocol = errors.New("unknown protocol")

// outcome is the summary at the end of the demo.
type outcome struct {
	matches int
	won     int
	score   [2]int // of the last match, by sheet.Side
	paths   []string
}

// add counts a match that is over.
func (r *outcome) add(m bot.Observation) {
	r.matches++
	r.score = m.Over.Score
	if m.Over.Winner == sheet.Us {
		r.won++
	}
	for _, f := range m.Filed {
		r.paths = append(r.paths, f.Files...)
	}
}

// withDefaults fills in the defaults.
func (f Options) withDefaults() Options {
	if f.Preset == "" {
		// Looking ahead fits into the pauses of a paced match and costs nothing.
		f.Preset = "worldclass"
		if f.Fast {
			f.Preset = "expert"
		}
	}
	if f.Protocol == "" {
		f.Protocol = venues[0].protocol
	}
	if f.Find == nil {
		f.Find = preset.ByName
	}
	if f.Seed == 0 {
		f.Seed = uint64(time.Now().UnixNano())
	}
	return f
}

// ErrInterrupted is a demo that the user ended.
var ErrInterrupted = errors.New("interrupted")

// Run plays the matches and shows them on out, whose last line is the result and where the
// files are. Warnings go to errOut.
func Run(ctx context.Context, f Options, out, errOut io.Writer) error {
	f = f.withDefaults()
	v := f.venue()
	if v == nil {
		return fmt.Errorf("%w %q (use %s)", ErrProtocol, f.Protocol, strings.Join(Protocols(), ", "))
	}
	pr, err := f.Find(f.Preset)
	if err != nil {
		return err
	}
	eng, err := engine.Open(engine.Options{Seed: f.Seed})
	if err != nil {
		return err
	}
	defer eng.Close()

	ctx, stop := context.WithCancel(ctx)
	defer stop()
	serve, err := v.serve(f.Seed)
	if err != nil {
		return err
	}
	addr, served, err := listen(ctx, "embedded server", serve)
	if err != nil {
		return err
	}
	if f.Chaos {
		line, err := openLine(ctx, addr, f.Seed)
		if err != nil {
			return err
		}
		defer line.report(errOut)
		addr = line.addr
	}

	show := newStage(out, f)
	defer show.close()
	var result outcome
	finished := make(chan struct{})
	lower, upper := f.accounts(v, addr, bot.Player{Engine: eng, Preset: pr})
	seats := [2]*seat{newSeat(lower, v, f), newSeat(upper, v, f)}
	upper.Conduct.(*bot.Plain).Seen = seats[1].moment
	lower.Conduct.(*bot.Plain).Seen = func(m bot.Observation) {
		seats[0].moment(m)
		show.moment(m)
		if m.Over == nil {
			return
		}
		if result.add(m); result.matches == f.Matches {
			close(finished)
		}
	}
	if show.pages, err = f.openPages(status(seats[:], accountview.Glance{Engine: eng}), errOut); err != nil {
		return err
	}
	lower.Log = f.log(errOut)
	upper.Log = lower.Log
	err = playUntil(ctx, finished, lower, upper)
	interrupted := ctx.Err() != nil
	stop()
	if e := <-served; err == nil {
		err = e
	}
	show.close()
	result.index(context.WithoutCancel(ctx), f.Archive, errOut)
	switch {
	case err != nil:
		return err
	case interrupted && result.matches < f.Matches:
		return ErrInterrupted
	}
	if f.Terminal {
		defer fmt.Fprint(errOut, nextSteps(f)) // behind the result, which ends the output
	}
	return result.print(out, f)
}

// openPages opens the pages, if they are wanted, and says where they are.
func (f Options) openPages(bots func(context.Context) (ops.Status, error), errOut io.Writer) (text string, err error) {
	if f.Pages == nil {
		return "", nil
	}
	address, err := f.Pages(bots)
	if err != nil {
		return "", err
	}
	text = "Watch the bots at " + address
	_, err = fmt.Fprintln(errOut, text)
	return text, err
}

// log returns where the bots report trouble. Over a bad line lost connections are intended; the
// summary counts them.
func (f Options) log(errOut io.Writer) *logrus.Logger {
	log := logrus.New()
	log.SetOutput(errOut)
	log.SetLevel(logrus.WarnLevel)
	if f.Chaos {
		log.SetLevel(logrus.ErrorLevel)
	}
	return log
}

// conducts returns the conducts of the lower and the upper bot. The lower one invites the
// upper one. Without invitations the upper one opens matches and the lower one joins.
func (f Options) conducts(upper string, opens bool) (asks, answers *bot.Plain) {
	asks = &bot.Plain{Min: 1, Max: 99, Invite: upper, Length: f.Length, Matches: f.Matches, Backoff: backoff}
	answers = &bot.Plain{Min: 1, Max: 99, Backoff: backoff}
	if opens {
		answers = &bot.Plain{Open: true, Length: f.Length, Backoff: backoff}
		asks.Unseen, asks.Length = true, -1
	}
	return asks, answers
}

// accounts makes the two bots at the server at addr.
func (f Options) accounts(v *venue, addr string, decider bot.Player) (lower, upper *bot.Account) {
	lowerName, upperName := v.names()
	lower, upper = account(v, lowerName, addr, decider, f), account(v, upperName, addr, decider, f)
	asks, answers := f.conducts(upperName, lower.Protocol.Rules().Opens)
	lower.Conduct, upper.Conduct = asks, answers
	lower.MaxMatches = f.Matches
	lower.Archive = archive.Options{Dir: f.Archive, Server: "embedded " + addr, NoSync: f.Fast}
	return lower, upper
}

// nextSteps are suggestions after the demo.
func nextSteps(f Options) string {
	return fmt.Sprintf(`
Next:
  fibsbot play                                          play against the engine yourself
  fibsbot analyse %s/*.sgf --format html -o reports/     write a report on every decision of these matches
  fibsbot web                                           open matches, positions and a board in a browser
`, f.Archive)
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

// index puts the matches into the index of the archive: one that is there already, made
// by play or web, would not know of them.
func (r *outcome) index(ctx context.Context, dir string, errOut io.Writer) {
	if len(r.paths) == 0 {
		return
	}
	if err := addTo(ctx, dir, r.paths); err != nil {
		fmt.Fprintf(errOut, "fibsbot: the matches are not in the archive's list (fibsbot archive rebuild puts them there): %v\n", err)
	}
}

// addTo puts match files into the index of a folder.
func addTo(ctx context.Context, dir string, paths []string) error {
	db, err := index.OpenComplete(ctx, dir, "")
	if err != nil {
		return err
	}
	defer db.Close()
	for _, path := range paths {
		if filepath.Ext(path) != ".sgf" {
			continue
		}
		if _, err := db.Enter(ctx, path, index.Meta{}); err != nil {
			return err
		}
	}
	return nil
}

// print writes the result as the last line, with the paths of one match or the folder of
// several, whose paths are listed before it.
func (r *outcome) print(out io.Writer, f Options) error {
	lowerName, upperName := f.venue().names()
	if r.matches == 1 {
		verb := "lost to"
		if r.won == 1 {
			verb = "beat"
		}
		_, err := fmt.Fprintf(out, "%s %s %s %d-%d in a %d-point match: %s\n", lowerName, verb, upperName,
			r.score[sheet.Us], r.score[sheet.Them], f.Length, strings.Join(r.paths, " "))
		return err
	}
	_, err := fmt.Fprintf(out, "%s\n%s won %d of %d %d-point matches against %s: %s in %s\n", strings.Join(r.paths, "\n"),
		lowerName, r.won, r.matches, f.Length, upperName, figure.Count(len(r.paths), "file"), f.Archive)
	return err
}

// listen runs serve on a free loopback port. done receives its end.
func listen(ctx context.Context, what string, serve func(context.Context, net.Listener) error) (addr string, done <-chan error, err error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("start the %s: %w", what, err)
	}
	end := make(chan error, 1)
	go func() { end <- serve(ctx, ln) }()
	return ln.Addr().String(), end, nil
}

// badLine is a proxy that spoils the connections of both bots.
type badLine struct {
	addr  string
	proxy *chaos.Proxy
	done  <-chan error
}

// openLine puts a bad line in front of the server at target, until ctx ends.
func openLine(ctx context.Context, target string, seed uint64) (*badLine, error) {
	p, err := chaos.New(chaos.Options{
		Target: target, Seed: seed, SparedLines: 30,
		ToClient: chaos.Faults{Delay: 0.02, CutEveryN: 400, CutHalf: 0.001, Split: 0.1, Merge: 0.1},
		ToServer: chaos.Faults{CutEveryN: 150, Split: 0.1},
	})
	if err != nil {
		return nil, err
	}
	addr, done, err := listen(ctx, "bad line", p.Serve)
	return &badLine{addr: addr, proxy: p, done: done}, err
}

// report waits for the end of the line and prints its summary.
func (l *badLine) report(w io.Writer) {
	if err := <-l.done; err != nil {
		fmt.Fprintf(w, "fibsbot: the bad line: %v\n", err)
	}
	s := l.proxy.Stats()
	fmt.Fprintf(w, "the damaged line: %s, %s, %d broken, %d late, %d in pieces, %d glued\n",
		figure.Count(int(s.Connections), "connection"), figure.Count(int(s.Lines), "line"), s.Cut+s.Halved, s.Delayed, s.Split, s.Merged)
}

// backoff bounds the waits of both bots between connections.
var backoff = bot.Backoff{Min: 200 * time.Millisecond, Max: 2 * time.Second}

func account(v *venue, name, addr string, decider bot.Player, f Options) *bot.Account {
	a := &bot.Account{
		Name:    name,
		Decider: decider,
		Table:   table.Options{Patience: 2 * time.Second, AutoRoll: time.Second, Mend: true},
	}
	if !f.Fast {
		a.Pace = pace
	}
	if !f.Chaos {
		// Connections do not break here, so no player has to return for a last word.
		a.Table.Parting = 100 * time.Millisecond
	}
	v.connect(a, addr, f.Fast)
	return a
}

// pace is quick enough to stay awake and slow enough to follow.
func pace(s table.Situation, d table.Answer) time.Duration {
	if s.Ask == table.AskRoll && d.Action == table.Roll {
		return 500 * time.Millisecond
	}
	return 1300 * time.Millisecond
}
