package watch

import (
	"fmt"
	"strings"

	"fibsbot/config"
	"fibsbot/engine/analyse"
	"fibsbot/engine/rating"
	"fibsbot/engine/record"
)

// Channels of comments, as in the configuration.
const (
	ChannelNone    = "none"
	ChannelWhisper = "whisper" // heard by the watchers
	ChannelKibitz  = "kibitz"  // heard by players and watchers
)

// What is commented on, as in the configuration.
const (
	OnlyAll    = "all"
	OnlyErrors = "errors"
	OnlyCube   = "cube"
)

// maxComment bounds one comment; servers cut long lines or wrap them badly.
const maxComment = 180

// Commentator turns verdicts into texts. It is a set of rules without clock or
// connection:
//
//   - channel none, a player on the list never, or one who told us to stop: silence
//   - errors: plays and cube actions that lose at least from
//   - cube: the same for cube actions and missed doubles only
//   - all: every real choice, the good ones too
//   - no more than per_game of these in a game
//   - summary: one line at the end of each game and of the match, beside that limit
type Commentator struct {
	cfg   config.Watch
	quiet map[string]bool // who asked for silence
	hush  bool            // a spectator asked for silence in this match
	said  int             // in this game
}

// maxQuiet bounds how many names are kept of those who asked for silence.
const maxQuiet = 10000

// NewCommentator makes a commentator with the rules of cfg.
func NewCommentator(cfg config.Watch) *Commentator {
	return &Commentator{cfg: cfg, quiet: map[string]bool{}}
}

// Configure changes the rules; who asked for silence is kept.
func (c *Commentator) Configure(cfg config.Watch) { c.cfg = cfg }

// Match begins another match.
func (c *Commentator) Match() { c.said, c.hush = 0, false }

// Heard enters what somebody said, whispered or kibitzed to us, and tells whether
// it asked us to stop.
func (c *Commentator) Heard(from, text string, players [2]string) bool {
	if !asksToStop(text) {
		return false
	}
	if len(c.quiet) < maxQuiet {
		c.quiet[from] = true
	}
	if from != players[0] && from != players[1] {
		// A channel cannot leave one listener out.
		c.hush = true
	}
	return true
}

func asksToStop(text string) bool {
	words := strings.Fields(strings.ToLower(strings.Trim(text, " .!?")))
	switch len(words) {
	case 1:
		return words[0] == "stop"
	case 2:
		switch strings.TrimSuffix(words[1], "ing") {
		case "kibitz", "whisper", "comment", "watch":
			return words[0] == "stop"
		}
	}
	return false
}

// asksToGo tells whether somebody wants us to watch no more.
func asksToGo(text string) bool {
	words := strings.Fields(strings.ToLower(strings.Trim(text, " .!?")))
	return len(words) == 2 && words[0] == "stop" && (words[1] == "watching" || words[1] == "watch")
}

// May tells whether anything may be said about a match of these players.
func (c *Commentator) May(players [2]string) bool {
	if c.cfg.Channel == ChannelNone || c.cfg.Channel == "" || c.hush {
		return false
	}
	for _, name := range players {
		if c.quiet[name] || config.MatchAny(c.cfg.Opted, name) {
			return false
		}
	}
	return true
}

