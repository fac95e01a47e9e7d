package config

import (
	"slices"
	"time"
)

// Config is one whole bot.yaml. Get one from Default or Load, not as a literal. The tags of a field
// are all that its key needs: doc and enum, default (setDefaults), bounds and form (checker.value).
type Config struct {
	Server      Server            `yaml:"server" doc:"The FIBS server and how to treat the connection to it."`
	Accounts    accounts          `yaml:"accounts" doc:"The accounts this process runs, each supervised on its own. All share engine and archive."`
	Invitations Invitations       `yaml:"invitations" doc:"Which invitations are accepted. Every refusal is sent to the inviter with its reason."`
	Opponents   Opponents         `yaml:"opponents" doc:"Which players are accepted, and how often."`
	Saved       Saved             `yaml:"saved" doc:"Interrupted matches."`
	Matchmaking Matchmaking       `yaml:"matchmaking" doc:"Inviting other players when no one invites the bot."`
	Strength    Strength          `yaml:"strength" doc:"How strong the bot plays, and against whom. A preset never changes during a match."`
	Presets     map[string]Preset `yaml:"presets" doc:"Your presets by name, beside the built-in beginner, casual, intermediate, advanced, expert, worldclass, supremo, champion, grandmaster and legend."`
	Engines     []OutsideEngine   `yaml:"engines" default:"[]" doc:"Other engines that may play instead of the built-in one, by accounts[].engine and strength.rules[].engine (docs/engines.md)."`
	Filters     map[string]Filter `yaml:"filters" doc:"Your move filters by name, beside the built-in tiny, lean, narrow, normal, broad, large and huge."`
	Pacing      Pacing            `yaml:"pacing" doc:"How long the bot seems to think. The engine's thinking time counts towards it."`
	Resign      Resign            `yaml:"resign" doc:"Resigning, and answering resignations."`
	Manners     Manners           `yaml:"manners" doc:"What the bot says. Placeholders: {me} {opponent} {length} {preset} {version} {reason}."`
	Idle        Idle              `yaml:"idle" doc:"Opponents who do not move."`
	Archive     Archive           `yaml:"archive" doc:"Where finished matches are kept, and how they are analysed."`
	Watch       Watch             `yaml:"watch" doc:"Spectating and kibitzing."`
	Engine      Engine            `yaml:"engine" doc:"Memory and processors of the engine, shared by all accounts."`
	Logs        Logs              `yaml:"logs" doc:"Logs and transcripts. Passwords are never written to either."`
	Operations  Operations        `yaml:"operations" doc:"Stopping, health and metrics."`
	Notify      Notify            `yaml:"notify" doc:"Notifications for the operator; 'fibsbot config check --notify' sends a test event. See docs/operating.md."`
	Dashboard   Dashboard         `yaml:"dashboard" doc:"A read-only page: accounts, boards, saved and last matches, ratings."`
}

// Server says where FIBS is and how patient the connection is.
type Server struct {
	Address        string    `yaml:"address" default:"fibs.com:4321" doc:"Host and port. FIBS itself is fibs.com:4321. Traffic is not encrypted: use a password that you use nowhere else."`
	Protocol       string    `yaml:"protocol" default:"fibs" doc:"Protocol of the server: fibs, or bgammon for bgammon.org (address bgammon.org:1337, tls://HOST:PORT or wss://HOST/PATH; names begin with BOT_)."`
	ClientName     string    `yaml:"client_name" default:"fibsbot" doc:"Shown to all users in who lists; at most 20 characters, no blank."`
	ConnectTimeout Duration  `yaml:"connect_timeout" default:"20s" must:"be above 0" doc:"Time limit for a connection attempt."`
	Keepalive      Duration  `yaml:"keepalive" default:"2m" must:"be above 0" doc:"Send something after sending nothing for this long; FIBS drops idle users."`
	Silence        Duration  `yaml:"silence" default:"5m" doc:"Treat the connection as dead after receiving nothing for this long."`
	Rate           Rate      `yaml:"rate" doc:"Hard limit on everything sent. Plays have priority over chat."`
	Reconnect      Reconnect `yaml:"reconnect" doc:"Waits before connecting again. Bad credentials are never tried again. A server that accepts no connection is tried every two seconds, once for all accounts; they log in when it answers."`
}

