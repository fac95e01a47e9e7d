package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/cmd/internal/farmcmd"
	"fibsbot/cmd/internal/remote"
	"fibsbot/config"
	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/bench"
	"fibsbot/engine/duel"
	"fibsbot/engine/external"
	"fibsbot/engine/preset"
	"fibsbot/engine/tournament"
	"fibsbot/internal/atomicfile"
)

// tournamentFile is what a tournament's file says.
type tournamentFile struct {
	Players  []tournamentPlayer `yaml:"players"`
	Form     string             `yaml:"form" default:"round-robin" enum:"round-robin,gauntlet"`
	Pairs    int                `yaml:"pairs" default:"100" must:"be 1 to 1000000"`
	Length   int                `yaml:"length" default:"0" must:"be 0 to 99"`
	Cubeless bool               `yaml:"cubeless" default:"false"`
	Jacoby   bool               `yaml:"jacoby" default:"false"`
	Seed     int                `yaml:"seed" default:"1" must:"not be negative"`
	Judge    string             `yaml:"judge" default:"expert"`
	Within   config.Duration    `yaml:"within" default:"10s" must:"be above 0"`
}

// tournamentPlayer is a player of the file; without plays the name says what plays.
type tournamentPlayer struct {
	Name  string `yaml:"name"`
	Plays string `yaml:"plays"`
}

// noJudge means no judge.
const noJudge = "none"

// tournamentFlags are the flags, and what they and the file lead to.
type tournamentFlags struct {
	parts        engineflags.Engine
	farm         farmcmd.Flags
	config       string
	jobs         int
	log, page    string
	format, sprt string

	file  tournamentFile
	src   *config.Source
	seats []contestant
	judge *preset.Preset
}

// contestant is what plays for one player.
type contestant struct {
	preset  preset.Preset
	pubeval bool
	other   outsider
	faults  int
}

// formats are how a tournament is printed.
var tournamentFormats = map[string]func(*tournament.Report, io.Writer) error{
	"text": (*tournament.Report).Text, "markdown": (*tournament.Report).Markdown, "csv": (*tournament.Report).CSV,
	"html": (*tournament.Report).HTML,
}

func newTournamentCmd() *cobra.Command {
	var f tournamentFlags
	cmd := cmdline.New("tournament FILE", f.run)
	engineflags.AddEngine(cmd, &f.parts)
	engineflags.AddPresets(cmd, &f.config)
	f.farm.Add(cmd)
	fl := cmd.Flags()
	fl.Var(bounded.Of(&f.jobs, 0, 0, 1024), "jobs", "pairs played at a time, 0 for one per processor")
	fl.StringVar(&f.log, "log", "", "file with a line for each pair, to continue (default FILE with .log)")
	fl.StringVar(&f.format, "format", "text", "text, markdown, csv or html")
	fl.StringVar(&f.page, "page", "", "file of a page that shows the tournament while it is played")
	fl.StringVar(&f.sprt, "sprt", "", "end a meeting that has shown less than A or more than B points a game (A,B)")
	cmdline.AddJSON(cmd)
	return cmd
}

