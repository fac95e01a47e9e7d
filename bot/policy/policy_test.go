package policy

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/internal/names"
	"fibsbot/config"
	"fibsbot/engine/pace"

	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func facts() Facts {
	return Facts{
		Now: noon, Me: Player{Name: "Robo", Rating: 1700, Experience: 5000},
		Them: Player{Name: "bob", Rating: 1600, Experience: 300}, Known: true, SavedCount: 1,
	}
}

func ago(d ...time.Duration) (at []time.Time) {
	for _, x := range d {
		at = append(at, noon.Add(-x))
	}
	return at
}

func TestConsider_everyRule(t *testing.T) {
	five := Invite{From: "bob", Length: 5}
	long := 99
	ruled := func(r ...config.InvitationRule) func(*config.Config) {
		return func(c *config.Config) { c.Invitations.Rules = r }
	}
	nightly := ruled(config.InvitationRule{When: config.When{Rating: config.RatingGap{Max: 1649}, Hours: "22:00-06:00"}, Answer: "decline", Say: "after ten I play from 1650 on"})
	tests := []struct {
		name  string
		in    Invite
		set   func(*config.Config)
		facts func(*Facts)
		want  Verdict
	}{
		{"welcome", five, nil, nil, Verdict{Accept: true, Rule: "invitations"}},
		{"draining", five, nil, func(f *Facts) { f.Draining = true }, Verdict{Rule: "operations.drain", Say: "I am about to leave. Please ask again later."}},
		{"playing", five, nil, func(f *Facts) { f.Playing = true }, Verdict{Rule: "manners.busy", Say: "I am playing just now. Please ask again after this match."}},
		{"blocked", five, func(c *config.Config) { c.Opponents.Block = []string{"BO*"} }, nil, Verdict{Rule: "opponents.block", Say: "Sorry bob, I do not play with you."}},
		{"blocked by file", five, nil, func(f *Facts) { f.Blocked = names.Of("bob") }, Verdict{Rule: "opponents.block_file", Say: "Sorry bob, I do not play with you."}},
		{"blocked by the list on the web", five, nil, func(f *Facts) { f.Listed = true }, Verdict{Rule: "opponents.block_url", Say: "Sorry bob, I do not play with you."}},
		{"a friend on the list on the web", five, func(c *config.Config) { c.Opponents.Allow = []string{"bob"} }, func(f *Facts) { f.Listed = true }, Verdict{Accept: true, Rule: "opponents.allow"}},
		{"a new match never destroys a saved one", five, nil, func(f *Facts) { f.SavedWithUs = true }, Verdict{Accept: true, Rule: "saved"}},
		{"a saved one that we left for its length", five, nil, func(f *Facts) { f.SavedWithUs, f.Untouched = true, &long },
			Verdict{Rule: "invitations.length", Say: "Sorry bob, I play matches of 1 to 13 points."}},
		{"a saved one that we left, of a usual length", five, nil, func(f *Facts) { f.SavedWithUs, f.Untouched = true, &five.Length },
			Verdict{Accept: true, Rule: "saved"}},
		{"resume", Invite{From: "bob", Resume: true}, func(c *config.Config) { c.Saved.Only = true }, nil, Verdict{Accept: true, Rule: "saved"}},
		{"only saved ones", five, func(c *config.Config) { c.Saved.Only = true }, nil, Verdict{Rule: "saved.only", Say: "Sorry bob, I am only finishing saved matches at the moment."}},
		{"too long", Invite{From: "bob", Length: 25}, nil, nil, Verdict{Rule: "invitations.length", Say: "Sorry bob, I play matches of 1 to 13 points."}},
		{"denied length", Invite{From: "bob", Length: 2}, nil, nil, Verdict{Rule: "invitations.length", Say: "Sorry bob, I do not play 2-point matches; other lengths from 1 to 13 are fine."}},
		{"unlimited", Invite{From: "bob"}, nil, nil, Verdict{Rule: "invitations.unlimited", Say: "Sorry bob, I do not play unlimited matches; 1 to 13 points are fine."}},
		{"no points at all", Invite{From: "bob", Length: -1}, func(c *config.Config) { c.Invitations.Unlimited = true }, nil, Verdict{Rule: "invitations.length", Say: "Sorry bob, I play matches of 1 to 13 points."}},
		{"unlimited allowed", Invite{From: "bob"}, func(c *config.Config) { c.Invitations.Unlimited = true }, nil, Verdict{Accept: true, Rule: "invitations"}},
		{"a bot", Invite{From: "GammonBot_IV", Length: 5}, nil, nil, Verdict{Rule: "opponents.bots", Say: "Sorry GammonBot_IV, I play people, not programs."}},
		{"a person where only bots are wanted", five, func(c *config.Config) { c.Opponents.Bots = "only" }, nil, Verdict{Rule: "opponents.bots", Say: "Sorry bob, I play only programs."}},
		{"closed", five, func(c *config.Config) { c.Invitations.Hours = "20:00-23:00" }, nil, Verdict{Rule: "invitations.hours", Say: "Sorry bob, I play at 20:00-23:00."}},
		{"enough for today", five, func(c *config.Config) { c.Invitations.PerDay = 3 }, func(f *Facts) { f.MatchesToday = 3 }, Verdict{Rule: "invitations.per_day", Say: "Sorry bob, I have played my 3 matches for today."}},
		{"rating too low", five, func(c *config.Config) { c.Invitations.Rating.Min = 1650 }, nil, Verdict{Rule: "invitations.rating", Say: "Sorry bob, I play opponents rated 1650 or more; you are rated 1600."}},
		{"rating too high", five, func(c *config.Config) { c.Invitations.Rating.Max = 1550 }, nil, Verdict{Rule: "invitations.rating", Say: "Sorry bob, I play opponents rated up to 1550; you are rated 1600."}},
		{"rating too far away", five, func(c *config.Config) { c.Invitations.Rating.Difference = 50 }, nil, Verdict{Rule: "invitations.rating", Say: "Sorry bob, I play opponents rated 1650 or more; you are rated 1600."}},
		{"rating unknown", five, func(c *config.Config) { c.Invitations.Rating.Min = 1650 }, func(f *Facts) { f.Known = false }, Verdict{Accept: true, Rule: "invitations"}},
		{"experience too low", five, func(c *config.Config) { c.Invitations.Experience.Min = 400 }, nil, Verdict{Rule: "invitations.experience", Say: "Sorry bob, I play opponents with an experience of 400 or more; yours is 300."}},
		{"experience too high", five, func(c *config.Config) { c.Invitations.Experience.Max = 200 }, nil, Verdict{Rule: "invitations.experience", Say: "Sorry bob, I play opponents with an experience of up to 200; yours is 300."}},
		{"many unfinished", five, nil, func(f *Facts) { f.SavedCount = 12 }, Verdict{Rule: "opponents.max_saved", Say: "Sorry bob, you have 12 unfinished matches (I accept fewer than 10); please finish some first."}},
		{"dropper", five, nil, func(f *Facts) { f.History = History{Finished: 1, Dropped: 3} }, Verdict{Rule: "opponents.max_drop_share", Say: "Sorry bob, you left 3 of our matches unfinished."}},
		{"one lost connection does not make a dropper", five, nil, func(f *Facts) { f.History = History{Dropped: 2} }, Verdict{Accept: true, Rule: "invitations"}},
		{"bad reputation", five, func(c *config.Config) { c.Opponents.RepBot.Name = "RepBotNG" }, func(f *Facts) { f.Reputation = new(-1) }, Verdict{Rule: "opponents.repbot", Say: "Sorry bob, RepBotNG warns of unfinished matches."}},
		{"no reputation", five, func(c *config.Config) { c.Opponents.RepBot.Name, c.Opponents.RepBot.Min = "RepBotNG", 1 }, nil, Verdict{Accept: true, Rule: "invitations"}},
		{"neither good nor bad", five, func(c *config.Config) { c.Opponents.RepBot.Name = "RepBotNG" }, func(f *Facts) { f.Reputation = new(0) }, Verdict{Accept: true, Rule: "invitations"}},
		{"reputation without a reputation bot", five, nil, func(f *Facts) { f.Reputation = new(-1) }, Verdict{Accept: true, Rule: "invitations"}},
		{"again and again", five, func(c *config.Config) { c.Opponents.Limit.Matches = 2 }, func(f *Facts) { f.History.Recent = ago(4*time.Minute, 30*time.Minute) }, Verdict{Rule: "opponents.limit", Say: "Sorry bob, we have played 2 matches; let us go on in 6 minutes."}},
		{"played by a clock that was set back since", five, func(c *config.Config) { c.Opponents.Limit.Matches = 2 }, func(f *Facts) { f.History.Recent = ago(-8760*time.Hour, -time.Hour) }, Verdict{Accept: true, Rule: "invitations"}},
		{"after the pause", five, func(c *config.Config) { c.Opponents.Limit.Matches = 2 }, func(f *Facts) { f.History.Recent = ago(11*time.Minute, 30*time.Minute) }, Verdict{Accept: true, Rule: "invitations"}},
		{"a friend may do all that", five, func(c *config.Config) {
			c.Opponents.Allow, c.Opponents.Block = []string{"bob"}, []string{"b*"}
			c.Invitations.Rating.Min, c.Invitations.Hours = 1900, "20:00-23:00"
		}, func(f *Facts) { f.SavedCount = 50 }, Verdict{Accept: true, Rule: "opponents.allow"}},
		{"a rule declines below a rating at night", five, nightly, func(f *Facts) { f.Now = noon.Add(11 * time.Hour) }, Verdict{Rule: "invitations.rules[0]", Say: "Sorry bob, after ten I play from 1650 on."}},
		{"a rule for the night does not apply by day", five, nightly, nil, Verdict{Accept: true, Rule: "invitations"}},
		{"a rule for low ratings does not apply to high ones", five, nightly, func(f *Facts) { f.Now, f.Them.Rating = noon.Add(11*time.Hour), 1650 }, Verdict{Accept: true, Rule: "invitations"}},
		{"a rule for low ratings does not apply to unknown ones", five, nightly, func(f *Facts) { f.Now, f.Known = noon.Add(11*time.Hour), false }, Verdict{Accept: true, Rule: "invitations"}},
		{"nor to a guest's", five, nightly, func(f *Facts) { f.Now, f.Them.Rating = noon.Add(11*time.Hour), 0 }, Verdict{Accept: true, Rule: "invitations"}},
		{"a rule without words", five, ruled(config.InvitationRule{When: config.When{Length: config.IntRange{Max: 5}}, Answer: "decline"}), nil, Verdict{Rule: "invitations.rules[0]", Say: "Sorry bob, I do not accept this match."}},
		{"the first rule that fits", five, ruled(
			config.InvitationRule{When: config.When{Length: config.IntRange{Min: 7}}, Answer: "decline"},
			config.InvitationRule{When: config.When{Name: "b*"}, Answer: "accept"},
			config.InvitationRule{Answer: "decline"}), nil, Verdict{Accept: true, Rule: "invitations.rules[1]"}},
		{"a rule for winners", five, ruled(config.InvitationRule{When: config.When{Won: config.IntRange{Min: 3}}, Answer: "decline"}), func(f *Facts) { f.History.Won = 3 }, Verdict{Rule: "invitations.rules[0]", Say: "Sorry bob, I do not accept this match."}},
		{"a rule accepts where other keys decline", five, func(c *config.Config) {
			ruled(config.InvitationRule{When: config.When{Rating: config.RatingGap{Min: 1600}}, Answer: "accept"})(c)
			c.Invitations.Hours, c.Invitations.Experience.Min, c.Opponents.BotNames = "20:00-23:00", 400, []string{"bob"}
		}, func(f *Facts) { f.SavedCount = 50 }, Verdict{Accept: true, Rule: "invitations.rules[0]"}},
		{"but no blocked player", five, func(c *config.Config) {
			ruled(config.InvitationRule{Answer: "accept"})(c)
			c.Opponents.Block = []string{"bob"}
		}, nil, Verdict{Rule: "opponents.block", Say: "Sorry bob, I do not play with you."}},
		{"and no denied length", Invite{From: "bob", Length: 2}, ruled(config.InvitationRule{Answer: "accept"}), nil, Verdict{Rule: "invitations.length", Say: "Sorry bob, I do not play 2-point matches; other lengths from 1 to 13 are fine."}},
		{"a rule does not decline a friend", five, func(c *config.Config) {
			ruled(config.InvitationRule{Answer: "decline"})(c)
			c.Opponents.Allow = []string{"bob"}
		}, nil, Verdict{Accept: true, Rule: "opponents.allow"}},
		{"nor a saved match", Invite{From: "bob", Resume: true}, ruled(config.InvitationRule{Answer: "decline"}), nil, Verdict{Accept: true, Rule: "saved"}},
		{"but not the length", Invite{From: "bob", Length: 50}, func(c *config.Config) { c.Opponents.Allow = []string{"bob"} }, nil, Verdict{Rule: "invitations.length", Say: "Sorry bob, I play matches of 1 to 13 points."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, f := config.Default(), facts()
			if tt.set != nil {
				tt.set(c)
			}
			if tt.facts != nil {
				tt.facts(&f)
			}
			got := Consider(c, tt.in, f)
			// A reason ends with the template's full stop.
			tt.want.Say = strings.TrimSuffix(tt.want.Say, ".")
			got.Say = strings.TrimSuffix(got.Say, ".")
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if !got.Accept && got.Say == "" {
				t.Error("refused in silence")
			}
		})
	}
}