// Rate bounds what a connection sends: a bucket of Burst commands that fills by one
// in Every. Twelve are what it takes from a login to a first match. A new
// connection starts with a full bucket, so that a match continues 5 s after a break and
// not 12.
type Rate struct {
	Every Duration `yaml:"every" default:"1.5s" least:"50ms" doc:"Average time between commands."`
	Burst int      `yaml:"burst" default:"12" is:"between 1 and 20" doc:"Commands that may be sent at once after a quiet time and on a new connection."`
}

// Reconnect is the back-off after a lost connection.
type Reconnect struct {
	Min    Duration `yaml:"min" default:"2s" must:"be above 0" doc:"First wait after a lost connection; it doubles while new connections do not last."`
	Max    Duration `yaml:"max" default:"5m" doc:"Longest wait."`
	Jitter float64  `yaml:"jitter" default:"0.3" is:"between 0 and 1" doc:"Random share that lengthens a wait, 0 to 1, so that bots do not return together; max is the longest still."`
	Kicked Duration `yaml:"kicked" default:"30m" doc:"Least wait after another client has logged in under our name."`
}

// accounts are checked together: no name may be there twice.
type accounts []Account

// Account is one login.
type Account struct {
	Name            string `yaml:"name" doc:"FIBS name: 3 to 20 letters and underscores."`
	PasswordEnv     string `yaml:"password_env" doc:"Environment variable that holds the password."`
	PasswordFile    string `yaml:"password_file" doc:"File whose first line is the password."`
	PasswordCommand string `yaml:"password_command" doc:"Command whose first line of output is the password, for keyrings; variables with other secrets are not in its environment."`
	Password        Secret `yaml:"password" doc:"The password itself. Prefer one of the three keys above."`
	Address         string `yaml:"address" doc:"Another server for this account; empty means server.address."`
	Protocol        string `yaml:"protocol" doc:"Protocol of that server; empty means server.protocol."`
	Preset          string `yaml:"preset" doc:"Another preset for this account; empty means strength.preset."`
	Engine          string `yaml:"engine" doc:"An engine of the list engines that plays for this account, instead of a preset."`
	Disabled        bool   `yaml:"disabled" doc:"Do not run this account."`
}

// Invitations are the terms on which a match is accepted.
type Invitations struct {
	Length    Lengths `yaml:"length" doc:"Match lengths in points."`
	Unlimited bool    `yaml:"unlimited" doc:"Accept unlimited matches. Each game is filed as a match."`
	// Both end the match between two games.
	UnlimitedGames int              `yaml:"unlimited_games" default:"10" must:"not be negative" doc:"Leave an unlimited match after this many games; 0 means no limit."`
	UnlimitedTime  Duration         `yaml:"unlimited_time" default:"2h" must:"not be negative" doc:"Leave an unlimited match after the game in which this time ends; 0 means no limit."`
	Rating         RatingGap        `yaml:"rating" doc:"The inviter's rating."`
	Experience     IntRange         `yaml:"experience" doc:"The inviter's experience; min excludes throwaway names. 0 for max means no limit."`
	PerDay         int              `yaml:"per_day" must:"not be negative" doc:"Matches a day in all; 0 means no limit."`
	Rematch        bool             `yaml:"rematch" default:"true" doc:"bgammon only: offer another match of the same length while these rules accept the opponent."`
	Hours          string           `yaml:"hours" form:"hours" doc:"Time of day in which invitations are accepted, as 08:00-23:30 local time; empty means always."`
	Rules          []InvitationRule `yaml:"rules" doc:"The first rule whose conditions all hold decides. Block lists, opponents.allow and the length come before it; without one the other keys decide."`
	Say            Say              `yaml:"say" doc:"The reasons of refusals, in any language; manners.refuse has them as {reason}. Placeholders: {me} {opponent} {length}, and those named below."`
}

// InvitationRule accepts or declines some invitations.
type InvitationRule struct {
	When   When   `yaml:"when" doc:"All conditions given must hold; a rating or experience that is unknown fulfils none."`
	Answer string `yaml:"answer" doc:"decline, or accept: whatever hours, per_day, rating, experience and the keys under opponents say, except block lists." enum:"accept,decline"`
	Say    string `yaml:"say" text:"say" doc:"Reason of this refusal, as those of invitations.say; empty means invitations.say.rule."`
}

// Lengths is a set of match lengths.
type Lengths struct {
	Min  int   `yaml:"min" default:"1" is:"a match length (1 to 99)" doc:"Shortest match."`
	Max  int   `yaml:"max" default:"13" is:"a match length (1 to 99)" doc:"Longest match."`
	Deny []int `yaml:"deny" default:"[2]" doc:"Lengths in between that are refused."`
}

