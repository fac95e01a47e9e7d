package engine

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fibsbot/bearoff"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/nn"
	"fibsbot/engine/preset"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
	"fibsbot/internal/splitmix"
	"fibsbot/weights"
)

// Options are what an Engine is made of. The zero value is good.
type Options struct {
	// Weights is the path of a weights file; "" means the nets in the binary.
	Weights string
	// BearoffDir is a folder of bigger bearoff databases; "" for none.
	BearoffDir string
	// NoBearoff leaves the end of the game to the nets.
	NoBearoff bool
	// Bearoff is an open source to use instead of one of the engine's own; the
	// caller closes it.
	Bearoff *bearoff.Source
	// CacheMB bounds the memory of the evaluation cache; 0 is 32, negative none.
	CacheMB int
	// Threads is how many threads one decision may use; 0 is one per CPU.
	Threads int
	// Table is the match equity table; nil means Kazaross-XG2.
	Table *match.Table
	// Efficiency is the cube efficiency by class; nil means the usual one.
	Efficiency *cube.Efficiency
	// Seed makes the noise of weak presets repeatable; 0 draws one.
	Seed uint64
	// Warn is called with a line for each thing that could not be used. May be nil.
	Warn func(string)
}

// Engine makes all decisions of a process. It is safe for concurrent use. Errors of
// decisions wrap match.ErrScore or board.ErrIllegalPosition for what cannot be, and the
// context's error when that ends first. Make it with Open: the zero Engine returns
// errors.
type Engine struct {
	search *search.Engine
	model  *eval.Model
	source *bearoff.Source
	own    bool
	table  *match.Table
	// efficiency is that of Options, nil for the usual one.
	efficiency *cube.Efficiency
	seed       uint64
	asked      atomic.Uint64
	exact      search.ExactSource
	judge      func() eval.Evaluator

	// plain is the engine that made this one for other rules, nil for those that Open makes.
	plain    *Engine
	mu       sync.Mutex
	variants map[board.Rules]*Engine
}

// Open makes an engine. An error names the weights file and the problem; see weights.Load.
func Open(o Options) (_ *Engine, err error) {
	e := &Engine{source: o.Bearoff, table: o.Table, efficiency: o.Efficiency, seed: o.Seed}
	if e.source == nil && !o.NoBearoff {
		e.own = true
		e.source = bearoff.NewSource(bearoff.Options{Dir: o.BearoffDir, Warn: o.Warn})
	}
	defer func() {
		if err != nil {
			_ = e.Close() // the error of opening says more
		}
	}()
	var db eval.BearoffSource
	if e.source != nil {
		db, e.exact = e.source, exactSource{e.source}
	}
	// The cache before the nets: it is memory that nothing has touched then, and so much of
	// it that the collector does not run at every few MB while they are read.
	e.search, err = search.New(search.Options{
		NewEvaluator: func() eval.Evaluator { return e.judge() },
		Exact:        e.exact, Table: o.Table, Efficiency: o.Efficiency,
		CacheBytes: o.CacheMB << 20, Threads: o.Threads,
	})
	if err != nil {
		return nil, fmt.Errorf("open engine: %w", err)
	}
	set, err := weights.Load(o.Weights)
	if err != nil {
		return nil, err
	}
	if e.model, err = eval.NewModel(set, db); err != nil {
		return nil, fmt.Errorf("open engine: %w", err)
	}
	e.judge = e.model.Evaluator
	e.table = e.search.Table()
	if text := e.table.Warning(); text != "" && o.Warn != nil {
		o.Warn(text)
	}
	if e.seed == 0 {
		var b [8]byte
		if _, err := rand.Read(b[:]); err != nil {
			return nil, fmt.Errorf("open engine: draw a seed: %w", err)
		}
		e.seed = binary.LittleEndian.Uint64(b[:])
	}
	return e, nil
}

// Close releases the databases that Open opened.
func (e *Engine) Close() error {
	if !e.own {
		return nil
	}
	return e.source.Close()
}

// Warm builds or opens databases and lays out nets, which is otherwise done when they are first needed, so
// that no decision waits for them.
func (e *Engine) Warm() {
	if e.source != nil {
		e.source.Warm()
	}
	e.model.Warm()
}