// TestConsider_everyReasonInOtherWords gives each reason another text with all
// its placeholders: none may be left unfilled, and none of the old words said.
func TestConsider_everyReasonInOtherWords(t *testing.T) {
	type edit = func(*config.Config, *Invite, *Facts)
	for key, e := range map[string]struct {
		edit edit
		text func(*config.Say) *string
		want string
	}{
		"paused":          {nil, func(s *config.Say) *string { return &s.Paused }, ""}, // by the account
		"blocked":         {func(c *config.Config, _ *Invite, _ *Facts) { c.Opponents.Block = []string{"bob"} }, func(s *config.Say) *string { return &s.Blocked }, ""},
		"saved_only":      {func(c *config.Config, _ *Invite, _ *Facts) { c.Saved.Only = true }, func(s *config.Say) *string { return &s.SavedOnly }, ""},
		"unlimited":       {func(_ *config.Config, in *Invite, _ *Facts) { in.Length = Unlimited }, func(s *config.Say) *string { return &s.Unlimited }, "1 13"},
		"length":          {func(_ *config.Config, in *Invite, _ *Facts) { in.Length = 20 }, func(s *config.Say) *string { return &s.Length }, "1 13"},
		"length_denied":   {func(_ *config.Config, in *Invite, _ *Facts) { in.Length = 2 }, func(s *config.Say) *string { return &s.LengthDenied }, "1 13"},
		"bots_denied":     {func(_ *config.Config, in *Invite, _ *Facts) { in.From = "bob_bot" }, func(s *config.Say) *string { return &s.BotsDenied }, ""},
		"bots_only":       {func(c *config.Config, _ *Invite, _ *Facts) { c.Opponents.Bots = "only" }, func(s *config.Say) *string { return &s.BotsOnly }, ""},
		"hours":           {func(c *config.Config, _ *Invite, _ *Facts) { c.Invitations.Hours = "20:00-23:00" }, func(s *config.Say) *string { return &s.Hours }, "20:00-23:00"},
		"per_day":         {func(c *config.Config, _ *Invite, f *Facts) { c.Invitations.PerDay, f.MatchesToday = 3, 3 }, func(s *config.Say) *string { return &s.PerDay }, "3"},
		"rating_low":      {func(c *config.Config, _ *Invite, _ *Facts) { c.Invitations.Rating.Min = 1650 }, func(s *config.Say) *string { return &s.RatingLow }, "1650 1600"},
		"rating_high":     {func(c *config.Config, _ *Invite, _ *Facts) { c.Invitations.Rating.Max = 1550 }, func(s *config.Say) *string { return &s.RatingHigh }, "1550 1600"},
		"experience_low":  {func(c *config.Config, _ *Invite, _ *Facts) { c.Invitations.Experience.Min = 400 }, func(s *config.Say) *string { return &s.ExperienceLow }, "400 300"},
		"experience_high": {func(c *config.Config, _ *Invite, _ *Facts) { c.Invitations.Experience.Max = 200 }, func(s *config.Say) *string { return &s.ExperienceHigh }, "200 300"},
		"rule": {func(c *config.Config, _ *Invite, _ *Facts) {
			c.Invitations.Rules = []config.InvitationRule{{Answer: "decline"}}
		}, func(s *config.Say) *string { return &s.Rule }, ""},
		"max_saved": {func(_ *config.Config, _ *Invite, f *Facts) { f.SavedCount = 12 }, func(s *config.Say) *string { return &s.MaxSaved }, "10 12"},
		"drops":     {func(_ *config.Config, _ *Invite, f *Facts) { f.History = History{Finished: 1, Dropped: 3} }, func(s *config.Say) *string { return &s.Drops }, "3"},
		"void":      {func(_ *config.Config, in *Invite, f *Facts) { in.Resume, f.Void = true, true }, func(s *config.Say) *string { return &s.Void }, ""},
		"stalled":   {func(_ *config.Config, _ *Invite, f *Facts) { f.Standing.Marks = map[Mark]Count{Stalls: {2, noon}} }, func(s *config.Say) *string { return &s.Stalled }, "2 5 5 minutes"},
		"resigned":  {func(_ *config.Config, _ *Invite, f *Facts) { f.Standing.Marks = map[Mark]Count{Resigned: {5, noon}} }, func(s *config.Say) *string { return &s.Resigned }, "5 20 20 minutes"},
		"repbot":    {func(c *config.Config, _ *Invite, f *Facts) { c.Opponents.RepBot.Name, f.Reputation = "Judge", new(-7) }, func(s *config.Say) *string { return &s.RepBot }, "Judge 0 -7"},
		"again": {func(c *config.Config, _ *Invite, f *Facts) {
			c.Opponents.Limit.Matches, f.History.Recent = 1, ago(4*time.Minute)
		}, func(s *config.Say) *string { return &s.Again }, "1 6 6 minutes"},
	} {
		c, in, f := config.Default(), Invite{From: "bob", Length: 5}, facts()
		var tag string
		v := reflect.TypeFor[config.Say]()
		for i := range v.NumField() {
			if v.Field(i).Tag.Get("yaml") == key {
				tag = v.Field(i).Tag.Get("fill")
			}
		}
		text := "nein {opponent}"
		for p := range strings.FieldsFuncSeq(tag, func(r rune) bool { return r == ',' }) {
			text += " {" + p + "}"
		}
		*e.text(&c.Invitations.Say) = text
		c.Manners.Refuse = "{reason}!"
		got := ""
		if e.edit == nil {
			got = Refusal(c, "Robo", in, c.Invitations.Say.Paused)
		} else {
			e.edit(c, &in, &f)
			got = Consider(c, in, f).Say
		}
		want := strings.TrimSuffix("nein "+in.From+" "+e.want, " ") + "!"
		if got != want {
			t.Errorf("%s: said %q, want %q", key, got, want)
		}
	}
}