// RatingGap bounds a rating absolutely and by its distance to ours.
type RatingGap struct {
	Min        float64 `yaml:"min" doc:"Lowest rating; 0 means no limit."`
	Max        float64 `yaml:"max" doc:"Highest rating; 0 means no limit."`
	Difference float64 `yaml:"difference" must:"not be negative" doc:"Largest distance to our own rating; 0 means no limit."`
}

// IntRange is a closed range; Max 0 means no upper limit.
type IntRange struct {
	Min int `yaml:"min" doc:"Lowest value."`
	Max int `yaml:"max" doc:"Highest value; 0 means no limit."`
}

// Opponents says who is welcome.
type Opponents struct {
	Allow     []string `yaml:"allow" form:"pattern" doc:"Names or patterns (* and ?) that are always accepted."`
	Block     []string `yaml:"block" form:"pattern" doc:"Names or patterns that are never accepted."`
	BlockFile string   `yaml:"block_file" doc:"File with one name or pattern a line, read again when it changes; # starts a comment."`
	BlockURL  string   `yaml:"block_url" web:"https://example.org/block.txt" doc:"Web address of such a list, http or https, at most 1 MiB and 100000 names. After a failed refresh the old names stay, also after a restart."`
	// BlockEvery is at least a minute: the list is on another server.
	BlockEvery Duration `yaml:"block_every" default:"1h" least:"1m" doc:"How often block_url is fetched."`
	Bots       string   `yaml:"bots" default:"deny" doc:"Other bots: deny, allow or only." enum:"deny,allow,only"`
	BotClients []string `yaml:"bot_clients" default:"['BaldLies*', 'gnubg*', 'GammonBot*', 'BlunderBot*']" form:"pattern" doc:"Patterns of the client names, as who lists show them, of bots whatever their names. A person may play with fibsbot, too, so it is not among them."`
	BotNames   []string `yaml:"bot_names" default:"['GammonBot*', 'BlunderBot*', '*_bot', '*Bot', 'BOT_*', RepBotNG, MissManners, TourneyBot]" form:"pattern" doc:"Patterns of the names of bots. They are never invited unless bots is only, and their chat is never answered. Other accounts of this file are invited unless bots is deny."`
	MaxSaved   int      `yaml:"max_saved" default:"10" must:"not be negative" doc:"Refuse players with this many unfinished matches; 0 means no limit."`
	MaxDrops   float64  `yaml:"max_drop_share" default:"0.5" is:"between 0 and 1" doc:"Refuse players who left more than this share of their matches with us unfinished, after the third; 0 means no limit."`
	RepBot     RepBot   `yaml:"repbot" doc:"Ask a reputation bot before accepting. Its silence never blocks."`
	Pause      Pause    `yaml:"pause" doc:"The pause of a player who repeatedly does not move until the bot leaves, or resigns at once."`
	Limit      Limit    `yaml:"limit" doc:"Matches with the same opponent."`
}

// RepBot names a reputation service.
type RepBot struct {
	Name string   `yaml:"name" doc:"Its user name, RepBotNG on FIBS; empty means do not ask."`
	Min  int      `yaml:"min" doc:"Refuse players with a lower reputation; those it calls BAD are below 0. Unknown players are accepted."`
	Wait Duration `yaml:"wait" default:"8s" doc:"Longest wait for its answer."`
}

// Pause is a growing pause.
type Pause struct {
	First Duration `yaml:"first" default:"5m" must:"not be negative" doc:"The first pause, after a second match left for not moving or a third resigned at once; each further one is twice as long. 0 means no pause."`
	Most  Duration `yaml:"most" default:"24h" doc:"The longest pause."`
}

// Limit bounds matches against one opponent.
type Limit struct {
	Matches int      `yaml:"matches" default:"5" must:"not be negative" doc:"Matches with one opponent within per; 0 means no limit."`
	Per     Duration `yaml:"per" default:"1h" doc:"The time over which matches are counted."`
	Pause   Duration `yaml:"pause" default:"10m" doc:"How long that opponent waits then."`
}

// Saved is the handling of interrupted matches.
type Saved struct {
	Auto           bool     `yaml:"auto" default:"true" doc:"Invite waiting opponents to resume, oldest match first."`
	WaitAfterLeave Duration `yaml:"wait_after_leave" default:"5m" doc:"Do not call an opponent who left (rather than lost the connection) for this long."`
	Only           bool     `yaml:"only" doc:"Finish saved matches and begin no new ones."`
}

