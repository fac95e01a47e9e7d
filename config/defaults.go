package config

import "time"

// Default returns the configuration that holds where a file says nothing. It
// has no accounts.
func Default() *Config {
	s := func(n float64) Duration { return Duration(n * float64(time.Second)) }
	m := func(n float64) Duration { return Duration(n * float64(time.Minute)) }
	return &Config{
		Server: Server{
			Address: "fibs.com:4321", Protocol: "fibs", ClientName: "fibsbot",
			ConnectTimeout: s(20), Keepalive: m(2), Silence: m(5),
			Rate:      Rate{Every: s(1.5), Burst: 12},
			Reconnect: Reconnect{Min: s(2), Max: m(5), Jitter: 0.3, Kicked: m(30)},
		},
		Invitations: Invitations{Length: Lengths{Min: 1, Max: 13, Deny: []int{2}}, UnlimitedGames: 10, UnlimitedTime: m(120), Rematch: true, Say: defaultSay()},
		Opponents: Opponents{
			Bots:       "deny",
			BotClients: []string{"BaldLies*", "gnubg*", "GammonBot*", "BlunderBot*"},
			BotNames:   []string{"GammonBot*", "BlunderBot*", "*_bot", "*Bot", "BOT_*", "RepBotNG", "MissManners", "TourneyBot"},
			MaxSaved:   10, MaxDrops: 0.5,
			BlockEvery: m(60),
			RepBot:     RepBot{Wait: s(8)},
			Pause:      Pause{First: m(5), Most: m(24 * 60)},
			Limit:      Limit{Matches: 5, Per: m(60), Pause: m(10)},
		},
		Saved: Saved{Auto: true, WaitAfterLeave: m(5)},
		Matchmaking: Matchmaking{
			AfterIdle: m(3), Gap: m(2), MaxPerHour: 10, Lengths: []int{5, 3, 7},
			DeclinePause: m(24 * 60), Timeout: m(1),
		},
		Strength: Strength{
			Preset:        "worldclass",
			MatchOpponent: MatchOpponent{Min: 1300, Max: 2000, Hysteresis: 50},
			Style:         "human",
			Within:        s(10),
		},
		Pacing: Pacing{Min: s(1.5), Max: s(6), By: "difficulty", Forced: s(0.7)},
		Resign: Resign{Offer: true, Certainty: 0.999, Accept: "equity"},
		Manners: Manners{
			Language:  "en",
			Greeting:  []string{"Hello {opponent}, I am a program. If I seem to hang, say 'move' or 'roll'. Good luck!"},
			Resume:    []string{"Welcome back, {opponent}. Let us finish our match."},
			Farewell:  []string{"Thank you for the match, {opponent}."},
			Thanks:    "You are welcome.",
			Refuse:    "Sorry {opponent}, {reason}.",
			Busy:      "I am playing just now. Please ask again after this match.",
			Draining:  "I am about to leave. Please ask again later.",
			Unlimited: "I leave our unlimited match now, {opponent}, so that others can play too. Thank you for the games.",
			About:     "I am fibsbot {version}, a backgammon program playing as {preset}. Tell me 'help' for what I understand.",
			Answers:   true,
			PerMinute: 4,
		},
		Idle:    Idle{Ask: m(1), Leave: m(6), Say: "Are you there? It is your turn."},
		Archive: Archive{Dir: "logs/archive", Formats: []string{"sgf", "oldmoves"}, Group: "none", Analyse: "fast", Me: []string{}, Chat: "none"},
		Watch: Watch{
			Players: []string{"best"}, Channel: "whisper", Only: "errors", MinLoss: 0.08, Summary: true,
			PerGame: 12, Preset: "worldclass", Archive: true,
			Texts: Texts{
				Error: "{player}: {move} loses {loss}; best was {best}.",
				Small: "{player}: {move} (-{loss}, best {best}).",
				Right: "{player}: {move} is right.",
				Game:  "Game {game}: {winner} wins {points}. Errors: {winner} {winner_lost} in {winner_decisions} decisions, {loser} {loser_lost} in {loser_decisions}. Luck: {winner} {winner_luck}, {loser} {loser_luck}.",
				Match: "Match: {winner} {winner_score}-{loser_score} {loser}. Millipoints lost a decision: {winner} {winner_rate} ({winner_level}), {loser} {loser_rate} ({loser_level}). Luck: {winner} {winner_luck}, {loser} {loser_luck}.",
				Stop:  "I will not comment on your matches again.",
				Words: map[string]string{},
			},
		},
		Engine: Engine{CacheMB: 64},
		Logs: Logs{
			Dir: "logs", Level: "info", Format: "auto", MaxSizeMB: 20, Keep: 10, Transcript: true,
		},
		Notify: Notify{
			Events: []string{}, Urgent: []string{"login_refused", "account_stopped", "archive_failed"}, PerHour: 20, Limits: map[string]int{}, DisconnectedAfter: m(10),
			Complaints: []string{"cheat", "complain", "report you", "unfair", "bug", "stuck", "hang"},
		},
		Operations: Operations{Drain: "match", DrainLimit: m(30)},
		Dashboard:  Dashboard{Hosts: []string{}},
	}
}
