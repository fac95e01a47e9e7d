package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fibsbot/bot/policy"
	"fibsbot/bot/strength"
	"fibsbot/config"
	"fibsbot/engine/pace"
	"fibsbot/engine/search"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// facts are those of an ordinary invitation: bob, 1600, to robbie, 1700.
func facts() policy.Facts {
	return policy.Facts{
		Now: noon, Me: policy.Player{Name: "robbie", Rating: 1700, Experience: 5000},
		Them: policy.Player{Name: "bob", Rating: 1600, Experience: 300}, Known: true, SavedCount: 3,
		History:      policy.History{Finished: 6, Dropped: 4, Recent: []time.Time{noon.Add(-5 * time.Minute), noon.Add(-40 * time.Minute)}},
		MatchesToday: 4,
	}
}

// invite returns the policy's answer to bob's invitation to a match.
func invite(length int, edit ...func(*policy.Facts)) func(*testing.T, *config.Config) string {
	return func(_ *testing.T, c *config.Config) string {
		f := facts()
		for _, e := range edit {
			e(&f)
		}
		v := policy.Consider(c, policy.Invite{From: "bob", Length: length}, f)
		if v.Accept {
			return "accepted by " + v.Rule
		}
		return "refused by " + v.Rule + ": " + v.Say
	}
}

// marked sets a mark of bob n times, the last one a minute ago.
func marked(m policy.Mark, n int) func(*policy.Facts) {
	return func(f *policy.Facts) {
		f.Standing.Marks = map[policy.Mark]policy.Count{m: {N: n, Last: noon.Add(-time.Minute)}}
	}
}

// lobbyOf tells whom robbie invites of ann (1500) and bob (1690).
func lobbyOf(edit ...func(*policy.Lobby)) func(*testing.T, *config.Config) string {
	return func(_ *testing.T, c *config.Config) string {
		l := policy.Lobby{Now: noon, Me: facts().Me, IdleSince: noon.Add(-time.Hour), Players: []policy.Lobbyist{
			{Player: policy.Player{Name: "ann", Rating: 1500}, Ready: true}, {Player: policy.Player{Name: "bob", Rating: 1690}, Ready: true},
		}}
		for _, e := range edit {
			e(&l)
		}
		ask, why := policy.NextInvite(c, l)
		if why.Rules != "" {
			return "nobody"
		}
		return lines(ask.Name, ask.Length, ask.Resume, ask.Rule)
	}
}

func savedWith(left time.Time) func(*policy.Lobby) {
	return func(l *policy.Lobby) {
		l.Players[0].Saved, l.Players[0].SavedAt, l.Players[0].LeftAt = true, noon.Add(-time.Hour), left
	}
}