// Matchmaking is inviting.
type Matchmaking struct {
	Enabled      bool      `yaml:"enabled" doc:"Invite ready players when idle."`
	AfterIdle    Duration  `yaml:"after_idle" default:"3m" doc:"How long to wait for an invitation first. Waits are lengthened by up to a fifth by chance."`
	Gap          Duration  `yaml:"gap" default:"2m" doc:"Least time between two of our invitations."`
	MaxPerHour   int       `yaml:"max_per_hour" default:"10" doc:"Invitations an hour."`
	Lengths      []int     `yaml:"lengths" default:"[5, 3, 7]" is:"a match length (1 to 99)" doc:"Lengths to offer; a length the player took before is preferred."`
	Password     Secret    `yaml:"password" doc:"bgammon only: password of the matches that are opened; empty lets everyone join."`
	Rating       RatingGap `yaml:"rating" doc:"The invited player's rating."`
	DeclinePause Duration  `yaml:"decline_pause" default:"24h" doc:"Leave a player alone for this long after an invitation without answer."`
	Timeout      Duration  `yaml:"timeout" default:"1m" doc:"How long an invitation of ours waits for its answer before another player is invited. Read at the start."`
	WaitFor      []string  `yaml:"waitfor" doc:"Names or patterns to invite first whenever they are online and ready, whatever their rating."`
}

// Strength chooses the preset.
type Strength struct {
	Preset        string        `yaml:"preset" default:"worldclass" doc:"Preset for players without a rule."`
	Rules         []Rule        `yaml:"rules" doc:"The first rule whose conditions all hold decides."`
	MatchOpponent MatchOpponent `yaml:"match_opponent" doc:"Follow the opponent's rating instead of a fixed preset."`
	Style         string        `yaml:"style" default:"human" doc:"How a rating, or a built-in preset below expert, errs: human (as real players of that rating) or noise (equally everywhere)." enum:"human,noise"`
	Character     string        `yaml:"character" doc:"How the errors of the style human lean: bold, careful, racer, or empty for the average player." enum:",bold,careful,racer"`
	TargetRating  float64       `yaml:"target_rating" must:"not be negative" doc:"Hold the account's own rating near this by feedback; 0 means off."`
	Within        Duration      `yaml:"within" default:"10s" must:"be above 0" doc:"Time limit for one decision of the engine; the best answer so far is played then."`
}

// Rule picks a preset for some opponents.
type Rule struct {
	When   When   `yaml:"when" doc:"All conditions given must hold; a rating or experience that is unknown fulfils none."`
	Preset string `yaml:"preset" doc:"Preset to play with."`
	Engine string `yaml:"engine" doc:"An engine of the list engines to play with, instead of a preset."`
	// Rating is an alternative to Preset.
	Rating    float64 `yaml:"rating" doc:"Rating to play at, in strength.style, instead of a preset."`
	Character string  `yaml:"character" doc:"With rating: how the errors lean, instead of strength.character." enum:",bold,careful,racer"`
}

// When is the condition of a Rule or an InvitationRule. Zero fields do not restrict.
type When struct {
	Name       string    `yaml:"name" form:"pattern" doc:"Name or pattern (* and ?)."`
	Rating     RatingGap `yaml:"rating" doc:"Opponent's rating."`
	Experience IntRange  `yaml:"experience" doc:"Opponent's experience."`
	Length     IntRange  `yaml:"length" doc:"Match length in points; unlimited counts as 0."`
	Won        IntRange  `yaml:"won_against_us" doc:"Matches this opponent has won against us."`
	Hours      string    `yaml:"hours" form:"hours" doc:"Time of day, as 22:00-06:00 local time."`
}

// MatchOpponent follows the opponent's rating.
type MatchOpponent struct {
	Enabled    bool    `yaml:"enabled" doc:"Play at the opponent's level."`
	Offset     float64 `yaml:"offset" doc:"Points above (or, negative, below) the opponent's rating."`
	Min        float64 `yaml:"min" default:"1300" doc:"Never play below this rating."`
	Max        float64 `yaml:"max" default:"2000" doc:"Never play above this rating."`
	Hysteresis float64 `yaml:"hysteresis" default:"50" must:"not be negative" doc:"Keep the last level for an opponent until the wanted one is this far away."`
}

