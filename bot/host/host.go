package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sirupsen/logrus"
	"golang.org/x/sync/semaphore"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/internal/blocklist"
	"fibsbot/bot/notify"
	"fibsbot/bot/ops"
	"fibsbot/bot/protocol"
	"fibsbot/bot/strength"
	"fibsbot/bot/table"
	"fibsbot/config"
	"fibsbot/engine"
	"fibsbot/engine/external"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/filename"
)

// Errors of a seat that ended for good.
var (
	// ErrRunning: another process on this machine runs the account.
	ErrRunning = errors.New("another fibsbot runs this account")
	// ErrNoAccount: the configuration has no account to run.
	ErrNoAccount = errors.New("no account to run")
)

// Options are the options of a Host. Config and Engine are required.
type Options struct {
	// Config returns the configuration in force. It is called for every decision that
	// depends on it, so a reload counts at once, except for the keys of NeedsRestart and
	// for the preset of a running match.
	Config func() *config.Config
	// Reload reads the configuration again, for owners; nil refuses.
	Reload func() error
	Engine *engine.Engine
	// Log receives what happens; nil logs nothing.
	Log logrus.FieldLogger
	// CloseLog closes the file of the log, which the next entry opens again; may be nil.
	CloseLog func()
	// Version is the program's version, for players who ask.
	Version string
	// ConfigFile is shown by status.
	ConfigFile string
	// Metrics are those of the process; nil makes private ones.
	Metrics *ops.Metrics
	// MaxMatches ends each account after that many finished matches; 0 means no limit.
	MaxMatches int
	// DryRun logs in, watches and decides, and sends nothing but keepalives.
	DryRun bool
	// AtRating finds the preset for a rating in matches of length points (0 unlimited),
	// with errors of a style; the measured table by default.
	AtRating strength.Rated
	// Protocols are the protocols that server.protocol can name.
	Protocols []protocol.Protocol
	// Table overrides the patience of the tables, for tests.
	Table table.Options
	// NoSync leaves the journals to the operating system, for tests.
	NoSync bool
	// Seed makes pacing repeatable; 0 draws one.
	Seed uint64
	// Changed is called after every change of a seat's state, for supervisors.
	Changed func()
}

// Host runs the accounts of one process.
type Host struct {
	opt     Options
	outside map[string]*external.Kept // other engines by name
	gate    *semaphore.Weighted
	started time.Time
	seats   []*seat
	files   *filing
	// viewed is set, and firstView closed, when a page first asks.
	viewed    atomic.Bool
	firstView chan struct{}
	secrets   secrets

	thinking atomic.Int64 // running decisions; background work waits for them
	draining atomic.Bool
	drained  chan struct{} // closed when draining begins
	blocks   blockFile
	listed   *blocklist.List // of opponents.block_url
	reach    reach
	// decided, if set by a test, is called for every decision and its pacing.
	decided func(account string, s table.Situation, d table.Answer, wait time.Duration)
	// before, if set by a test, is called before each step of filing, and may refuse it.
	before func(step string) error

	mu    sync.Mutex
	rng   *rand.Rand
	limit *time.Timer
	stop  context.CancelFunc // set by Run

	indexTrouble string // why the index fails, or ""

	notes      *notify.Outbox // nil until Run
	seatsEvery time.Duration  // seatsEvery, less in tests

	fileAgain  time.Duration // catchUpEvery, less in tests
	loginGrace time.Duration // loginGrace, less in tests
}

// New makes a host for the enabled accounts of the configuration in force.
func New(opt Options) (*Host, error) {
	if opt.Config == nil {
		return nil, fmt.Errorf("%w: no configuration", ErrNoAccount)
	}
	if opt.Metrics == nil {
		opt.Metrics = ops.NewMetrics()
	}
	if opt.AtRating == nil {
		opt.AtRating = strength.AtRating
	}
	if opt.Log == nil {
		l := logrus.New()
		l.SetOutput(io.Discard)
		opt.Log = l
	}
	if opt.Seed == 0 {
		opt.Seed = rand.Uint64()
	}
	c := opt.Config()
	opt.Metrics.Build.WithLabelValues(opt.Version, runtime.Version()).Set(1)
	if e := opt.Engine; e != nil {
		opt.Metrics.Searches(func() (nodes, hits uint64) {
			c := e.Search().Counters()
			return c.Nodes, c.Hits
		})
	}
	h := &Host{opt: opt, started: time.Now(), drained: make(chan struct{}), firstView: make(chan struct{}), fileAgain: catchUpEvery, loginGrace: loginGrace, seatsEvery: seatsEvery, rng: rand.New(rand.NewPCG(opt.Seed, 1)), blocks: blockFile{log: opt.Log},
		listed: blocklist.New(blocklist.File(c.Archive.Dir), opt.Log)}
	h.outside = h.openOutside(c)
	h.gate = semaphore.NewWeighted(int64(processors(c)))
	for _, a := range c.Accounts {
		if a.Disabled {
			continue
		}
		proto, err := spoken(opt.Protocols, cmp.Or(a.Protocol, c.Server.Protocol))
		if err != nil {
			return nil, err
		}
		h.seats = append(h.seats, newSeat(h, a, proto))
	}
	var causes []string
	for _, c := range protocol.Causes() {
		causes = append(causes, string(c))
	}
	for _, s := range h.seats {
		opt.Metrics.Account(s.label, causes...)
	}
	switch {
	case len(h.seats) == 0:
		return nil, ErrNoAccount
	case opt.Engine == nil:
		return nil, errors.New("host: no engine")
	}
	return h, nil
}

