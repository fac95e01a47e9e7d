package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/policy"
	"fibsbot/bot/table"
	"fibsbot/config"
	"fibsbot/engine/preset"
	"fibsbot/engine/rating"
	"fibsbot/engine/search"
	"fibsbot/engine/tune"
	"fibsbot/engine/tune/human"
)

// baseOfOwn is what an own preset without a base builds on.
const baseOfOwn = "worldclass"

// Preset resolves a preset by name: a built-in one, or one of the configuration
// with its bases, filters and settings.
func Preset(c *config.Config, name string) (preset.Preset, error) {
	return resolve(c, name, 0)
}

func resolve(c *config.Config, name string, depth int) (preset.Preset, error) {
	own, ok := c.Presets[name]
	if !ok {
		return preset.ByName(name)
	}
	if depth > len(c.Presets) {
		return preset.Preset{}, fmt.Errorf("preset %s: its base leads back to itself", name)
	}
	base := own.Base
	if base == "" {
		base = baseOfOwn
	}
	p, err := resolve(c, base, depth+1)
	if err != nil {
		return p, fmt.Errorf("preset %s: %w", name, err)
	}
	p.Name, p.Summary = name, "own preset on "+base
	if err := apply(c, &p.Checker, own.Checker); err != nil {
		return p, fmt.Errorf("preset %s: %w", name, err)
	}
	if err := apply(c, &p.Cube, own.Cube); err != nil {
		return p, fmt.Errorf("preset %s: %w", name, err)
	}
	if err := settleBy(&p.Close, own.Rollout); err != nil {
		return p, fmt.Errorf("preset %s: %w", name, err)
	}
	switch own.Style {
	case "human":
		// The amounts of noise are those of the human style then.
		p.Human = human.Style{Checker: p.Checker.Noise + p.Human.Checker, Cube: p.Cube.Noise + p.Human.Cube}
		p.Checker.Noise, p.Cube.Noise = 0, 0
	case "noise":
		p.Checker.Noise, p.Cube.Noise = p.Checker.Noise+p.Human.Checker, p.Cube.Noise+p.Human.Cube
		p.Human = human.Style{}
	}
	if own.Optional != "" {
		p.OptionalDouble = own.Optional == "double"
	}
	return p, nil
}

// apply puts the settings that are given over those of the base.
func apply(c *config.Config, s *search.Settings, own config.Settings) error {
	if own.Plies != nil {
		s.Plies = *own.Plies
		// A static base does not prune; a search without takes three times as long.
		s.Prune = s.Prune || s.Plies > 0 && s.Reduced == 0
	}
	if own.Share != nil {
		s.Share = *own.Share
	}
	if own.Noise != nil {
		s.Noise = *own.Noise
	}
	if own.Deterministic != nil {
		s.Deterministic = *own.Deterministic
	}
	if own.Cubeful != nil {
		s.Cubeful = *own.Cubeful
	}
	if own.Filter != nil {
		f, err := filter(c, *own.Filter)
		if err != nil {
			return err
		}
		s.Filter = f
	}
	return s.Validate()
}

// settleBy puts what is given about rollouts of close plays over the base's. Where the
// base has none, what is not given is as in grandmaster.
func settleBy(c *preset.Close, own config.Rollout) error {
	if own == (config.Rollout{}) {
		return nil
	}
	if c.Trials == 0 {
		p, err := preset.ByName("grandmaster")
		if err != nil {
			return err
		}
		*c = p.Close
	}
	if own.Trials != nil {
		c.Trials = *own.Trials
	}
	if own.Plays != nil {
		c.Plays = *own.Plays
	}
	if own.Within != nil {
		c.Within = *own.Within
	}
	if own.Truncate != nil {
		c.Truncate = *own.Truncate
	}
	return c.Validate()
}

// filter finds a move filter by name, built in or of the configuration.
func filter(c *config.Config, name string) (search.Filter, error) {
	own, ok := c.Filters[name]
	if !ok {
		return search.FilterByName(name)
	}
	f := search.Filter{Name: name}
	for n := range f.Cuts {
		for k := 0; k <= n; k++ {
			cut := search.Skip
			if k < len(own.Stages) {
				st := own.Stages[k]
				cut = search.Cut{Accept: st.Accept, Extra: st.Extra, Threshold: st.Threshold}
			}
			f.Cuts[n] = append(f.Cuts[n], cut)
		}
	}
	return f, nil
}

// atRating is the preset that plays at a rating by the measured table. A rating
// out of its reach gives the nearest strength there is.
func atRating(rating float64, length int, style string) (preset.Preset, bool) {
	st, err := tune.PresetForRating(rating, max(0, length), tune.Style(style))
	if err != nil && style == string(tune.Human) {
		// Better the right strength with the wrong errors than the other way.
		st, err = tune.PresetForRating(rating, max(0, length), tune.Noise)
	}
	return st.Preset, err == nil || errors.Is(err, tune.ErrOutOfReach) && st.Preset.Name != ""
}

// held is the rating to play at so that the account's own rating stays near the
// target.
func (s *seat) held(target float64, length int) float64 {
	low, high := target-400, target+400
	if surface, err := tune.Measured(); err == nil {
		if lo, hi := surface.Range(max(0, length), tune.Noise); hi > lo {
			low, high = lo, hi
		}
	}
	mine := s.me().Rating
	want := target
	s.memory.hold(func(h *tune.Hold) *tune.Hold {
		if h == nil || h.Target != target {
			fresh := tune.NewHold(target, low, high)
			h = &fresh
		}
		next := h.Begin(mine)
		want = next.Strength
		return &next
	})
	return want
}