// Preset is one named strength, on top of another.
type Preset struct {
	Base    string   `yaml:"base" doc:"Preset whose settings hold where this one says nothing."`
	Checker Settings `yaml:"checker" doc:"Checker play."`
	Cube    Settings `yaml:"cube" doc:"Cube decisions."`
	Rollout Rollout  `yaml:"rollout" doc:"Close plays and cube decisions are rolled out."`
	Style   string   `yaml:"style" doc:"How errors are made: human (as real players) or noise (equally everywhere). The amounts in checker.noise and cube.noise are those of the style." enum:",human,noise"`
	// Character needs the style human.
	Character string `yaml:"character" doc:"How the errors of the style human lean: bold, careful or racer." enum:",bold,careful,racer"`
	Optional  string `yaml:"optional_double" doc:"What to do with an optional double: roll or double." enum:",roll,double"`
}

// Settings are the engine settings of one kind of decision. A nil field keeps
// the base preset's.
type Settings struct {
	Plies         *int     `yaml:"plies" must:"be 0 to 4" doc:"Look-ahead, 0 to 4."`
	Share         *float64 `yaml:"share" must:"be 0 to 1" doc:"Part of the decisions that are looked ahead, 0 to 1 (0 is all, too); the others are made at 0 plies."`
	Noise         *float64 `yaml:"noise" must:"be 0 to 1" doc:"Standard deviation added to each outcome chance, 0 to 1."`
	Deterministic *bool    `yaml:"deterministic" doc:"The same position always gets the same noise."`
	Filter        *string  `yaml:"filter" doc:"Move filter by name."`
	Cubeful       *bool    `yaml:"cubeful" doc:"Take the cube into account."`
	Prune         *bool    `yaml:"prune" doc:"A small net chooses which replies the look-ahead judges: three times as fast."`
	Reduced       *int     `yaml:"reduced" doc:"Look at 7 or 14 of the 21 rolls, 0 is all; goes without prune."`
	Efficiency    *float64 `yaml:"efficiency" must:"be 0 (dead) to 1 (live)" doc:"Cube efficiency in every position, 0 (dead) to 1 (live); without it each kind of position has its own."`
}

// Rollout says which plays and cube decisions are rolled out when the look-ahead has
// judged them. A nil
// field keeps the base preset's.
type Rollout struct {
	Trials   *int     `yaml:"trials" must:"be 0 to 100000" doc:"At most so many games for each play, fewer once it is clear; 0 for no rollouts."`
	Plays    *int     `yaml:"plays" must:"be at least 2" doc:"At most so many of the best plays."`
	Within   *float64 `yaml:"within" must:"be 0 to 10" doc:"How close to the best, in equity."`
	Truncate *int     `yaml:"truncate" must:"not be negative" doc:"End games after that many plies, 0 plays to the end."`
	Search   *float64 `yaml:"search" must:"be 0 to 1" doc:"Part of what the look-ahead found that counts beside the games, 0 to 1."`
	Early    *int     `yaml:"early" must:"not be negative" doc:"So many plies of each game are played looking ahead, the later ones are not."`
	Plies    *int     `yaml:"plies" must:"be 0 to 2" doc:"How far those look ahead, 0 to 2."`

	CubeTrials *int     `yaml:"cube_trials" must:"be 0 to 100000" doc:"At most so many games for each side of a close cube decision, 0 for no rollouts of those."`
	CubeWithin *float64 `yaml:"cube_within" must:"be 0 to 10" doc:"How close the right action is to the other one, in equity."`
}

// OutsideEngine is another engine.
type OutsideEngine struct {
	Name      string   `yaml:"name" doc:"Its name here, told to people as {preset}."`
	Protocol  string   `yaml:"protocol" doc:"What it speaks: line (the line protocol of fibsbot engine), ubgi, gnubg (external player), nodots or wildbg (both over HTTP)." enum:"line,ubgi,gnubg,nodots,wildbg"`
	Command   string   `yaml:"command" doc:"Program to start and its arguments, divided by blanks; for line, ubgi and gnubg."`
	Address   string   `yaml:"address" doc:"Where it is served: HOST:PORT for gnubg, HOST:PORT or a URL for nodots and wildbg."`
	Within    Duration `yaml:"within" doc:"Time limit for one decision; 0 means strength.within."`
	OnFailure string   `yaml:"on_failure" doc:"When it fails, the built-in engine answers; fallback (or empty) plays on like that and starts it again after growing pauses, drain leaves after the running match." enum:",fallback,drain"`
	Fallback  string   `yaml:"fallback" doc:"Preset of the built-in engine for what this one cannot answer, and for resignations; empty means strength.preset."`
}