// Verdict returns what to say about a decision.
func (c *Commentator) Verdict(v *Verdict) []string {
	m := v.Match()
	if v.Err != nil || v.Analysis == nil && v.Loss == 0 || !c.May([2]string{m.Players[0].Name, m.Players[1].Name}) {
		return nil
	}
	var out []string
	say := func(text string) {
		if text != "" && c.said < c.cfg.PerGame {
			c.said++
			out = append(out, brief(text))
		}
	}
	if v.CubeLoss > 0 && v.CubeLoss >= c.cfg.From {
		say(c.fill(v, "not doubling", "double", v.CubeLoss))
	}
	isCube := v.Kind == Double || v.Kind == Take || v.Kind == Drop
	switch wrong := v.Loss > 0 && v.Loss >= c.cfg.From; {
	case c.cfg.Only == OnlyCube && !isCube:
	case wrong:
		say(c.fill(v, c.did(v), v.Best, v.Loss))
	case c.cfg.Only == OnlyAll && !v.Forced() && v.Did != "":
		text := fmt.Sprintf("%s: %s", v.Name(), c.did(v))
		if v.Loss > 0 {
			text += fmt.Sprintf(" (-%.3f, best %s)", v.Loss, v.Best)
		} else {
			text += " is right"
		}
		say(text + ".")
	}
	return out
}

// did is the decision with the roll it was made with.
func (c *Commentator) did(v *Verdict) string {
	if d := v.Situation.Dice.Sorted(); v.Kind == Move && d.Valid() {
		return fmt.Sprintf("%d%d %s", d.A, d.B, v.Did)
	}
	return v.Did
}

// fill writes the configured text about an error.
func (c *Commentator) fill(v *Verdict, did, best string, loss float64) string {
	luck := "none"
	if v.Luck != nil {
		luck = fmt.Sprintf("%+.3f", *v.Luck)
	}
	return config.Fill(c.cfg.Error, map[string]string{
		"player": v.Name(), "move": did, "best": best, "loss": fmt.Sprintf("%.3f", loss), "luck": luck,
	})
}

// GameOver returns what to say at the end of a game, and begins the next one.
// s is the analysis of the match so far.
func (c *Commentator) GameOver(m *record.Match, game int, s *analyse.Summary) []string {
	c.said = 0
	if !c.cfg.Summary || !c.May([2]string{m.Players[0].Name, m.Players[1].Name}) || game >= len(s.Games) {
		return nil
	}
	g := &s.Games[game]
	text := fmt.Sprintf("Game %d", game+1)
	if g.Result.Finished() {
		text += fmt.Sprintf(": %s wins %s", m.Players[g.Result.Winner].Name, points(g.Result.Points))
	}
	for p := range 2 {
		text += "; " + total(m.Players[p].Name, &g.Players[p])
	}
	return []string{brief(text + ".")}
}

// MatchOver returns what to say at the end of a match.
func (c *Commentator) MatchOver(m *record.Match, s *analyse.Summary) []string {
	if !c.cfg.Summary || !c.May([2]string{m.Players[0].Name, m.Players[1].Name}) {
		return nil
	}
	score := m.FinalScore()
	lead := 0
	if score[1] > score[0] {
		lead = 1
	}
	text := fmt.Sprintf("Match: %s %d-%d %s", m.Players[lead].Name, score[lead], score[1-lead], m.Players[1-lead].Name)
	for p := range 2 {
		x := &s.Players[p]
		if x.Unforced+x.Close == 0 {
			continue
		}
		r := x.Rates()
		text += fmt.Sprintf("; %s %.1f millipoints a decision (%s), luck %+.2f", m.Players[p].Name,
			1000*r.PerDecision, strings.ToLower(rating.Word(r.PerDecision)), x.Luck.EMG)
	}
	return []string{brief(text + ".")}
}

func total(name string, x *analyse.Sums) string {
	return fmt.Sprintf("%s lost %.3f in %d decisions, luck %+.2f", name, x.Error().EMG, x.Unforced+x.Close, x.Luck.EMG)
}

func points(n int) string {
	if n == 1 {
		return "1 point"
	}
	return fmt.Sprintf("%d points", n)
}

func decisions(n int) string {
	if n == 1 {
		return "1 decision"
	}
	return fmt.Sprintf("%d decisions", n)
}

func formatRating(r float64) string {
	if r <= 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", r)
}

// brief keeps a text to one line that servers take.
func brief(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxComment {
		text = strings.TrimSpace(text[:maxComment-3]) + "..."
	}
	return text
}