// run plays the tournament and prints the result.
func (f *tournamentFlags) run(cmd *cobra.Command, args []string) error {
	print := tournamentFormats[f.format]
	if print == nil {
		return cmdline.Usagef("--format: unknown format %q (use %s)", f.format, strings.Join(slices.Sorted(maps.Keys(tournamentFormats)), ", "))
	}
	test, err := readTest(f.sprt)
	if err != nil {
		return err
	}
	if f.src, err = config.Read("tournament", args[0], &f.file); err != nil {
		return cmdline.AsUsage(err)
	}
	t := tournament.Tournament{Pairs: f.file.Pairs, Test: test, Header: tournament.Header{
		Gauntlet: f.file.Form == "gauntlet", Length: f.file.Length, Cubeless: f.file.Cubeless, Jacoby: f.file.Jacoby, Seed: uint64(f.file.Seed)}}
	if err := f.read(&t.Header); err != nil {
		return err
	}
	if f.jobs == 0 {
		f.jobs = f.parts.Threads
	}
	f.parts.Threads = 1 // pairs are played in parallel instead
	e, err := f.parts.Open(cmd, t.Header.Seed)
	if err != nil {
		return err
	}
	defer e.Close()
	t.Header.Nets, t.Header.Table = e.Manifest().Name, engine.TableName(f.parts.Met, e.Table())
	if t.Header.Signature, err = bench.Signature(cmd.Context(), e); err != nil {
		return err
	}
	if f.log == "" {
		f.log = strings.TrimSuffix(args[0], filepath.Ext(args[0])) + ".log"
	}
	if err := t.Open(f.log); err != nil {
		return cmdline.Usagef("--log: %w", err)
	}
	defer t.Close()
	if err := f.publish(t.Report(), true); err != nil {
		return cmdline.Usagef("--page: %w", err)
	}
	show, done := cmdline.LiveText(cmd)
	defer done()
	var shown time.Time
	t.Progress = func() {
		if time.Since(shown) > pageEvery {
			shown = time.Now()
			_ = f.publish(t.Report(), true) // the one at the end is not left out
		}
		show(func() string {
			var b strings.Builder
			_ = t.Report().Text(&b) // a buffer takes all
			return b.String() + "Ctrl-C stops and prints; the same command goes on\n"
		})
	}
	f.engage(cmd, e, &t)
	err = t.Play(cmd.Context())
	done()
	if errors.Is(err, external.ErrStart) || errors.Is(err, external.ErrDial) {
		return cmdline.AsUsage(err)
	}
	stopped := err != nil && cmd.Context().Err() != nil
	if err != nil && !stopped {
		return err
	}
	report := t.Report()
	if err := f.publish(report, false); err != nil {
		return fmt.Errorf("--page: %w", err)
	}
	if report.Interrupted = stopped; stopped {
		fmt.Fprintf(cmd.ErrOrStderr(), "stopped; the same command goes on from %s\n", f.log)
	}
	if err := cmdline.AnswerBy(cmd, report, func(w io.Writer) error { return print(report, w) }); err != nil || !stopped {
		return err
	}
	return cmdline.ErrInterrupted
}

// pageEvery is how often the page of --page is written while the tournament is played.
const pageEvery = 2 * time.Second

// publish writes the page of --page, if there is one.
func (f *tournamentFlags) publish(r *tournament.Report, live bool) error {
	if f.page == "" {
		return nil
	}
	return atomicfile.Write(f.page, 0o644, func(w *os.File) error { return r.Page(w, live) })
}

// readTest reads --sprt.
func readTest(text string) (*duel.Test, error) {
	if text == "" {
		return nil, nil
	}
	var t duel.Test
	low, high, ok := strings.Cut(text, ",")
	for _, part := range []struct {
		text string
		to   *float64
	}{{low, &t.Low}, {high, &t.High}} {
		v, err := strconv.ParseFloat(strings.TrimSpace(part.text), 64)
		*part.to, ok = v, ok && err == nil
	}
	if !ok {
		return nil, cmdline.Usagef("--sprt: %q is not two figures (as 0,0.02)", text)
	}
	if err := t.Check(); err != nil {
		return nil, cmdline.Usagef("--sprt: %w", err)
	}
	return &t, nil
}

// read finds the players and the judge that the file names.
func (f *tournamentFlags) read(h *tournament.Header) error {
	if n := len(f.file.Players); n < 2 || n > tournament.MostPlayers {
		return cmdline.AsUsage(f.src.ErrorAt("players", "%d players (want 2 to %d)", n, tournament.MostPlayers))
	}
	for i, p := range f.file.Players {
		field := fmt.Sprintf("players[%d]", i)
		p.Name, p.Plays = cmp.Or(p.Name, p.Plays), cmp.Or(p.Plays, p.Name)
		if p.Name == "" || strings.ContainsFunc(p.Name, func(r rune) bool { return r < ' ' }) {
			return cmdline.AsUsage(f.src.ErrorAt(field+".name", "want a name or what plays"))
		}
		if slices.ContainsFunc(h.Players, func(o tournament.Player) bool { return o.Name == p.Name }) {
			return cmdline.AsUsage(f.src.ErrorAt(field+".name", "%q is taken by a player above", p.Name))
		}
		c, settings, err := f.contestant(field+".plays", p.Plays)
		if err != nil {
			return err
		}
		f.seats = append(f.seats, c)
		h.Players = append(h.Players, tournament.Player{Name: p.Name, Plays: p.Plays, Settings: settings})
	}
	if strings.EqualFold(f.file.Judge, noJudge) {
		return nil
	}
	p, err := f.preset("judge", f.file.Judge)
	f.judge = &p
	h.Judge = tournament.Player{Name: p.Name, Plays: f.file.Judge, Settings: p.Fingerprint()}
	return err
}