// Outside returns the engine of that name.
func (c *Config) Outside(name string) (e OutsideEngine, ok bool) {
	i := slices.IndexFunc(c.Engines, func(e OutsideEngine) bool { return e.Name == name })
	if i < 0 {
		return e, false
	}
	return c.Engines[i], true
}

// Filter is an own move filter: one stage for each ply searched before the last.
type Filter struct {
	Stages []FilterStage `yaml:"stages" doc:"One stage a ply, from 0-ply up."`
}

// FilterStage keeps Accept plays and up to Extra more within Threshold.
type FilterStage struct {
	Accept    int     `yaml:"accept" doc:"Plays always kept; -1 skips this stage."`
	Extra     int     `yaml:"extra" doc:"More plays kept when close to the best."`
	Threshold float64 `yaml:"threshold" doc:"How close, in equity."`
}

// Pacing is the seeming thinking time.
type Pacing struct {
	Min    Duration `yaml:"min" default:"1.5s" doc:"Shortest time for a real decision."`
	Max    Duration `yaml:"max" default:"6s" most:"2m" doc:"Longest time; hard cap."`
	By     string   `yaml:"by" default:"difficulty" doc:"difficulty (close decisions, and those with many good plays, take longer), fixed (always min) or none." enum:"difficulty,fixed,none"`
	Forced Duration `yaml:"forced" default:"700ms" doc:"Time for a forced play or a roll."`
}

// Resign is giving up.
type Resign struct {
	Offer     bool    `yaml:"offer" default:"true" doc:"Resign when the game is certainly lost at that level."`
	Certainty float64 `yaml:"certainty" default:"0.999" is:"between 0.5 and 1" doc:"How certain, 0.5 to 1."`
	Accept    string  `yaml:"accept" default:"equity" doc:"Opponent's resignations: equity (accept when at least worth the equity) or always." enum:"equity,always"`
}

// Manners are the texts.
type Manners struct {
	Language   string   `yaml:"language" default:"en" form:"language" doc:"Language of answers, and of the texts here, under invitations.say and watch.texts that are left as they are: en, da, de, es, fr. Letters outside ASCII are rewritten (as ae, e): servers carry no others."`
	Greeting   []string `yaml:"greeting" default:"[\"Hello {opponent}, I am a program. If I seem to hang, say 'move' or 'roll'. Good luck!\"]" text:"manners" doc:"Said at the start of a match, at most once a day to each opponent."`
	Resume     []string `yaml:"resume" default:"['Welcome back, {opponent}. Let us finish our match.']" text:"manners" doc:"Said when a saved match is resumed."`
	Farewell   []string `yaml:"farewell" default:"['Thank you for the match, {opponent}.']" text:"manners" doc:"Said after a match."`
	Thanks     string   `yaml:"thanks" default:"You are welcome." text:"manners" doc:"Answer to thanks; empty means no answer."`
	Refuse     string   `yaml:"refuse" default:"Sorry {opponent}, {reason}." text:"manners" doc:"Sent to an inviter who is refused; {reason} is the rule in words."`
	Busy       string   `yaml:"busy" default:"I am playing just now. Please ask again after this match." text:"manners" doc:"Sent to an inviter while the bot plays."`
	Draining   string   `yaml:"draining" default:"I am about to leave. Please ask again later." text:"manners" doc:"Sent to an inviter while the bot is about to leave, and to the opponent of an unlimited match that it leaves then."`
	Unlimited  string   `yaml:"unlimited" default:"I leave our unlimited match now, {opponent}, so that others can play too. Thank you for the games." text:"manners" doc:"Said when an unlimited match is left after invitations.unlimited_games or unlimited_time."`
	About      string   `yaml:"about" default:"I am fibsbot {version}, a backgammon program playing as {preset}. Tell me 'help' for what I understand." text:"manners" doc:"Answer to 'about'."`
	Answers    bool     `yaml:"answers" default:"true" doc:"Answer tells with the commands help, about, rules, level, rating, stats, last, dice, pip."`
	PerMinute  int      `yaml:"per_minute" default:"4" must:"be 0 to 30" doc:"Most answers a minute to one player. Refused invitations are answered 60 times a minute at most, to all players together."`
	Owners     []string `yaml:"owners" form:"pattern" doc:"Names who may tell pause, resume, drain, status, reload and say."`
	AfterMatch bool     `yaml:"after_match" doc:"Tell the opponent a one-line analysis after the match."`

	// LevelOnRequest goes before strength.rules and every other choice.
	LevelOnRequest []string `yaml:"level_on_request" doc:"Presets an opponent may ask for by 'level NAME', for the next new match only; empty answers with the level and changes nothing."`
}