func policyKeys() []keyTest {
	friend := func(f *policy.Facts) { f.SavedCount = 99 }
	declining := func(when string) string {
		return "invitations: {rules: [{answer: decline, when: {" + when + "}}]}"
	}
	quiet := "matchmaking: {enabled: true}"
	return []keyTest{
		{key: "invitations.length.min", value: "7", see: invite(5), want: "I play matches of 7 to 13 points"},
		{key: "invitations.length.max", value: "3", see: invite(5), want: "I play matches of 1 to 3 points"},
		{key: "invitations.length.deny", value: "[5]", see: invite(5), want: "I do not play 5-point matches"},
		{key: "invitations.unlimited", value: "true", see: invite(policy.Unlimited), want: "accepted by invitations"},
		{key: "invitations.unlimited_games", elsewhere: "bot/host TestUnlimited_gamesAreFiled", word: "UnlimitedGames"},
		{key: "invitations.unlimited_time", elsewhere: "bot/host TestUnlimited_timeEndsIt", word: "UnlimitedTime"},
		{key: "invitations.rating.min", value: "1650", see: invite(5), want: "rated 1650 or more; you are rated 1600"},
		{key: "invitations.rating.max", value: "1550", see: invite(5), want: "rated up to 1550; you are rated 1600"},
		{key: "invitations.rating.difference", value: "50", see: invite(5), want: "rated 1650 or more"},
		{key: "invitations.experience.min", value: "400", see: invite(5), want: "an experience of 400 or more; yours is 300"},
		{key: "invitations.experience.max", value: "200", see: invite(5), want: "up to 200; yours is 300"},
		{key: "invitations.per_day", value: "4", see: invite(5), want: "I have played my 4 matches for today"},
		{key: "invitations.hours", value: "20:00-23:00", see: invite(5), want: "I play at 20:00-23:00"},
		{key: "invitations.rematch", elsewhere: "bot/bgammon TestHost_noRematch", word: "c.Invitations.Rematch ="},
		{key: "invitations.rules[].when.name", value: "alice", with: declining("name: 'b?b'"), see: invite(5), want: "accepted by invitations"},
		{key: "invitations.rules[].when.rating.min", value: "1601", with: declining(""), see: invite(5), want: "accepted by invitations"},
		{key: "invitations.rules[].when.rating.max", value: "1599", with: declining(""), see: invite(5), want: "accepted by invitations"},
		{key: "invitations.rules[].when.rating.difference", value: "99", with: declining(""), see: invite(5), want: "accepted by invitations"},
		{key: "invitations.rules[].when.experience.min", value: "301", with: declining(""), see: invite(5), want: "accepted by invitations"},
		{key: "invitations.rules[].when.experience.max", value: "299", with: declining(""), see: invite(5), want: "accepted by invitations"},
		{key: "invitations.rules[].when.length.min", value: "6", with: declining(""), see: invite(5), want: "accepted by invitations"},
		{key: "invitations.rules[].when.length.max", value: "4", with: declining(""), see: invite(5), want: "accepted by invitations"},
		{key: "invitations.rules[].when.won_against_us.min", value: "3", with: declining(""), see: invite(5), want: "accepted by invitations"},
		{key: "invitations.rules[].when.won_against_us.max", value: "1", with: declining(""), see: invite(5, func(f *policy.Facts) { f.History.Won = 2 }), want: "accepted by invitations"},
		{key: "invitations.rules[].when.hours", value: "20:00-23:00", with: declining(""), see: invite(5), want: "accepted by invitations"},
		{key: "invitations.rules[].answer", value: "decline", with: "invitations: {rules: [{answer: accept}]}", see: invite(5), want: "refused by invitations.rules[0]"},
		{key: "invitations.rules[].say", value: "not today {opponent}", with: declining(""), see: invite(5), want: "not today bob"},
		{key: "invitations.say.rule", value: "No", with: declining(""), see: invite(5), want: "Sorry bob, No"},
		{key: "invitations.say.paused", elsewhere: "bot/policy TestConsider_everyReasonInOtherWords", word: `"paused"`},
		{key: "invitations.say.blocked", value: "Not you", with: "opponents: {block: [bob]}", see: invite(5), want: "Not you"},
		{key: "invitations.say.saved_only", value: "Later", with: "saved: {only: true}", see: invite(5), want: "Later"},
		{key: "invitations.say.unlimited", value: "Only {min}-{max}", see: invite(policy.Unlimited), want: "Only 1-13"},
		{key: "invitations.say.length", value: "Nur {min} bis {max}, nicht {length}", see: invite(25), want: "Nur 1 bis 13, nicht 25"},
		{key: "invitations.say.length_denied", value: "Keine {length} Punkte", see: invite(2), want: "Keine 2 Punkte"},
		{key: "invitations.say.bots_denied", value: "No bots", with: "opponents: {bot_names: [bob]}", see: invite(5), want: "No bots"},
		{key: "invitations.say.bots_only", value: "Bots", with: "opponents: {bots: only}", see: invite(5), want: "Bots"},
		{key: "invitations.say.hours", value: "Open {hours}", with: "invitations: {hours: '20:00-23:00'}", see: invite(5), want: "Open 20:00-23:00"},
		{key: "invitations.say.per_day", value: "'{limit} today'", with: "invitations: {per_day: 4}", see: invite(5), want: "4 today"},
		{key: "invitations.say.rating_low", value: "'{value} under {limit}'", with: "invitations: {rating: {min: 1650}}", see: invite(5), want: "1600 under 1650"},
		{key: "invitations.say.rating_high", value: "'{value} over {limit}'", with: "invitations: {rating: {max: 1550}}", see: invite(5), want: "1600 over 1550"},
		{key: "invitations.say.experience_low", value: "'{value} under {limit}'", with: "invitations: {experience: {min: 400}}", see: invite(5), want: "300 under 400"},
		{key: "invitations.say.experience_high", value: "'{value} over {limit}'", with: "invitations: {experience: {max: 200}}", see: invite(5), want: "300 over 200"},
		{key: "invitations.say.max_saved", value: "'{value} of {limit}'", with: "opponents: {max_saved: 3}", see: invite(5), want: "3 of 3"},
		{key: "invitations.say.drops", value: "'{value} left'", with: "opponents: {max_drop_share: 0.3}", see: invite(5), want: "4 left"},
		{key: "invitations.say.repbot", value: "ask {repbot}", with: "opponents: {repbot: {name: RepBotNG}}", see: invite(5, func(f *policy.Facts) { f.Reputation = new(-1) }), want: "ask RepBotNG"},
		{key: "invitations.say.void", elsewhere: "bot/policy TestConsider_everyReasonInOtherWords", word: `"void"`},
		{key: "invitations.say.stalled", value: "'{value}, {wait}'", see: invite(5, marked(policy.Stalls, 3)), want: "3, 9 minutes"},
		{key: "invitations.say.resigned", value: "'{value}, {minutes} min'", see: invite(5, marked(policy.Resigned, 4)), want: "4, 9 min"},
		{key: "invitations.say.again", value: "'{limit}, {minutes} min'", with: "opponents: {limit: {matches: 2}}", see: invite(5), want: "2, 5 min"},
		{key: "opponents.allow", value: "[b*b]", see: invite(5, friend), want: "accepted by opponents.allow"},
		{key: "opponents.block", value: "['b?b']", see: invite(5), want: "refused by opponents.block"},
		{key: "opponents.block_file", value: "BLOCK", see: blockFile, want: "I do not play with you"},
		{key: "opponents.block_url", value: "WEB", see: blockURL, want: "I do not play with you"},
		{key: "opponents.block_every", elsewhere: "bot/host TestBlockURL_refreshed", word: "c.Opponents.BlockEvery ="},
		{key: "opponents.bots", value: "only", see: invite(5), want: "I play only programs"},
		{key: "opponents.bot_names", value: "[bob]", see: invite(5), want: "I play people, not programs"},
		{key: "opponents.bot_clients", value: "[Jelly*]", see: invite(5, func(f *policy.Facts) { f.Them.Client = "JellyFish" }), want: "I play people, not programs"},
		{key: "opponents.max_saved", value: "3", see: invite(5), want: "you have 3 unfinished matches"},
		{key: "opponents.max_drop_share", value: "0.3", see: invite(5), want: "you left 4 of our matches unfinished"},
		{key: "opponents.repbot.name", value: "RepBotNG", see: invite(5, func(f *policy.Facts) { f.Reputation = new(-1) }), want: "RepBotNG warns"},
		{key: "opponents.repbot.min", value: "500", with: "opponents: {repbot: {name: RepBotNG}}", see: invite(5, func(f *policy.Facts) { f.Reputation = new(400) }), want: "RepBotNG warns"},
		{key: "opponents.repbot.wait", value: "50ms", with: "opponents: {repbot: {name: ghost}, max_saved: 0}", see: joinsSoon, want: "joined"},
		{key: "opponents.pause.first", value: "3m", see: invite(5, marked(policy.Stalls, 3)), want: "again in 5 minutes"},
		{key: "opponents.pause.most", value: "8m", see: invite(5, marked(policy.Stalls, 9)), want: "again in 7 minutes"},
		{key: "opponents.limit.matches", value: "2", see: invite(5), want: "we have played 2 matches; let us go on in 5 minutes"},
		{key: "opponents.limit.per", value: "30m", with: "opponents: {limit: {matches: 2}}", see: invite(5), want: "accepted"},
		{key: "opponents.limit.pause", value: "20m", with: "opponents: {limit: {matches: 2}}", see: invite(5), want: "go on in 15 minutes"},
		{key: "saved.auto", value: "false", see: lobbyOf(savedWith(time.Time{})), want: "nobody"},
		{key: "saved.wait_after_leave", value: "10m", see: lobbyOf(savedWith(noon.Add(-7 * time.Minute))), want: "nobody"},
		{key: "saved.only", value: "true", see: invite(5), want: "I am only finishing saved matches"},
		{key: "matchmaking.enabled", value: "true", see: lobbyOf(), want: "bob 5 false matchmaking"},
		{key: "matchmaking.after_idle", value: "2h", with: quiet, see: lobbyOf(), want: "nobody"},
		{key: "matchmaking.gap", value: "5m", with: quiet, see: lobbyOf(func(l *policy.Lobby) { l.LastAsk = noon.Add(-3 * time.Minute) }), want: "nobody"},
		{key: "matchmaking.max_per_hour", value: "3", with: quiet, see: lobbyOf(func(l *policy.Lobby) { l.AsksHour = 4 }), want: "nobody"},
		{key: "matchmaking.lengths", value: "[9]", with: quiet, see: lobbyOf(), want: "bob 9"},
		{key: "matchmaking.rating.min", value: "1695", with: quiet, see: lobbyOf(), want: "nobody"},
		{key: "matchmaking.rating.max", value: "1600", with: quiet, see: lobbyOf(), want: "ann 5"},
		{key: "matchmaking.rating.difference", value: "5", with: quiet, see: lobbyOf(), want: "nobody"},
		{key: "matchmaking.decline_pause", value: "1h", with: quiet, see: lobbyOf(func(l *policy.Lobby) {
			l.Players[1].AskedAt, l.Players = noon.Add(-2*time.Hour), l.Players[1:]
		}), want: "bob 5"},
		{key: "matchmaking.password", elsewhere: "bot/bgammon TestHost_privateMatch", word: "c.Matchmaking.Password ="},
		{key: "matchmaking.timeout", elsewhere: "bot/host TestMatchmaking_timeout", word: "c.Matchmaking.Timeout ="},
		{key: "matchmaking.waitfor", value: "[ann]", with: quiet, see: lobbyOf(), want: "ann 5 false matchmaking.waitfor"},
	}
}

