package host

import (
	"context"
	"slices"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/policy"
	"fibsbot/bot/strength"
	"fibsbot/bot/table"
	"fibsbot/engine/preset"
	"fibsbot/engine/rating"
	"fibsbot/engine/tune"
)

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
		next := h.End(rating.Account{Rating: after, Experience: s.lobby.Me().Experience}, length)
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
		them, seen := s.lobby.User(opponent)
		o := policy.Opponent{Player: playerOf(opponent, them), Known: seen, Length: max(0, length), Won: s.past(opponent).Won}
		st = policy.Choose(c, s.Preset, o, policy.Facts{Now: now, Me: s.me()}, policy.Held{Rating: known.Held})
		if !resumed && known.Wants != "" && slices.Contains(c.Manners.LevelOnRequest, known.Wants) {
			st = policy.Strength{Preset: known.Wants, Rule: "manners.level_on_request"}
		}
		if t := c.Strength.TargetRating; t > 0 && st.Rule == "strength.preset" {
			st = policy.Strength{Rating: s.held(t, length), Rule: "strength.target_rating"}
		}
	}
	p, rule := strength.For(c, st, length, s.h.opt.AtRating)
	p = strength.Dress(c, p)
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

// Decide implements table.Decider with the preset of the match. The seats of a
// process take turns at the processors, first come first served.
func (s *seat) Decide(ctx context.Context, sit table.Situation) (table.Answer, error) {
	ch := s.chosen.Load()
	if ch == nil {
		c := s.h.opt.Config()
		p, _ := strength.For(c, policy.Strength{Preset: s.Preset}, sit.State.Length, s.h.opt.AtRating)
		ch = &choice{preset: strength.Dress(c, p)}
	}
	s.h.thinking.Add(1)
	defer s.h.thinking.Add(-1)
	if err := s.h.gate.Acquire(ctx, 1); err != nil {
		return table.Answer{}, err
	}
	defer s.h.gate.Release(1)
	began := time.Now()
	d, err := bot.Player{Engine: s.h.opt.Engine, Preset: ch.preset, AcceptAll: ch.acceptAll}.Decide(ctx, sit)
	s.h.opt.Metrics.Decision(s.label, sit.Ask.String(), ch.preset.Name, time.Since(began))
	return d, err
}

// pace is how long a decision should seem to take.
func (s *seat) pace(sit table.Situation, d table.Answer) time.Duration {
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