// Idle is an opponent who does not move.
type Idle struct {
	Ask   Duration `yaml:"ask" default:"1m" doc:"Ask after this long."`
	Leave Duration `yaml:"leave" default:"6m" doc:"Leave (the match is saved) after this long."`
	Say   string   `yaml:"say" default:"Are you there? It is your turn." text:"manners" doc:"The question. Programs (opponents.bot_names, bot_clients) are woken by a kibitzed move or join instead."`
}

// Archive is where matches go.
type Archive struct {
	Dir     string   `yaml:"dir" default:"logs/archive" doc:"Folder of finished matches and their index."`
	Formats []string `yaml:"formats" default:"[sgf, oldmoves]" doc:"Files for each match: sgf, oldmoves, mat." enum:"sgf,oldmoves,mat"`
	Group   string   `yaml:"group" default:"none" doc:"Subfolders: none, day or opponent." enum:"none,day,opponent"`
	DSN     Secret   `yaml:"dsn" doc:"PostgreSQL DSN for the index; empty means SQLite in dir."`
	DSNEnv  string   `yaml:"dsn_env" doc:"Environment variable that holds the DSN, which keeps its password out of this file."`
	DSNFile string   `yaml:"dsn_file" doc:"File whose first line is the DSN."`
	Analyse string   `yaml:"analyse" default:"fast" doc:"Analysis after each match in the background: off, fast or full. fast does not judge a player who searched as deep as it does." enum:"off,fast,full"`
	Me      []string `yaml:"me" default:"[]" form:"pattern" doc:"Your names, as match files have them; * and ? are patterns. Imported matches are filed under them, and statistics, error lists and the quiz are about them."`
	Chat    string   `yaml:"chat" default:"none" doc:"Chat of the match, filed as comments: none, kibitz (by players and watchers to all), or all (also tells between the players). Passwords are masked, floods cut off." enum:"none,kibitz,all"`
}

// Watch is spectating.
type Watch struct {
	Enabled bool     `yaml:"enabled" doc:"Watch others when idle."`
	Players []string `yaml:"players" default:"[best]" form:"pattern" doc:"Whom to follow, best first; 'best' means the highest rated match, 'any' any match."`
	Channel string   `yaml:"channel" default:"whisper" doc:"Where to comment: none, whisper (spectators) or kibitz (players too)." enum:"none,whisper,kibitz"`
	Only    string   `yaml:"only" default:"errors" doc:"What to comment: all, errors or cube." enum:"all,errors,cube"`
	MinLoss float64  `yaml:"min_loss" default:"0.08" must:"not be negative" doc:"Comment on errors of at least this much equity."`
	Summary bool     `yaml:"summary" default:"true" doc:"Comment on the whole game and match at their end."`
	PerGame int      `yaml:"per_game" default:"12" must:"not be negative" doc:"Most comments a game."`
	Preset  string   `yaml:"preset" default:"worldclass" doc:"Preset that analyses."`
	Never   []string `yaml:"never" form:"pattern" doc:"Players who must not be watched or commented on."`
	Archive bool     `yaml:"archive" default:"true" doc:"Archive watched matches."`
	Texts   Texts    `yaml:"texts" doc:"What is said, in any language. An empty text is not said."`
}

// Texts are the comments on watched matches.
type Texts struct {
	Error string            `yaml:"error" default:"{player}: {move} loses {loss}; best was {best}. {why}" text:"error" doc:"On an error of at least watch.min_loss. Placeholders: {player} {move} {best} {loss} {luck} {why}. {why} is the reason in a sentence of manners.language, left out where the line would be too long."`
	Small string            `yaml:"small" default:"{player}: {move} (-{loss}, best {best})." text:"error" doc:"On a smaller one, with only: all. The same placeholders."`
	Right string            `yaml:"right" default:"{player}: {move} is right." text:"right" doc:"On a right decision, with only: all. Placeholders: {player} {move} {luck}."`
	Game  string            `yaml:"game" default:"Game {game}: {winner} wins {points}. Errors: {winner} {winner_lost} in {winner_decisions} decisions, {loser} {loser_lost} in {loser_decisions}. Luck: {winner} {winner_luck}, {loser} {loser_luck}." text:"game" doc:"At the end of a game. Placeholders: {game} {points}, and of both sides {winner} {winner_score} {winner_lost} {winner_decisions} {winner_rate} {winner_level} {winner_luck} {loser} {loser_score} and so on."`
	Match string            `yaml:"match" default:"Match: {winner} {winner_score}-{loser_score} {loser}. Millipoints lost a decision: {winner} {winner_rate} ({winner_level}), {loser} {loser_rate} ({loser_level}). Luck: {winner} {winner_luck}, {loser} {loser_luck}." text:"match" doc:"At the end of the match, for the leader and the other. The same placeholders without {game} and {points}."`
	Stop  string            `yaml:"stop" default:"I will not comment on your matches again." text:"none" doc:"Sent once to a player who asks the bot to stop."`
	Words map[string]string `yaml:"words" default:"{}" text:"none" doc:"Translations of the words used for {move}, {best} and {level}, as {take: nehmen, drop: passen, no double: kein Doppel}."`
}