// spoken finds a protocol by its name.
func spoken(list []protocol.Protocol, name string) (protocol.Protocol, error) {
	var names []string
	for _, p := range list {
		if p.Name() == name {
			return p, nil
		}
		names = append(names, p.Name())
	}
	return nil, fmt.Errorf("server.protocol: unknown protocol %q (use %s)", name, strings.Join(names, ", "))
}

// EngineThreads returns how many threads an engine should use for one decision, so that all
// accounts together use the processors fully and fairly.
func EngineThreads(c *config.Config) int {
	n := 0
	for _, a := range c.Accounts {
		if !a.Disabled {
			n++
		}
	}
	return max(1, processors(c)/max(1, n))
}

// processors returns how many processors the engine may use for all accounts together.
func processors(c *config.Config) int {
	if c.Engine.Threads > 0 {
		return c.Engine.Threads
	}
	return runtime.GOMAXPROCS(0)
}

// Claim locks the accounts for this process: no two processes on a machine may run the same
// account. Run calls it; a caller that opens a port, for example, calls it before. An account
// that another process runs fails alone in Run. If no account is left, Claim returns an error
// that wraps ErrRunning. Run must follow and releases the accounts.
func (h *Host) Claim() error {
	c := h.opt.Config()
	if err := atomicfile.MkdirPrivate(c.Archive.Dir); err != nil {
		return fmt.Errorf("archive.dir: %w", err)
	}
	errs := make([]error, len(h.seats))
	claimed := false
	for i, s := range h.seats {
		if err := s.claim(c); err != nil {
			errs[i] = s.named(err)
			continue
		}
		claimed = true
	}
	if claimed {
		return nil
	}
	return errors.Join(errs...)
}

// Run runs all accounts until ctx ends, every account has played its matches or failed, or
// Drain has finished. When ctx ends, the server saves the running matches. Run returns the
// errors of accounts that failed, or nil if it was stopped.
func (h *Host) Run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	h.mu.Lock()
	h.stop = stop
	h.mu.Unlock()
	if err := h.Claim(); err != nil {
		return err
	}
	defer func() {
		for _, s := range h.seats {
			s.release()
		}
	}()
	c := &h.opt.Config().Archive
	dsn, err := c.ResolveDSN()
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	db := &index.Keeper{Dir: c.Dir, DSN: dsn, Told: h.reportIndex}
	defer func() {
		if err := db.Close(); err != nil {
			h.opt.Log.WithError(err).Warn("index not closed")
		}
	}()
	defer h.closeOutside()
	defer h.startNotes(context.WithoutCancel(ctx))()
	endFiling := h.startFiling(ctx, db)
	endLists := h.startLists(ctx) // in force before the first invitation
	err = h.play(ctx, db)
	asked := ctx.Err() != nil || h.draining.Load()
	endLists()
	endFiling()
	h.mu.Lock()
	if h.limit != nil {
		h.limit.Stop()
	}
	h.mu.Unlock()
	if asked {
		return nil
	}
	return err
}

// startFiling files the matches that are played, until end.
func (h *Host) startFiling(ctx context.Context, db *index.Keeper) (end func()) {
	h.files = newFiling(h, db)
	var filer sync.WaitGroup
	filer.Go(func() { h.files.run(ctx) })
	return func() {
		h.files.close()
		filer.Wait()
	}
}

// startLists puts the block lists in force and fetches opponents.block_url again when it is
// due, until end.
func (h *Host) startLists(ctx context.Context) (end func()) {
	c := &h.opt.Config().Opponents
	h.blocks.list(c.BlockFile, time.Now())
	h.listed.Recall(c.BlockURL)
	return background(ctx, func(ctx context.Context) {
		h.listed.Run(ctx, func() (string, time.Duration) {
			o := &h.opt.Config().Opponents
			return o.BlockURL, o.BlockEvery.Std()
		})
	})
}

