package host

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/policy"
	"fibsbot/bot/strength"
	"fibsbot/bot/table"
	"fibsbot/config"
	"fibsbot/engine/preset"
	"fibsbot/engine/rating"
	"fibsbot/engine/tune"
)

// held returns the rating to play at so that the account's own rating stays near the target.
// begins reports whether a match begins.
func (s *seat) held(target float64, length int, begins bool) float64 {
	low, high := target-400, target+400
	if surface, err := tune.Measured(); err == nil {
		if lo, hi := surface.Range(max(0, length), tune.Noise); hi > lo {
			low, high = lo, hi
		}
	}
	mine := s.me().Rating
	want := target
	s.memory.hold(func(h *tune.Hold) *tune.Hold {
		now := h
		if h == nil || h.Target != target {
			fresh := tune.NewHold(target, low, high)
			now = &fresh
		}
		next := now.Begin(mine)
		want = next.Strength
		if !begins {
			return h
		}
		return &next
	})
	return want
}

// learn updates the feedback with the account's rating after a match.
func (s *seat) learn(after float64, length int) {
	target := s.h.opt.Config().Strength.TargetRating
	s.memory.hold(func(h *tune.Hold) *tune.Hold {
		if h == nil || target == 0 || h.Target != target {
			return nil
		}
		next := h.End(rating.Account{Rating: after, Experience: s.lobby.Me().Experience}, length)
		return &next
	})
}

// choice is the strength of one match, kept until it ends.
type choice struct {
	opponent  string
	preset    preset.Preset
	acceptAll bool
}

// choose picks the strength for a match that begins or is resumed. A remembered choice for
// the same match is kept.
func (s *seat) choose(opponent string, length int, resumed bool, now time.Time) {
	c := s.h.opt.Config()
	if have := s.chosen.Load(); have != nil && have.opponent == opponent && resumed {
		return
	}
	s.flush(true, now) // what the last match taught counts for this one
	st := s.strengthFor(c, opponent, length, resumed, true, now)
	p, rule := strength.For(c, st, length, s.h.opt.AtRating)
	p = strength.WithLimits(c, p)
	s.chosen.Store(&choice{opponent: opponent, preset: p, acceptAll: c.Resign.Accept == "always"})
	s.memory.change(opponent, now, func(p *person) {
		p.Preset, p.Level, p.Character = st.Preset, st.Rating, st.Character
		if !resumed {
			p.Wants = "" // a request counts for one match only
		}
		if st.Rating > 0 {
			p.Held = st.Rating
		}
	})
	s.log.WithField("opponent", opponent).WithField("preset", p.Name).WithField("rule", rule).Info("strength chosen")
}

// strengthFor returns the strength of a match with opponent. begins reports whether the match
// begins.
func (s *seat) strengthFor(c *config.Config, opponent string, length int, resumed, begins bool, now time.Time) policy.Strength {
	known := s.memory.get(opponent)
	if resumed && (known.Preset != "" || known.Level > 0) {
		return policy.Strength{Preset: known.Preset, Rating: known.Level, Character: known.Character, Rule: "saved"}
	}
	if !resumed && known.Wants != "" && slices.Contains(c.Manners.LevelOnRequest, known.Wants) {
		return policy.Strength{Preset: known.Wants, Rule: "manners.level_on_request"}
	}
	them, seen := s.lobby.User(opponent)
	o := policy.Opponent{Player: playerOf(opponent, them), Known: seen, Length: max(0, length), Won: s.past(opponent).Won}
	st := policy.Choose(c, cmp.Or(s.Engine, s.Preset), o, policy.Facts{Now: now, Me: s.me()}, known.Held)
	if t := c.Strength.TargetRating; t > 0 && st.Rule == "strength.preset" {
		return policy.Strength{Rating: s.held(t, length, begins), Character: c.Strength.Character, Rule: "strength.target_rating"}
	}
	return st
}