// learn tells the feedback how a match has moved the account's rating.
func (s *seat) learn(after float64, length int) {
	target := s.h.opt.Config().Strength.TargetRating
	s.memory.hold(func(h *tune.Hold) *tune.Hold {
		if h == nil || target == 0 || h.Target != target {
			return nil
		}
		next := h.End(rating.Account{Rating: after, Experience: s.who[s.name].Experience}, length)
		return &next
	})
}

// choice is the strength of one match, held until it ends.
type choice struct {
	opponent  string
	preset    preset.Preset
	rule      string
	acceptAll bool
}

// choose picks the strength for a match that begins or is resumed. A remembered
// choice for the same match is kept.
func (s *seat) choose(opponent string, length int, resumed bool, now time.Time) {
	c := s.h.opt.Config()
	if have := s.chosen.Load(); have != nil && have.opponent == opponent && resumed {
		return
	}
	s.flush(true, now) // what the last match taught counts for this one
	known := s.memory.get(opponent)
	var st policy.Strength
	if resumed && (known.Preset != "" || known.Level > 0) {
		st = policy.Strength{Preset: known.Preset, Rating: known.Level, Rule: "saved"}
	} else {
		them, seen := s.who[opponent]
		o := policy.Opponent{Player: playerOf(opponent, them), Known: seen, Length: max(0, length), Won: s.past(opponent).Won}
		st = policy.Choose(c, s.acct.Preset, o, policy.Facts{Now: now, Me: s.me()}, policy.Held{Rating: known.Held})
		if !resumed && known.Wants != "" && slices.Contains(c.Manners.LevelOnRequest, known.Wants) {
			st = policy.Strength{Preset: known.Wants, Rule: "manners.level_on_request"}
		}
		if t := c.Strength.TargetRating; t > 0 && st.Rule == "strength.preset" {
			st = policy.Strength{Rating: s.held(t, length), Rule: "strength.target_rating"}
		}
	}
	p, rule := s.presetFor(c, st, length)
	p = s.dress(c, p)
	s.chosen.Store(&choice{opponent: opponent, preset: p, rule: rule, acceptAll: c.Resign.Accept == "always"})
	s.memory.change(opponent, now, func(p *person) {
		p.Preset, p.Level = st.Preset, st.Rating
		if !resumed {
			p.Wants = "" // for one match, whether it could be granted or not
		}
		if st.Rating > 0 {
			p.Held = st.Rating
		}
	})
	s.log.WithField("opponent", opponent).WithField("preset", p.Name).WithField("rule", rule).Info("strength chosen")
}

// presetFor turns a strength into a preset. A preset that went out of the
// configuration while its match was saved gives way to the general one.
func (s *seat) presetFor(c *config.Config, st policy.Strength, length int) (preset.Preset, string) {
	if st.Rating > 0 {
		if p, ok := s.h.opt.AtRating(st.Rating, length, c.Strength.Style); ok {
			return p, st.Rule
		}
	}
	for _, name := range []string{st.Preset, c.Strength.Preset} {
		if p, err := Preset(c, name); err == nil && name != "" {
			return p, st.Rule
		}
	}
	p, err := preset.ByName(baseOfOwn)
	if err != nil {
		panic("host: the preset " + baseOfOwn + " is gone") // a build without it is broken
	}
	return p, "default"
}

// dress adds what the configuration says for every preset: the time limit and
// the ways to resign.
func (s *seat) dress(c *config.Config, p preset.Preset) preset.Preset {
	p.Checker.Budget, p.Cube.Budget = c.Strength.Within.Std(), c.Strength.Within.Std()
	p.Resign.Never = !c.Resign.Offer
	// Who resigns with a winning chance of x gives away about 2x points.
	p.Resign.Offer = 2 * (1 - c.Resign.Certainty)
	return p
}

// Decide implements table.Decider with the preset of the match. The seats of a
// process take turns at the processors, first come first served.
func (s *seat) Decide(ctx context.Context, sit table.Situation) (table.Decision, error) {
	ch := s.chosen.Load()
	if ch == nil {
		p, _ := s.presetFor(s.h.opt.Config(), policy.Strength{Preset: s.acct.Preset}, sit.State.Length)
		ch = &choice{preset: s.dress(s.h.opt.Config(), p)}
	}
	s.h.thinking.Add(1)
	defer s.h.thinking.Add(-1)
	if err := s.h.gate.Acquire(ctx, 1); err != nil {
		return table.Decision{}, err
	}
	defer s.h.gate.Release(1)
	began := time.Now()
	d, err := bot.Player{Engine: s.h.opt.Engine, Preset: ch.preset, AcceptAll: ch.acceptAll}.Decide(ctx, sit)
	s.h.opt.Metrics.Decision(s.label, sit.Ask.String(), ch.preset.Name, time.Since(began))
	return d, err
}

// pace is how long a decision should seem to take.
func (s *seat) pace(sit table.Situation, d table.Decision) time.Duration {
	diff := policy.Difficulty{Forced: d.Forced, Gap: d.Gap}
	if d.Action == table.Roll && d.Gap > obvious {
		diff.Forced = true // no thought of doubling
	}
	wait := policy.Pace(s.h.opt.Config().Pacing, diff, s.h.random())
	if s.h.decided != nil {
		s.h.decided(s.name, sit, d, wait)
	}
	return wait
}

// obvious is the gap beyond which nobody thinks about a double.
const obvious = 0.2