// Search returns the search below, for callers with settings of their own.
func (e *Engine) Search() *search.Engine { return e.search }

// Model returns the static evaluation below.
func (e *Engine) Model() *eval.Model { return e.model }

// Table returns the match equity table.
func (e *Engine) Table() *match.Table { return e.table }

// Bearoff returns the bearoff databases, nil when the engine has none.
func (e *Engine) Bearoff() *bearoff.Source { return e.source }

// Rules returns those of the game that the engine plays: ordinary backgammon, but for
// engines that With has made.
func (e *Engine) Rules() board.Rules {
	if e.search == nil {
		return board.Rules{}
	}
	return e.search.Rules()
}

// Exact returns the source of exact values that searches and rollouts use: the two-sided
// bearoff databases, or that of hypergammon; or nil if the engine has neither.
func (e *Engine) Exact() search.ExactSource { return e.exact }

// RolloutOptions returns what rollouts by this engine are played with.
func (e *Engine) RolloutOptions() rollout.Options {
	return rollout.Options{Evaluator: e.judge, Search: e.search, Exact: e.exact, Efficiency: e.efficiency, Nets: e.Manifest().Name, With: e.optionsWith}
}

// Manifest says what nets the engine plays with.
func (e *Engine) Manifest() nn.Manifest { return e.model.Manifest() }

// seeded gives settings that decide at random and have no seed of their own the
// next one of the engine's sequence.
func (e *Engine) seeded(s search.Settings) search.Settings {
	if s.Random() && s.Seed == 0 {
		s.Seed = (e.seed + e.asked.Add(1)) * splitmix.Gamma
	}
	return s
}

// Hint is RankPlays for people who compare plays: at least the best two are searched to the full
// depth.
func (e *Engine) Hint(ctx context.Context, p board.Position, d board.Dice, st match.State, pr preset.Preset) ([]search.Candidate, error) {
	pr.Checker.Filter = pr.Checker.Filter.AtLeast(2)
	return e.RankPlays(ctx, p, d, st, pr)
}

// RankPlays ranks the legal plays of a roll for the player on roll, best first
// (with human-like errors the one it would make first); none when no play is
// legal. Plays that the preset rolls out come first, by what that gave. Errors are
// those of search.Engine.Plays.
func (e *Engine) RankPlays(ctx context.Context, p board.Position, d board.Dice, st match.State, pr preset.Preset) ([]search.Candidate, error) {
	list, _, err := e.PlaysRolled(ctx, p, d, st, pr)
	return list, err
}

// PlaysRolled is RankPlays with the rollout behind the ranking.
func (e *Engine) PlaysRolled(ctx context.Context, p board.Position, d board.Dice, st match.State, pr preset.Preset) ([]search.Candidate, Rolled, error) {
	st = st.Normal()
	began := time.Now()
	list, err := e.search.Plays(ctx, p, d, st, e.seeded(pr.Checker))
	var rolled Rolled
	if err == nil && len(list) > 1 {
		rolled, err = e.rollPlays(ctx, p, st, &pr, list, began)
	}
	if err != nil || len(list) < 2 || pr.Human.Checker <= 0 {
		return list, rolled, err
	}
	// What the preset would play goes first; the others stay ranked behind it.
	k := pr.Human.Pick(&p, d, list, e.errorSeed(pr.Checker))
	chosen := list[k]
	copy(list[1:k+1], list[:k])
	list[0] = chosen
	return list, rolled, nil
}

// errorSeed is the seed of human-like errors: that of the settings, or the next
// of the engine's sequence.
func (e *Engine) errorSeed(s search.Settings) uint64 {
	if s.Seed != 0 {
		return s.Seed
	}
	return (e.seed + e.asked.Add(1)) * splitmix.Gamma
}