// presetAgainst returns the name of the preset for a match of length points with opponent.
func (s *seat) presetAgainst(c *config.Config, opponent string, length int, saved bool, now time.Time) string {
	if ch := s.chosen.Load(); ch != nil && ch.opponent == opponent {
		return ch.preset.Name
	}
	p, _ := strength.For(c, s.strengthFor(c, opponent, length, saved, false, now), length, s.h.opt.AtRating)
	return p.Name
}

// levelWords returns a sentence about how we play an opponent: in the match at the board, in
// the saved one, or in a new one of each accepted length.
func (s *seat) levelWords(t *table.Table, c *config.Config, name string, now time.Time) string {
	if sh := t.Sheet(); sh != nil && sh.Opponent == name {
		return c.T("I play as {0} in this match.", s.presetAgainst(c, name, sh.Length, true, now))
	}
	if t.SavedWith(name) {
		return c.T("I play as {0} in our saved match.", s.presetAgainst(c, name, 0, true, now))
	}
	in := &c.Invitations
	var lengths []int
	for n := in.Length.Min; n <= in.Length.Max; n++ {
		if !slices.Contains(in.Length.Deny, n) {
			lengths = append(lengths, n)
		}
	}
	if in.Unlimited {
		lengths = append(lengths, policy.Unlimited)
	}
	var presets []string // each with its lengths in spans
	var spans [][]int
	found := map[policy.Strength]string{} // a preset at a rating takes a millisecond to find
	for _, n := range lengths {
		st := s.strengthFor(c, name, n, false, false, now)
		p, ok := found[st]
		if !ok {
			at, _ := strength.For(c, st, n, s.h.opt.AtRating)
			p = at.Name
			found[st] = p
		}
		if last := len(presets) - 1; last >= 0 && presets[last] == p {
			spans[last] = append(spans[last], n)
			continue
		}
		presets, spans = append(presets, p), append(spans, []int{n})
	}
	for i := range presets {
		if len(presets) > 1 {
			presets[i] += spanWords(c, spans[i])
		}
	}
	return c.T("I play as {0} against you.", strings.Join(presets, c.T(", as ")))
}

// spanWords names match lengths in ascending order, with an unlimited match at the end.
func spanWords(c *config.Config, span []int) string {
	words := ""
	if last := len(span) - 1; span[last] == policy.Unlimited {
		if span = span[:last]; last == 0 {
			return c.T(" in unlimited matches")
		}
		words = c.T(" and in unlimited ones")
	}
	switch first, last := span[0], span[len(span)-1]; {
	case first < last:
		return c.T(" in matches of {0} to {1} points", first, last) + words
	case first == 1:
		return c.T(" in matches of 1 point") + words
	default:
		return c.T(" in matches of {0} points", first) + words
	}
}

// Decide implements table.Decider with the preset of the match. The seats of a process use
// the processors in turn, first come first served.
func (s *seat) Decide(ctx context.Context, sit table.Situation) (table.Answer, error) {
	ch := s.chosen.Load()
	if ch == nil {
		c := s.h.opt.Config()
		p, _ := strength.For(c, policy.Strength{Preset: cmp.Or(s.Engine, s.Preset)}, sit.State.Length, s.h.opt.AtRating)
		ch = &choice{preset: strength.WithLimits(c, p)}
	}
	s.h.thinking.Add(1)
	defer s.h.thinking.Add(-1)
	if err := s.h.gate.Acquire(ctx, 1); err != nil {
		return table.Answer{}, err
	}
	defer s.h.gate.Release(1)
	began := time.Now()
	own := bot.Player{Engine: s.h.opt.Engine, Preset: ch.preset, AcceptAll: ch.acceptAll}
	d, err := s.outside(ch.preset.Name, own).Decide(ctx, sit)
	s.h.opt.Metrics.Decision(s.label, string(sit.Ask), ch.preset.Name, time.Since(began))
	return d, err
}

// pace returns how long a decision should seem to take.
func (s *seat) pace(sit table.Situation, d table.Answer) time.Duration {
	wait := policy.Pace(s.h.opt.Config().Pacing, d.Difficulty, s.h.random())
	if s.h.decided != nil {
		s.h.decided(s.name, sit, d, wait)
	}
	return wait
}