// blockFile writes the file the key names and has its only entry knock.
func blockFile(t *testing.T, c *config.Config) string {
	if c.Opponents.BlockFile != "" {
		c.Opponents.BlockFile = filepath.Join(t.TempDir(), "block")
		if err := os.WriteFile(c.Opponents.BlockFile, []byte("# no friend\nhum*\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := live(t, c).visitor("human")
	p.send("invite robbie 5")
	return p.hear("robbie")
}

// blockURL publishes the list the key names and has its only entry knock.
func blockURL(t *testing.T, c *config.Config) string {
	named := c.Opponents.BlockURL != ""
	if named {
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hum* # no friend\n") }))
		t.Cleanup(web.Close)
		c.Opponents.BlockURL = web.URL
	}
	s := live(t, c)
	if named {
		s.log.find(t, "opponents.block_url: a new list is in force", "names", 1)
	}
	p := s.visitor("human")
	p.send("invite robbie 5")
	return p.hear("robbie")
}

// joinsSoon returns whether the bot accepts an invitation within a second.
func joinsSoon(t *testing.T, c *config.Config) string {
	s := live(t, c)
	s.login("ghost") // the reputation bot is on line and silent
	p := s.visitor("human")
	p.send("invite robbie 5")
	if p.hears("joined you", time.Second) {
		return "joined"
	}
	return "waits"
}

// choose returns the strength that the policy chooses against bob.
func choose(edit ...func(*policy.Opponent, *float64)) func(*testing.T, *config.Config) string {
	return func(_ *testing.T, c *config.Config) string {
		o, held := policy.Opponent{Player: facts().Them, Known: true, Length: 5, Won: 2}, 0.0
		for _, e := range edit {
			e(&o, &held)
		}
		s := policy.Choose(c, "", o, facts(), held)
		return lines(s.Preset, s.Rating, s.Rule, s.Character)
	}
}

// mine shows the settings of the own preset "mine".
func mine(t *testing.T, c *config.Config) string {
	p, err := strength.Preset(c, "mine")
	if err != nil {
		return err.Error()
	}
	show := func(name string, plies int, noise float64, det, cubeful bool, filter string, cuts any) string {
		return fmt.Sprintf("%s: plies %d, noise %g, deterministic %v, cubeful %v, filter %s %+v", name, plies, noise, det, cubeful, filter, cuts)
	}
	k, u := p.Checker, p.Cube
	more := func(s search.Settings) string {
		if s.Efficiency == nil {
			return fmt.Sprint(s.Prune, s.Reduced)
		}
		return fmt.Sprint(s.Prune, s.Reduced, *s.Efficiency)
	}
	return lines(fmt.Sprintf("checker+ %s cube+ %s", more(k), more(u)), show("checker", k.Plies, k.Noise, k.Deterministic, k.Cubeful, k.Filter.Name, k.Filter.Cuts[1]),
		show("cube", u.Plies, u.Noise, u.Deterministic, u.Cubeful, u.Filter.Name, ""),
		fmt.Sprintf("shares %g and %g, rollout %+v", k.Share, u.Share, p.Close),
		fmt.Sprintf("human %+v, optional %v, from %s", p.Human, p.OptionalDouble, p.Summary))
}

// paced is how long a decision of some difficulty seems to take.
func paced(gap float64, forced bool) func(*testing.T, *config.Config) string {
	return func(_ *testing.T, c *config.Config) string {
		return policy.Pace(c.Pacing, pace.Difficulty{Gap: gap, Forced: forced}, 0.999).String()
	}
}

func strengthKeys() []keyTest {
	rule := func(when string) string {
		return "strength: {rules: [{preset: casual, when: {" + when + "}}, {preset: beginner}]}"
	}
	follow := "strength: {match_opponent: {enabled: true}}"
	held := func(r float64) func(*policy.Opponent, *float64) {
		return func(_ *policy.Opponent, h *float64) { *h = r }
	}
	own := "presets: {mine: {base: expert}}"
	rolled := "presets: {mine: {base: grandmaster}}"
	noisy := "presets: {mine: {base: expert, checker: {noise: 0.02}, cube: {noise: 0.03}}}"
	filtered := "presets: {mine: {base: worldclass, checker: {plies: 2, filter: mine}}}, filters: {mine: {stages: [{accept: 1, extra: 2, threshold: 0.1}]}}"
	return []keyTest{
		{key: "strength.preset", value: "casual", see: choose(), want: "casual 0 strength.preset"},
		{key: "strength.rules[].preset", value: "advanced", with: "strength: {rules: [{preset: casual}]}", see: choose(), want: "advanced 0 strength.rules[0]"},
		{key: "strength.rules[].engine", value: "friend", with: "strength: {rules: [{preset: casual}]}", see: choose(), want: "friend 0 strength.rules[0]"},
		{key: "strength.rules[].rating", value: "1450", with: "strength: {rules: [{rating: 1400}]}", see: choose(), want: "1450 strength.rules[0]"},
		{key: "strength.rules[].character", value: "racer", with: "strength: {rules: [{rating: 1400}]}", see: choose(), want: "1400 strength.rules[0] racer"},
		{key: "strength.rules[].when.name", value: "alice", with: rule(""), see: choose(), want: "beginner 0 strength.rules[1]"},
		{key: "strength.rules[].when.rating.min", value: "1601", with: rule(""), see: choose(), want: "beginner"},
		{key: "strength.rules[].when.rating.max", value: "1599", with: rule(""), see: choose(), want: "beginner"},
		{key: "strength.rules[].when.rating.difference", value: "99", with: rule(""), see: choose(), want: "beginner"},
		{key: "strength.rules[].when.experience.min", value: "301", with: rule(""), see: choose(), want: "beginner"},
		{key: "strength.rules[].when.experience.max", value: "299", with: rule(""), see: choose(), want: "beginner"},
		{key: "strength.rules[].when.length.min", value: "6", with: rule(""), see: choose(), want: "beginner"},
		{key: "strength.rules[].when.length.max", value: "4", with: rule(""), see: choose(), want: "beginner"},
		{key: "strength.rules[].when.won_against_us.min", value: "3", with: rule(""), see: choose(), want: "beginner"},
		{key: "strength.rules[].when.won_against_us.max", value: "1", with: rule(""), see: choose(), want: "beginner"},
		{key: "strength.rules[].when.hours", value: "20:00-23:00", with: rule(""), see: choose(), want: "beginner"},
		{key: "strength.match_opponent.enabled", value: "true", see: choose(), want: "1600 strength.match_opponent"},
		{key: "strength.match_opponent.offset", value: "-100", with: follow, see: choose(), want: "1500 strength"},
		{key: "strength.match_opponent.min", value: "1700", with: follow, see: choose(), want: "1700 strength"},
		{key: "strength.match_opponent.max", value: "1550", with: follow, see: choose(), want: "1550 strength"},
		{key: "strength.match_opponent.hysteresis", value: "20", with: follow, see: choose(held(1570)), want: "1600 strength"},
		{key: "strength.style", value: "noise", with: "strength: {match_opponent: {enabled: true}}", see: playedAt, want: "at 1500 noise"},
		{key: "strength.character", value: "careful", with: "strength: {match_opponent: {enabled: true}}", see: playedAt, want: "at 1500 human careful"},
		{key: "strength.target_rating", value: "1650", see: playedAt, want: "human"},
		{key: "strength.within", elsewhere: "bot/strength TestWithLimits", word: "strength.within"},
		{key: "presets.NAME.base", value: "casual", with: "presets: {mine: {}}", see: mine, want: "own preset on casual"},
		{key: "presets.NAME.checker.plies", value: "3", with: own, see: mine, want: "checker: plies 3"},
		{key: "presets.NAME.checker.share", value: "0.4", with: own, see: mine, want: "shares 0.4 and 0,"},
		{key: "presets.NAME.cube.share", value: "0.6", with: own, see: mine, want: "shares 0 and 0.6,"},
		{key: "presets.NAME.rollout.trials", value: "36", with: rolled, see: mine, want: "Trials:36"},
		{key: "presets.NAME.rollout.plays", value: "6", with: rolled, see: mine, want: "rollout {Plays:6"},
		{key: "presets.NAME.rollout.within", value: "0.11", with: rolled, see: mine, want: "Within:0.11"},
		{key: "presets.NAME.rollout.truncate", value: "10", with: rolled, see: mine, want: "Truncate:10"},
		{key: "presets.NAME.rollout.search", value: "0.25", with: rolled, see: mine, want: "Search:0.25"},
		{key: "presets.NAME.rollout.early", value: "3", with: rolled, see: mine, want: "Early:3"},
		{key: "presets.NAME.rollout.plies", value: "1", with: rolled, see: mine, want: "Plies:1 CubeTrials"},
		{key: "presets.NAME.rollout.cube_trials", value: "36", with: rolled, see: mine, want: "CubeTrials:36"},
		{key: "presets.NAME.rollout.cube_within", value: "0.22", with: rolled, see: mine, want: "CubeWithin:0.22"},
		{key: "presets.NAME.checker.prune", value: "true", with: own, see: mine, want: "checker+ true 0 cube"},
		{key: "presets.NAME.checker.reduced", value: "14", with: "presets: {mine: {base: worldclass}}", see: mine, want: "checker+ false 14 cube+ true 0"},
		{key: "presets.NAME.checker.efficiency", value: "0.5", with: own, see: mine, want: "checker+ false 0 0.5 cube"},
		{key: "presets.NAME.cube.prune", value: "true", with: own, see: mine, want: "cube+ true 0"},
		{key: "presets.NAME.cube.reduced", value: "7", with: own, see: mine, want: "cube+ false 7"},
		{key: "presets.NAME.cube.efficiency", value: "0.6", with: own, see: mine, want: "cube+ false 0 0.6"},
		{key: "presets.NAME.checker.noise", value: "0.07", with: own, see: mine, want: "noise 0.07, "},
		{key: "presets.NAME.checker.deterministic", value: "true", with: noisy, see: mine, want: "noise 0.02, deterministic true"},
		{key: "presets.NAME.checker.filter", value: "huge", with: own, see: mine, want: "filter huge"},
		{key: "presets.NAME.checker.cubeful", value: "false", with: own, see: mine, want: "cubeful false, filter"},
		{key: "presets.NAME.cube.plies", value: "3", with: own, see: mine, want: "cube: plies 3"},
		{key: "presets.NAME.cube.noise", value: "0.08", with: own, see: mine, want: "noise 0.08"},
		{key: "presets.NAME.cube.deterministic", value: "true", with: noisy, see: mine, want: "noise 0.03, deterministic true"},
		{key: "presets.NAME.cube.filter", value: "huge", with: own, see: mine, want: "filter huge"},
		{key: "presets.NAME.cube.cubeful", value: "false", with: own, see: mine, want: "cubeful false"},
		{key: "presets.NAME.style", value: "human", with: noisy, see: mine, want: "human {Checker:0.02 Cube:0.03"},
		{key: "presets.NAME.character", value: "bold", with: "presets: {mine: {base: expert, style: human, checker: {noise: 0.02}}}", see: mine, want: "Cube:0 Character:bold}"},
		{key: "presets.NAME.optional_double", value: "double", with: own, see: mine, want: "optional true"},
		{key: "filters.NAME.stages[].accept", value: "4", with: filtered, see: mine, want: "Accept:4 Extra:2 Threshold:0.1"},
		{key: "filters.NAME.stages[].extra", value: "5", with: filtered, see: mine, want: "Accept:1 Extra:5 Threshold:0.1"},
		{key: "filters.NAME.stages[].threshold", value: "0.3", with: filtered, see: mine, want: "Accept:1 Extra:2 Threshold:0.3"},
		{key: "pacing.min", value: "4s", with: "pacing: {by: fixed}", see: paced(0.5, false), want: "4s"},
		{key: "pacing.max", value: "9s", see: paced(0, false), want: "9s"},
		{key: "pacing.by", value: "fixed", see: paced(0, false), want: "1.5s"},
		{key: "pacing.forced", value: "200ms", see: paced(0, true), want: "200ms"},
		{key: "resign.offer", elsewhere: "bot/strength TestWithLimits", word: "resign.offer"},
		{key: "resign.certainty", elsewhere: "bot/strength TestWithLimits", word: "resign.certainty"},
		{key: "resign.accept", elsewhere: "bot/host TestChoose_keysForEveryPreset", word: "resign.accept"},
	}
}