// BestPlay returns the best play of a roll; ok is false when none is legal. With
// a single legal play nothing is searched. At 0 plies the small net first leaves out
// what cannot be the best (search.Engine.Best).
func (e *Engine) BestPlay(ctx context.Context, p board.Position, d board.Dice, st match.State, pr preset.Preset) (c search.Candidate, ok bool, err error) {
	if pr.Checker.Plies == 0 && pr.Close.Trials == 0 && pr.Human.Checker <= 0 {
		c, legal, err := e.search.Best(ctx, p, d, st.Normal(), e.seeded(pr.Checker))
		return c, legal > 0, err
	}
	list, err := e.RankPlays(ctx, p, d, st, pr)
	if len(list) == 0 {
		return c, false, err
	}
	return list[0], true, err
}

// Evaluate returns chances (0 to 1) and equities (EMG) for the player on roll, who may
// double first.
func (e *Engine) Evaluate(ctx context.Context, p board.Position, st match.State, pr preset.Preset) (search.Evaluation, error) {
	st = st.Normal()
	return e.search.Evaluate(ctx, p, st, e.seeded(pr.Cube))
}

// CubeDecision returns the cube decision of the player on roll, rolled out if it is close by
// the preset.
func (e *Engine) CubeDecision(ctx context.Context, p board.Position, st match.State, pr preset.Preset) (cube.Decision, error) {
	d, _, err := e.CubeRolled(ctx, p, st, pr)
	return d, err
}

// CubeRolled is CubeDecision with the rollout behind it.
func (e *Engine) CubeRolled(ctx context.Context, p board.Position, st match.State, pr preset.Preset) (cube.Decision, Rolled, error) {
	st = st.Normal()
	began := time.Now()
	d, err := e.search.Cube(ctx, p, st, e.seeded(pr.Cube))
	if err != nil || pr.Close.CubeTrials == 0 {
		return d, Rolled{}, err
	}
	return e.rollCube(ctx, p, st, &pr, d, began)
}

// Double reports whether the player on roll doubles with preset pr.
func (e *Engine) Double(ctx context.Context, p board.Position, st match.State, pr preset.Preset) (bool, cube.Decision, error) {
	d, err := e.CubeDecision(ctx, p, st, pr)
	return err == nil && e.Doubles(p, &d, pr), d, err
}

// Doubles reports whether preset pr doubles in position p, of which d is the decision.
func (e *Engine) Doubles(p board.Position, d *cube.Decision, pr preset.Preset) bool {
	if !d.Available() || d.Dead {
		return false
	}
	if pr.Human.Cube > 0 {
		return pr.Human.Offers(d, e.errorSeed(pr.Cube))
	}
	optional := d.Action == cube.OptionalDoubleTake || d.Action == cube.OptionalDoublePass
	return d.Action.Double() || optional && pr.OptionalDouble
}

// CubeAnswer is what to do about a double.
type CubeAnswer struct {
	Take, Beaver bool
	// Decision is the doubler's, Rolled the rollout behind it.
	Decision cube.Decision
	Rolled   Rolled
}

// TakeDecision answers a double. Position and state are the doubler's, who is on
// roll, with the cube as it was before; the answer is the opponent's.
func (e *Engine) TakeDecision(ctx context.Context, p board.Position, st match.State, pr preset.Preset) (CubeAnswer, error) {
	st = st.Normal()
	if st.Owner == match.Theirs || st.Crawford {
		return CubeAnswer{}, fmt.Errorf("%w: a double that the rules do not allow", match.ErrScore)
	}
	d, rolled, err := e.CubeRolled(ctx, p, st, pr)
	a := CubeAnswer{Decision: d, Rolled: rolled}
	switch {
	case err != nil:
	case pr.Human.Cube > 0:
		a.Take = pr.Human.Accepts(&d, e.errorSeed(pr.Cube))
	default:
		a.Take = d.DoubleTake <= d.DoublePass
		a.Beaver = st.Length == 0 && st.Beavers > 0 && d.DoubleTake < 0
	}
	return a, err
}

// exactSource shows the two-sided bearoff databases to searches and rollouts.
type exactSource struct{ db *bearoff.Source }

func (x exactSource) Exact(p *board.Position) (cube.Exact, bool) {
	e, ok := x.db.Equities(p)
	if !ok {
		return cube.Exact{}, false
	}
	return cube.Exact{Probs: eval.Probs{eval.Win: (float32(e.Cubeless) + 1) / 2}, Owned: float32(e.Owned), Centred: float32(e.Centred),
		Theirs: float32(e.OppOwned), Jacoby: float32(e.Centred)}, true
}