// play runs all accounts until each has stopped, and returns why the failed ones did.
func (h *Host) play(ctx context.Context, db *index.Keeper) error {
	errs := make([]error, len(h.seats))
	var seats sync.WaitGroup
	for i, s := range h.seats {
		seats.Go(func() {
			if err := s.guarded(ctx, db); err != nil {
				errs[i] = s.named(err)
				s.fail(err)
				s.reportStop(err)
				s.log.WithError(err).Error("account stopped")
			}
			h.changed()
		})
	}
	seats.Wait()
	h.reach.knocks.Wait()
	return errors.Join(errs...)
}

// Drain ends Run after the running matches, the running games or at once, according to
// operations.drain, and at the latest after operations.drain_limit. New invitations are
// refused from now on. Further calls do nothing.
func (h *Host) Drain() {
	if !h.draining.CompareAndSwap(false, true) {
		return
	}
	close(h.drained)
	c := h.opt.Config()
	log := h.opt.Log.WithFields(logrus.Fields{"finish": c.Operations.Drain, "limit": c.Operations.DrainLimit.String()})
	if c.Operations.Drain == "now" {
		log.Info("leaving; " + h.Unfinished())
	} else {
		log.Info("leaving")
	}
	h.mu.Lock()
	stop := h.stop
	if stop != nil {
		h.limit = time.AfterFunc(c.Operations.DrainLimit.Std(), func() {
			h.opt.Log.Warn("operations.drain_limit reached: leaving now, " + h.Unfinished())
			stop()
		})
	}
	h.mu.Unlock()
	for _, s := range h.seats {
		s.drain()
	}
	h.changed()
}

// Reopen closes log and transcripts; the next lines open them again, under their names. It is
// for programs that rename logs.
func (h *Host) Reopen() {
	if h.opt.CloseLog != nil {
		h.opt.CloseLog()
	}
	for _, s := range h.seats {
		s.transcript.close()
	}
}

// Unfinished returns in words what happens to unfinished matches.
func (h *Host) Unfinished() string { return h.unfinished(h.seats) }

func (h *Host) unfinished(seats []*seat) string {
	saves, wait := false, time.Duration(0)
	for _, s := range seats {
		seat := s.proto.Rules().SeatKept
		saves, wait = saves || seat == 0, max(wait, seat)
	}
	lost := fmt.Sprintf("wait %d minutes for the bot and are then lost", int(wait.Minutes()))
	switch {
	case wait == 0:
		return "matches are saved"
	case saves:
		return "matches are saved; where the server keeps only the seat they " + lost
	}
	return "matches " + lost
}

// reportIndex handles a change of the index's state. The bot plays on without an index, which
// is rebuilt from the match files and catches up later.
func (h *Host) reportIndex(err error, aside string) {
	h.opt.Metrics.Index(err == nil)
	text := ""
	if err != nil {
		text = err.Error()
	}
	h.mu.Lock()
	had := h.indexTrouble
	h.indexTrouble = text
	h.mu.Unlock()
	switch {
	case aside != "":
		h.notes.Add(notify.Event{Kind: notify.IndexFailed, Text: "The index was damaged. It was renamed and is being rebuilt from the match files."})
		h.opt.Log.WithField("file", aside).Error("index damaged: renamed, rebuilding from the match files")
	case err == nil && had != "":
		h.opt.Log.Info("index works again")
	case err != nil && had == "":
		h.notes.Add(notify.Event{Kind: notify.IndexFailed, Text: "The index failed: " + text})
		h.opt.Log.WithError(err).Error("index failed: playing without it, it will catch up")
	}
}

// Status returns the present state of the process.
func (h *Host) Status() ops.Status {
	st := ops.Status{Version: h.opt.Version, Started: h.started, Draining: h.draining.Load(), Config: h.opt.ConfigFile}
	h.mu.Lock()
	st.IndexError = h.indexTrouble
	h.mu.Unlock()
	for _, s := range h.seats {
		st.Accounts = append(st.Accounts, s.status())
	}
	return st
}

func (h *Host) changed() {
	if h.opt.Changed != nil {
		h.opt.Changed()
	}
}

func (h *Host) random() float64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.rng.Float64()
}

// fileOf returns the path of a small file of an account in the archive's folder.
func fileOf(archive, name, server, ext string) string {
	return filepath.Join(archive, "state", name+"@"+filename.Clean(server, ".-", '_')+ext)
}