// contestant finds what plays.
func (f *tournamentFlags) contestant(field, name string) (c contestant, settings string, err error) {
	if c.other, err = findOutsider(name, f.config); err != nil {
		return c, "", cmdline.Usagef("%s: %w", f.at(field), err)
	}
	if c.other.Protocol != "" {
		return c, "", nil
	}
	if c.pubeval = strings.EqualFold(name, "pubeval"); c.pubeval {
		return c, "pubeval", nil
	}
	if c.preset, err = f.preset(field, name); errors.Is(err, preset.ErrUnknown) {
		err = cmdline.Usagef("%w, or pubeval, %s", err, playerForms)
	}
	return c, c.preset.Fingerprint(), err
}

func (f *tournamentFlags) preset(field, name string) (preset.Preset, error) {
	p, err := engineflags.FindPreset(f.at(field), name, f.config)
	if f.file.Cubeless {
		p.Checker.Cubeful, p.Cube.Cubeful = false, false
	}
	return p, err
}

// at says where a field is, for errors.
func (f *tournamentFlags) at(field string) string {
	return strings.TrimSuffix(f.src.ErrorAt(field, "").Error(), ": ")
}

// engage says how meetings are played: here, or those of own players on a farm.
func (f *tournamentFlags) engage(cmd *cobra.Command, e *engine.Engine, t *tournament.Tournament) {
	meetings := t.Header.Meetings()
	plan := func(k int) *duel.Plan {
		a, b := f.seats[meetings[k].A], f.seats[meetings[k].B]
		p := &duel.Plan{Players: [2]preset.Preset{a.preset, b.preset}, Pubeval: [2]bool{a.pubeval, b.pubeval},
			Length: t.Header.Length, Cubeless: t.Header.Cubeless, Jacoby: t.Header.Jacoby, Seed: t.Header.SeedOf(k), Judge: f.judge}
		if f.judge != nil {
			p.Luck, p.LuckPlies = true, analyse.UsualLuckPlies(f.judge.Checker.Plies)
		}
		return p
	}
	t.Turn = max(16, 4*f.jobs)
	if f.farm.URL != "" {
		t.Turn = t.Pairs
	}
	var mu sync.Mutex
	t.Run = func(k int) (duel.Run, error) {
		run := duel.Run{Settings: plan(k).Settings(e), Jobs: f.jobs}
		for i, n := range [2]int{meetings[k].A, meetings[k].B} {
			c, name := &f.seats[n], t.Header.Players[n].Name
			var told func(error)
			maker := duel.Preset(e, c.preset)
			switch {
			case c.pubeval:
				maker = duel.Pubeval
			case c.other.Protocol != "":
				maker = duel.Outside(c.other.Spec, cmd.ErrOrStderr())
				told = func(err error) {
					mu.Lock()
					defer mu.Unlock()
					if c.faults++; c.faults <= toldFaults {
						complain(cmd.ErrOrStderr(), fmt.Errorf("%s: %w", name, err))
					}
				}
				if c.other.Address != "" {
					run.Jobs = 1 // gnubg serves one connection at a time
				}
			}
			run.Players[i] = duel.Watched(maker, cmp.Or(c.other.within, f.file.Within.Std()), told)
		}
		return run, nil
	}
	t.Duel = func(ctx context.Context, k int, run *duel.Run) error {
		var err error
		if f.seats[meetings[k].A].other.Protocol+f.seats[meetings[k].B].other.Protocol != "" {
			_, _, err = run.Play(ctx)
		} else {
			_, _, err = f.farm.Duel(cmd, f.parts.Work(remote.Duel, nil, e), plan(k), run)
		}
		return err
	}
}

// toldFaults is how many faults of a player are printed; all are counted.
const toldFaults = 20