// Engine is the machine's share.
type Engine struct {
	Threads    int    `yaml:"threads" must:"be 0 (all) to 1024" doc:"Processors to use; 0 means all."`
	CacheMB    int    `yaml:"cache_mb" default:"64" must:"be 1 to 65536" doc:"Evaluation cache in MiB."`
	Weights    string `yaml:"weights" doc:"Another weights file; empty means the built-in nets."`
	BearoffDir string `yaml:"bearoff_dir" doc:"Folder of large bearoff databases: your own, *.bd of gnubg, bg15_N.dat of Hugh Sconyers; empty means the built-in ones."`
	Met        string `yaml:"met" doc:"Match equity table: kazaross-xg2, woolsey, or a file as gnubg has them (of one for players of unequal strength, jac050.xml, the mean is taken, with a warning); empty means kazaross-xg2. Commands that judge decisions (eval, hint, rollout, analyse, play, web) count by it unless --met is given."`
}

// Logs is the configuration of the log files.
type Logs struct {
	Dir        string `yaml:"dir" default:"logs" doc:"Folder; empty means standard error only."`
	Level      string `yaml:"level" default:"info" doc:"error, warn, info or debug." enum:"error,warn,info,debug"`
	Format     string `yaml:"format" default:"auto" doc:"auto (text on a terminal, JSON otherwise), text or json." enum:"auto,text,json"`
	MaxSizeMB  int    `yaml:"max_size_mb" default:"20" must:"be above 0" doc:"Rotate a log file at this size."`
	Keep       int    `yaml:"keep" default:"10" must:"not be negative" doc:"Rotated files to keep."`
	Transcript bool   `yaml:"transcript" default:"true" doc:"Keep every line sent and received, masked and rotated."`
}

// Operations is stopping, health and metrics.
type Operations struct {
	Drain      string   `yaml:"drain" default:"match" doc:"What a first SIGTERM or Ctrl-C finishes: match, game or now. A second one stops at once; the match is saved, or on bgammon.org lost after 15 minutes." enum:"match,game,now"`
	DrainLimit Duration `yaml:"drain_limit" default:"30m" must:"be above 0" doc:"Stop anyway after this long."`
	Listen     string   `yaml:"listen" doc:"Loopback address for /metrics, /healthz, /readyz and status, as 127.0.0.1:9321; empty means off."`
}

// Dashboard is the page for the operator's browser.
type Dashboard struct {
	Listen string `yaml:"listen" doc:"Address of the page, as 127.0.0.1:9321; may be that of operations.listen. Empty means off. It asks for no password: keep it on loopback."`
	// Hosts are names, never addresses: those are let in anyway.
	Hosts []string `yaml:"hosts" default:"[]" doc:"Names that a reverse proxy uses for dashboard.listen and operations.listen, as bot.example.org. Requests for any other name are refused, except IP addresses, localhost and the host of listen."`
}

// Duration is a time.Duration written as 90s, 5m or 1h30m in YAML.
type Duration time.Duration

// Std returns the standard library's type.
func (d Duration) Std() time.Duration { return time.Duration(d) }

// String writes the shortest form: 5m rather than 5m0s.
func (d Duration) String() string {
	s := time.Duration(d).String()
	for _, z := range []string{"m0s", "h0m"} {
		if n := len(s) - len(z); n > 0 && s[n:] == z {
			s = s[:n+1]
		}
	}
	return s
}

// MarshalYAML writes the duration as String does.
func (d Duration) MarshalYAML() (any, error) { return d.String(), nil }