func TestChoose(t *testing.T) {
	bob := Opponent{Player: Player{Name: "bob", Rating: 1600, Experience: 300}, Known: true, Length: 5}
	rules := func(r ...config.Rule) func(*config.Config) {
		return func(c *config.Config) { c.Strength.Rules = r }
	}
	tests := []struct {
		name    string
		set     func(*config.Config)
		account string
		opp     Opponent
		held    float64
		want    Strength
	}{
		{"default", nil, "", bob, 0, Strength{Preset: "worldclass", Rule: "strength.preset"}},
		{"account", nil, "advanced", bob, 0, Strength{Preset: "advanced", Rule: "accounts.preset"}},
		{"by name", rules(config.Rule{When: config.When{Name: "B?b"}, Preset: "casual"}), "advanced", bob, 0, Strength{Preset: "casual", Rule: "strength.rules[0]"}},
		{"by rating, first fit", rules(
			config.Rule{When: config.When{Rating: config.RatingGap{Max: 1500}}, Preset: "beginner"},
			config.Rule{When: config.When{Rating: config.RatingGap{Max: 1650}}, Preset: "casual"},
			config.Rule{When: config.When{Rating: config.RatingGap{Max: 1700}}, Preset: "expert"}), "", bob, 0, Strength{Preset: "casual", Rule: "strength.rules[1]"}},
		{"by experience", rules(config.Rule{When: config.When{Experience: config.IntRange{Max: 300}}, Preset: "casual"}), "", bob, 0, Strength{Preset: "casual", Rule: "strength.rules[0]"}},
		{"by length", rules(config.Rule{When: config.When{Length: config.IntRange{Min: 7}}, Preset: "supremo"}), "", bob, 0, Strength{Preset: "worldclass", Rule: "strength.preset"}},
		{"by results", rules(config.Rule{When: config.When{Won: config.IntRange{Min: 3}}, Preset: "supremo"}), "", Opponent{Player: bob.Player, Known: true, Length: 5, Won: 3}, 0, Strength{Preset: "supremo", Rule: "strength.rules[0]"}},
		{"by time of day", rules(config.Rule{When: config.When{Hours: "11:00-13:00"}, Preset: "casual"}), "", bob, 0, Strength{Preset: "casual", Rule: "strength.rules[0]"}},
		{"an unknown rating fits no rule about ratings", rules(config.Rule{When: config.When{Rating: config.RatingGap{Max: 1650}}, Preset: "casual"}), "", Opponent{Player: Player{Name: "bob"}}, 0, Strength{Preset: "worldclass", Rule: "strength.preset"}},
		{"an unknown experience fits no rule about experience", rules(
			config.Rule{When: config.When{Experience: config.IntRange{Max: 300}}, Preset: "casual"},
			config.Rule{When: config.When{Name: "bob"}, Preset: "expert"}), "", Opponent{Player: Player{Name: "bob", Rating: 1600, Experience: -1}, Known: true}, 0, Strength{Preset: "expert", Rule: "strength.rules[1]"}},
		{"a guest's rating fits no rule about ratings", rules(config.Rule{When: config.When{Rating: config.RatingGap{Max: 1500}}, Preset: "casual"}), "", Opponent{Player: Player{Name: "guest", Experience: -1}, Known: true}, 0, Strength{Preset: "worldclass", Rule: "strength.preset"}},
		{"meets the opponent", func(c *config.Config) { c.Strength.MatchOpponent.Enabled = true }, "", bob, 0, Strength{Rating: 1600, Rule: "strength.match_opponent"}},
		{"keeps the level", func(c *config.Config) { c.Strength.MatchOpponent.Enabled = true }, "", bob, 1570, Strength{Rating: 1570, Rule: "strength.match_opponent"}},
		{"until it is too far away", func(c *config.Config) { c.Strength.MatchOpponent.Enabled = true }, "", bob, 1540, Strength{Rating: 1600, Rule: "strength.match_opponent"}},
		{"within bounds", func(c *config.Config) {
			c.Strength.MatchOpponent = config.MatchOpponent{Enabled: true, Offset: 100, Min: 1300, Max: 1650}
		}, "", bob, 0, Strength{Rating: 1650, Rule: "strength.match_opponent"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := config.Default()
			if tt.set != nil {
				tt.set(c)
			}
			if diff := cmp.Diff(tt.want, Choose(c, tt.account, tt.opp, facts(), tt.held)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPace_isHumanAndCapped(t *testing.T) {
	p := config.Default().Pacing
	rng := rand.New(rand.NewPCG(1, 2))
	median := func(gap float64) time.Duration {
		var all []time.Duration
		for range 2001 {
			d := Pace(p, pace.Difficulty{Gap: gap}, rng.Float64())
			if d < p.Min.Std() || d > p.Max.Std() {
				t.Fatalf("%v is outside %v to %v", d, p.Min, p.Max)
			}
			all = append(all, d)
		}
		slices.Sort(all)
		return all[1000]
	}
	close, clear := median(0.005), median(0.5)
	if close < clear+time.Second {
		t.Errorf("a close decision takes %v, an obvious one %v", close, clear)
	}
	if got := Pace(p, pace.Difficulty{Forced: true}, 0.9); got != p.Forced.Std() {
		t.Errorf("forced: %v", got)
	}
	p.By = "fixed"
	if got := Pace(p, pace.Difficulty{}, 0.9); got != p.Min.Std() {
		t.Errorf("fixed: %v", got)
	}
	p.By = "none"
	if got := Pace(p, pace.Difficulty{}, 0.9); got != 0 {
		t.Errorf("none: %v", got)
	}
}

func ready(name string, rating float64) Lobbyist {
	return Lobbyist{Player: Player{Name: name, Rating: rating}, Ready: true}
}

// TestNextInvite_why: for each player who is not invited the operator sees the key that decides.
func TestNextInvite_why(t *testing.T) {
	base := func(p ...Lobbyist) Lobby {
		return Lobby{Now: noon, Me: Player{Name: "Robo", Rating: 1700}, IdleSince: noon.Add(-time.Hour), Players: p}
	}
	with := func(l Lobby, f func(*Lobby)) Lobby { f(&l); return l }
	p := func(name string, f func(*Lobbyist)) Lobbyist { x := ready(name, 1700); f(&x); return x }
	tests := []struct {
		lobby Lobby
		set   func(*config.Config)
		text  string
	}{
		{base(), nil, "no other player is online"},
		{base(p("ann", func(x *Lobbyist) { x.Ready = false }), p("bob", func(x *Lobbyist) { x.Playing = true }), ready("GammonBot", 1700), ready("My_bot", 1600)), nil,
			"no suitable player: 1 not ready, 2 ruled out by opponents.bots, 1 playing"},
		{base(ready("ann", 1000)), func(c *config.Config) { c.Matchmaking.Rating.Min = 1500 }, "no suitable player: 1 ruled out by matchmaking.rating"},
		{base(p("ann", func(x *Lobbyist) { x.AskedAt = noon.Add(-time.Hour) })), nil, "no suitable player: 1 ruled out by matchmaking.decline_pause"},
		{base(), func(c *config.Config) { c.Saved.Only = true }, "only saved matches are played (saved.only)"},
		{with(base(), func(l *Lobby) { l.IdleSince = noon }), nil, "waiting up to 3m0s for an invitation from another player (matchmaking.after_idle)"},
		{with(base(), func(l *Lobby) { l.LastAsk = noon }), nil, "the last invitation was less than 2m0s ago (matchmaking.gap)"},
		{with(base(), func(l *Lobby) { l.AsksHour = 10 }), nil, "10 players were invited within an hour (matchmaking.max_per_hour)"},
		{with(base(), func(l *Lobby) { l.Draining = true }), nil, "the bot is leaving"},
		{base(), func(c *config.Config) { c.Matchmaking.Enabled = false }, "matchmaking is off"},
	}
	for _, tt := range tests {
		c := config.Default()
		c.Matchmaking.Enabled = true
		if tt.set != nil {
			tt.set(c)
		}
		if _, why := NextInvite(c, tt.lobby); why.Text != tt.text || why.Rules == "" {
			t.Errorf("%+v, want %q", why, tt.text)
		}
	}
	c := config.Default()
	c.Matchmaking.Enabled, c.Invitations.Hours = true, "01:00-02:00"
	if _, why := NextOpen(c, base()); why.Text != "the time is outside 01:00-02:00 (invitations.hours)" {
		t.Errorf("%+v", why)
	}
	c.Invitations.Hours = ""
	if n, why := NextOpen(c, base()); n != 5 || why != (Silence{}) {
		t.Errorf("%d, %+v", n, why)
	}
}

// No match is opened that invitations.rules decline whoever joins; one that they leave to
// some players is.
func TestNextOpen_rules(t *testing.T) {
	decline := func(w config.When) config.InvitationRule { return config.InvitationRule{When: w, Answer: "decline"} }
	friends := config.InvitationRule{When: config.When{Name: "ann*"}, Answer: "accept"}
	for name, tt := range map[string]struct {
		rules  []config.InvitationRule
		length int
		rule   string
	}{
		"at night":              {[]config.InvitationRule{decline(config.When{Hours: "11:00-13:00"})}, 0, "invitations.rules[0]"},
		"by day":                {[]config.InvitationRule{decline(config.When{Hours: "01:00-02:00"})}, 5, ""},
		"weak players":          {[]config.InvitationRule{decline(config.When{Rating: config.RatingGap{Max: 1600}})}, 5, ""},
		"all but friends":       {[]config.InvitationRule{friends, decline(config.When{})}, 5, ""},
		"all, friends too late": {[]config.InvitationRule{decline(config.When{}), friends}, 0, "invitations.rules[0]"},
		"short matches":         {[]config.InvitationRule{decline(config.When{Length: config.IntRange{Max: 5}})}, 7, ""},
	} {
		c := config.Default()
		c.Matchmaking.Enabled, c.Matchmaking.Lengths, c.Invitations.Rules = true, []int{5, 7}, tt.rules
		lobby := Lobby{Now: noon, Me: Player{Name: "Robo", Rating: 1700}, IdleSince: noon.Add(-time.Hour)}
		if n, why := NextOpen(c, lobby); n != tt.length || why.Rules != tt.rule {
			t.Errorf("%s: %d, %+v", name, n, why)
		}
	}
}

func TestNextInvite(t *testing.T) {
	base := func(p ...Lobbyist) Lobby {
		return Lobby{Now: noon, Me: Player{Name: "Robo", Rating: 1700}, IdleSince: noon.Add(-time.Hour), Players: p}
	}
	with := func(p Lobbyist, f func(*Lobbyist)) Lobbyist { f(&p); return p }
	on := func(c *config.Config) { c.Matchmaking.Enabled = true }
	tests := []struct {
		name  string
		set   func(*config.Config)
		lobby Lobby
		want  Ask
		ok    bool
	}{
		{"off by default", nil, base(ready("bob", 1700)), Ask{}, false},
		{"nearest rating", on, base(ready("ann", 1500), ready("bob", 1690)), Ask{Name: "bob", Length: 5, Rule: "matchmaking"}, true},
		{"never ourselves", on, base(ready("Robo", 1700)), Ask{}, false},
		{"not away", on, base(with(ready("bob", 1700), func(p *Lobbyist) { p.Away = true })), Ask{}, false},
		{"not playing", on, base(with(ready("bob", 1700), func(p *Lobbyist) { p.Playing = true })), Ask{}, false},
		{"not asleep", on, base(with(ready("bob", 1700), func(p *Lobbyist) { p.Idle = time.Hour })), Ask{}, false},
		{"no bots", on, base(ready("GammonBot_I", 1700)), Ask{}, false},
		{"not blocked", func(c *config.Config) { on(c); c.Opponents.Block = []string{"bob"} }, base(ready("bob", 1700)), Ask{}, false},
		{"not on the list on the web", on, base(with(ready("bob", 1700), func(p *Lobbyist) { p.Listed = true })), Ask{}, false},
		{"not who did not answer", on, base(with(ready("bob", 1700), func(p *Lobbyist) { p.AskedAt = noon.Add(-time.Hour) })), Ask{}, false},
		{"again after a day", on, base(with(ready("bob", 1700), func(p *Lobbyist) { p.AskedAt = noon.Add(-25 * time.Hour) })), Ask{Name: "bob", Length: 5, Rule: "matchmaking"}, true},
		{"the length they like", on, base(with(ready("bob", 1700), func(p *Lobbyist) { p.Length = 7 })), Ask{Name: "bob", Length: 7, Rule: "matchmaking"}, true},
		{"waited for", func(c *config.Config) { on(c); c.Matchmaking.WaitFor = []string{"ann"} }, base(ready("bob", 1700), ready("ann", 1100)), Ask{Name: "ann", Length: 5, Rule: "matchmaking.waitfor"}, true},
		{"first wait for an invitation", on, func() Lobby { l := base(ready("bob", 1700)); l.IdleSince = noon.Add(-time.Minute); return l }(), Ask{}, false},
		{"keep the gap", on, func() Lobby { l := base(ready("bob", 1700)); l.LastAsk = noon.Add(-time.Minute); return l }(), Ask{}, false},
		{"not too many an hour", on, func() Lobby { l := base(ready("bob", 1700)); l.AsksHour = 10; return l }(), Ask{}, false},
		{"not when leaving", on, func() Lobby { l := base(ready("bob", 1700)); l.Draining = true; return l }(), Ask{}, false},
		{"saved first, oldest first", on, base(ready("zoe", 1700),
			with(ready("bob", 1700), func(p *Lobbyist) { p.Saved, p.SavedAt = true, noon.Add(-time.Hour) }),
			with(ready("ann", 1700), func(p *Lobbyist) { p.Saved, p.SavedAt = true, noon.Add(-2*time.Hour) })),
			Ask{Name: "ann", Resume: true, Rule: "saved.auto"}, true},
		{"not at once after leaving", nil, base(with(ready("bob", 1700), func(p *Lobbyist) { p.Saved, p.LeftAt = true, noon.Add(-time.Minute) })), Ask{}, false},
		{"asked by a clock that was set back since", on, base(with(ready("bob", 1700), func(p *Lobbyist) { p.AskedAt = noon.AddDate(1, 0, 0) })), Ask{Name: "bob", Length: 5, Rule: "matchmaking"}, true},
		{"left by a clock that was set back since", nil, base(with(ready("bob", 1700), func(p *Lobbyist) { p.Saved, p.LeftAt = true, noon.AddDate(1, 0, 0) })), Ask{Name: "bob", Resume: true, Rule: "saved.auto"}, true},
		{"no bots where they are allowed to invite", func(c *config.Config) { on(c); c.Opponents.Bots = "allow" }, base(ready("GammonBot_I", 1700)), Ask{}, false},
		{"our other account is a bot that may be invited", func(c *config.Config) {
			on(c)
			c.Opponents.Bots, c.Accounts = "allow", []config.Account{{Name: "Robo"}, {Name: "Two_bot"}}
		}, base(ready("Two_bot", 1700)), Ask{Name: "Two_bot", Length: 5, Rule: "matchmaking"}, true},
		{"our other account where bots are denied", func(c *config.Config) { on(c); c.Accounts = []config.Account{{Name: "Robo"}, {Name: "Two_bot"}} },
			base(ready("Two_bot", 1700)), Ask{}, false},
		{"our other account where only bots are played", func(c *config.Config) {
			on(c)
			c.Opponents.Bots, c.Accounts = "only", []config.Account{{Name: "Robo"}, {Name: "anna"}}
		}, base(ready("anna", 1700)), Ask{Name: "anna", Length: 5, Rule: "matchmaking"}, true},
		{"waits are spread", on, func() Lobby {
			l := base(ready("bob", 1700))
			l.IdleSince, l.Spread = noon.Add(-3*time.Minute-30*time.Second), 1
			return l
		}(), Ask{}, false},
		{"by a fifth at most", on, func() Lobby {
			l := base(ready("bob", 1700))
			l.IdleSince, l.Spread = noon.Add(-3*time.Minute-36*time.Second), 1
			return l
		}(), Ask{Name: "bob", Length: 5, Rule: "matchmaking"}, true},
		{"not blocked by an operator", on, base(with(ready("bob", 1700), func(p *Lobbyist) { p.Blocked = "rude" })), Ask{}, false},
		{"not who wants to be left alone", on, base(with(ready("bob", 1700), func(p *Lobbyist) { p.Stopped, p.Saved = noon, true })), Ask{}, false},
		{"not who let us wait again", on, base(with(ready("bob", 1700), func(p *Lobbyist) { p.Marks, p.Saved = map[Mark]Count{Stalls: {2, noon.Add(-time.Minute)}}, true })), Ask{}, false},
		{"no droppers", on, base(with(ready("bob", 1700), func(p *Lobbyist) { p.History = History{Dropped: 5} })), Ask{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := config.Default()
			if tt.set != nil {
				tt.set(c)
			}
			got, why := NextInvite(c, tt.lobby)
			if diff := cmp.Diff(tt.want, got); diff != "" || (why.Rules == "") != tt.ok || (why.Text == "") != tt.ok {
				t.Errorf("why none: %+v\n%s", why, diff)
			}
		})
	}
}

func TestAnswer(t *testing.T) {
	c := config.Default()
	c.Manners.Owners = []string{"boss"}
	level := func() string { return "I play as expert against you." }
	tests := []struct {
		name string
		in   Told
		want Reply
	}{
		{"help", Told{From: "bob", Text: "Help!"}, Reply{Say: "I understand: help, about, rules, level, rating, stats, last, dice, pip, stop kibitz, stop, start. If I hang, say move or roll."}},
		{"strength", Told{From: "bob", Text: "strength", Level: level}, Reply{Say: "I play as expert against you."}},
		{"dice", Told{From: "bob", Text: "dice?", Dice: "5 rolls."}, Reply{Say: "5 rolls."}},
		{"a level, not offered", Told{From: "bob", Text: "level novice", Level: level}, Reply{Say: "I play as expert against you."}},
		{"stats", Told{From: "bob", Text: "stats", Stats: "You lead 3 to 2."}, Reply{Say: "You lead 3 to 2."}},
		{"no hint in a game", Told{From: "bob", Text: "hint"}, Reply{Say: "I give no hints during a game. Ask me 'last' when it is over."}},
		{"thanks", Told{Channel: Kibitz, From: "bob", Text: "thx"}, Reply{Say: "You are welcome."}},
		{"chat is not answered", Told{Channel: Kibitz, From: "bob", Text: "help me this is awful"}, Reply{}},
		{"idle words", Told{From: "bob", Text: "nice weather"}, Reply{}},
		{"empty", Told{From: "bob", Text: "  ...  "}, Reply{}},
		{"never a bot", Told{From: "RepBotNG", Text: "help"}, Reply{}},
		{"never too often", Told{From: "bob", Text: "help", Answered: 4}, Reply{}},
		{"nudge", Told{Channel: Kibitz, From: "bob", Text: "move", Opponent: true}, Reply{Nudge: true}},
		{"nudge although chat is used up", Told{Channel: Say, From: "bob", Text: "roll please", Opponent: true, Answered: 9}, Reply{Nudge: true}},
		{"only the opponent nudges", Told{Channel: Tell, From: "eve", Text: "move"}, Reply{}},
		{"quiet", Told{From: "bob", Text: "stop kibitz"}, Reply{Wish: NoComments, Say: "I will not kibitz to you again."}},
		{"left alone", Told{From: "bob", Text: "stop"}, Reply{Wish: Stop, Say: "I will not invite you, talk or kibitz to you until you tell me 'start'; I only answer your own invitations."}},
		{"left alone, a question", Told{From: "bob", Text: "rating", Rating: "1500", Alone: true}, Reply{}},
		{"no longer left alone", Told{From: "bob", Text: "start", Alone: true}, Reply{Wish: Start, Say: "I will invite you and talk to you again."}},
		{"stop, although chat is used up", Told{From: "bob", Text: "Stop!", Answered: 9}, Reply{Wish: Stop}},
		{"owner", Told{From: "boss", Text: "drain now"}, Reply{Order: "drain", Args: "now"}},
		{"owner says", Told{From: "boss", Text: "say Good Evening"}, Reply{Order: "say", Args: "Good Evening"}},
		{"only owners give orders", Told{From: "bob", Text: "drain now"}, Reply{}},
		{"no orders in the open", Told{Channel: Kibitz, From: "boss", Text: "drain"}, Reply{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Answer(c, tt.in)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAnswer_levelOnRequest(t *testing.T) {
	c := config.Default()
	c.Manners.LevelOnRequest = []string{"beginner", "Expert"}
	tests := []struct {
		in   Told
		want Reply
	}{
		{Told{Text: "level"}, Reply{Say: "I play as worldclass against you. To choose another level for our next match, tell me 'level' and one of: beginner, Expert."}},
		{Told{Text: "Level EXPERT."}, Reply{Say: "I will play our next new match as Expert.", Level: "Expert"}},
		{Told{Channel: Say, Text: "level beginner", Opponent: true}, Reply{Say: "I will play our next new match as beginner; this match does not change.", Level: "beginner"}},
		{Told{Text: "level worldclass"}, Reply{Say: "I do not know that level. Please choose one of: beginner, Expert."}},
		{Told{Text: "level beginner", Answered: 4}, Reply{}},
		{Told{Channel: Kibitz, Text: "level beginner for me"}, Reply{}},
		{Told{From: "RepBotNG", Text: "level beginner"}, Reply{}},
	}
	for _, tt := range tests {
		if tt.in.From == "" {
			tt.in.From = "bob"
		}
		tt.in.Level = func() string { return "I play as worldclass against you." }
		if diff := cmp.Diff(tt.want, Answer(c, tt.in)); diff != "" {
			t.Errorf("%q: %s", tt.in.Text, diff)
		}
	}
}

func TestTerms_sayWhatIsInForce(t *testing.T) {
	c := config.Default()
	if got, want := termsOf(c), "I play matches of 1 to 13 points (not 2), with players who have fewer than 10 unfinished matches."; got != want {
		t.Errorf("got %q", got)
	}
	c.Invitations.Unlimited, c.Invitations.Hours, c.Invitations.Experience.Min = true, "20:00-23:00", 50
	c.Invitations.Rating = config.RatingGap{Min: 1400, Max: 1800, Difference: 200}
	if got, want := termsOf(c), "I play matches of 1 to 13 points (not 2) and unlimited matches, ratings from 1400 up to 1800, within 200 points of my rating, experience from 50, at 20:00-23:00, with players who have fewer than 10 unfinished matches."; got != want {
		t.Errorf("got %q", got)
	}
	c = config.Default()
	c.Opponents.MaxSaved, c.Invitations.Rules = 0, []config.InvitationRule{{Answer: "decline"}}
	if got, want := termsOf(c), "I play matches of 1 to 13 points (not 2); other rules may apply to you."; got != want {
		t.Errorf("got %q", got)
	}
}