// NamedTable returns a match equity table of the program; ok is false for another name.
func NamedTable(name string) (t *match.Table, ok bool) {
	switch strings.ToLower(name) {
	case "", "kazaross-xg2":
		return match.DefaultTable(), true
	case "woolsey":
		return match.WoolseyTable(), true
	}
	return nil, false
}

// TableName is the one way to write the name of t, which [LoadTable] made of name, where names
// are kept and compared: empty for the usual one, a file's path with its [match.Table.Sum], for a
// file may be another one by the time of the comparison.
func TableName(name string, t *match.Table) string {
	switch named, ok := NamedTable(name); {
	case !ok:
		return name + " " + t.Sum()
	case named == match.DefaultTable():
		return ""
	}
	return strings.ToLower(name)
}

// LoadTable returns the match equity table that is called name: "" or kazaross-xg2, woolsey,
// or a file as gnubg has them (its met folder, XML). Errors name the table or the file and
// wrap match.ErrTable or what the file system says.
func LoadTable(name string) (*match.Table, error) {
	if t, ok := NamedTable(name); ok {
		return t, nil
	}
	in, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("match equity table: %w (use kazaross-xg2, woolsey or an .xml file of gnubg)", err)
	}
	defer in.Close()
	t, err := match.ReadXML(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

// PlayOn is search.Engine.PlayOn at the depth of a preset, without its noise, human errors
// and rollouts.
func (e *Engine) PlayOn(ctx context.Context, s match.Situation, pr preset.Preset) (search.Evaluation, error) {
	set := pr.Cube
	if s.Dice.Valid() {
		set = pr.Checker
	}
	set.Share, set.Noise, set.Cubeful = 0, 0, true
	s.State = s.State.Normal()
	return e.search.PlayOn(ctx, s, set)
}

// ResignOffer returns which resignation the player on roll should offer: 1
// single, 2 gammon, 3 backgammon, 0 none. Positions that are not lost at a
// glance are not searched.
func (e *Engine) ResignOffer(ctx context.Context, s match.Situation, pr preset.Preset) (int, error) {
	st := s.State.Normal()
	if pr.Resign.Never {
		return 0, nil
	}
	glance := pr
	glance.Cube.Plies, glance.Checker.Plies = 0, 0
	v, err := e.PlayOn(ctx, s, glance)
	if err != nil || v.Probs[eval.Win] > 0.05 ||
		st.Drops == match.DropSingle && pr.Resign.Offers(e.table, st, v.Probs, v.Cubeful) == 0 {
		return 0, err
	}
	// A static zero may hide a chance that looking ahead finds.
	glance.Cube.Plies, glance.Checker.Plies = max(1, pr.Cube.Plies), max(1, pr.Checker.Plies)
	if v, err = e.PlayOn(ctx, s, glance); err != nil {
		return 0, err
	}
	if st.Drops == match.DropByPosition {
		return pr.Resign.GivesUp(e.table, st, &s.Position, v.Probs, v.Cubeful), nil
	}
	return pr.Resign.Offers(e.table, st, v.Probs, v.Cubeful), nil
}

// AcceptResignation reports whether to accept a resignation of the player on roll: level
// 1 single, 2 gammon, 3 backgammon. Less than 1 is refused.
func (e *Engine) AcceptResignation(ctx context.Context, s match.Situation, level int, pr preset.Preset) (bool, error) {
	v, err := e.PlayOn(ctx, s, pr)
	if err != nil {
		return false, err
	}
	return pr.Resign.Accepts(e.table, s.State.Normal(), v.Probs, v.Cubeful, level), nil
}

// AcceptOnRoll is AcceptResignation for a resignation of the other player: the player
// on roll answers.
func (e *Engine) AcceptOnRoll(ctx context.Context, s match.Situation, level int, pr preset.Preset) (bool, error) {
	v, err := e.PlayOn(ctx, s, pr)
	if err != nil {
		return false, err
	}
	return pr.Resign.Accepts(e.table, s.State.Normal().Swap(), v.Probs.Invert(), -v.Cubeful, level), nil
}
