package watch

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fibsbot/config"
	"fibsbot/engine/analyse"
	"fibsbot/engine/rating"
	"fibsbot/engine/record"
	"fibsbot/internal/figure"
)

// Channels of comments, as in the configuration.
const (
	ChannelNone    = "none"
	ChannelWhisper = "whisper" // heard by the watchers
	ChannelKibitz  = "kibitz"  // heard by players and watchers
)

// What is commented on, as in the configuration.
const (
	onlyAll    = "all"
	onlyErrors = "errors"
	onlyCube   = "cube"
)

// maxComment bounds one comment; servers cut long lines or wrap them badly.
const maxComment = 180

// commentator turns judgements into texts, by these rules:
//
//   - channel none, a player on the list never, or one who told us to stop: silence
//   - errors: plays and cube actions that lose at least from
//   - cube: the same for cube actions and missed doubles only
//   - all: every real choice, including good ones
//   - at most per_game of these in a game
//   - summary: one line at the end of each game and of the match, not counted in per_game
type commentator struct {
	cfg     config.Watch
	optOuts OptOuts // who asked for silence
	hush    bool    // a spectator asked for silence in this match
	said    int     // comments in this game
}

// OptOuts are players who asked not to be commented on.
type OptOuts interface {
	// Has reports whether a player did.
	Has(name string) bool
	// Add adds a player. After an error he counts, too, but only until the process ends.
	Add(name string) error
}

// unkept are OptOuts in memory.
type unkept map[string]bool

func (u unkept) Has(name string) bool { return u[name] }

func (u unkept) Add(name string) error {
	if len(u) < maxKnown {
		u[name] = true
	}
	return nil
}

// newCommentator makes a commentator with the rules of cfg. list has those who opted out
// before; with nil the commentator has a list of its own in memory.
func newCommentator(cfg config.Watch, list OptOuts) *commentator {
	if list == nil {
		list = unkept{}
	}
	return &commentator{cfg: cfg, optOuts: list}
}

// Configure changes the rules and keeps the opt-outs.
func (c *commentator) Configure(cfg config.Watch) { c.cfg = cfg }

// Match starts another match.
func (c *commentator) Match() { c.said, c.hush = 0, false }

// Heard enters what a person said, whispered or kibitzed to us, and reports whether it asked
// us to stop. An error means that the request could not be saved.
func (c *commentator) Heard(from, text string, players [2]string) (bool, error) {
	if _, stop := asksToStop(text); !stop {
		return false, nil
	}
	err := c.optOuts.Add(from)
	if from != players[0] && from != players[1] {
		// A channel cannot exclude one listener.
		c.hush = true
	}
	return true, err
}

// asksToStop reports whether a text asks us to stop, and what: kibitz, whisper, comment, watch, or
// "" if it does not say.
func asksToStop(text string) (what string, stop bool) {
	words := strings.Fields(strings.ToLower(strings.Trim(text, " .!?")))
	if len(words) == 0 || len(words) > 2 || words[0] != "stop" {
		return "", false
	}
	what = strings.TrimSuffix(strings.Join(words[1:], ""), "ing")
	return what, slices.Contains([]string{"", "kibitz", "whisper", "comment", "watch"}, what)
}

// May reports whether we may comment on a match of these players.
func (c *commentator) May(players [2]string) bool {
	if c.cfg.Channel == ChannelNone || c.cfg.Channel == "" || c.hush {
		return false
	}
	return !slices.ContainsFunc(players[:], func(name string) bool { return c.optOuts.Has(name) || config.MatchAny(c.cfg.Never, name) })
}

// Judgement returns what to say about a decision.
func (c *commentator) Judgement(v *Judgement) []string {
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
	if v.CubeLoss > 0 && v.CubeLoss >= c.cfg.MinLoss {
		say(c.fill(c.cfg.Texts.Error, v, "not doubling", "double", v.CubeLoss, v.CubeWhy))
	}
	isCube := v.Kind == Double || v.Kind == Take || v.Kind == Drop
	switch wrong := v.Loss > 0 && v.Loss >= c.cfg.MinLoss; {
	case c.cfg.Only == onlyCube && !isCube:
	case wrong:
		say(c.fill(c.cfg.Texts.Error, v, c.did(v), v.Best, v.Loss, v.Why))
	case c.cfg.Only == onlyAll && !v.Forced() && v.Did != "" && v.Loss > 0:
		say(c.fill(c.cfg.Texts.Small, v, c.did(v), v.Best, v.Loss, v.Why))
	case c.cfg.Only == onlyAll && !v.Forced() && v.Did != "":
		say(c.fill(c.cfg.Texts.Right, v, c.did(v), v.Best, 0, ""))
	}
	return out
}

// did returns the decision, for a play with its roll.
func (c *commentator) did(v *Judgement) string {
	if d := v.Situation.Dice.Sorted(); v.Kind == Move && d.Valid() {
		return fmt.Sprintf("%d%d %s", d.A, d.B, c.word(v.Did))
	}
	return v.Did
}

// word translates the word for a decision or a level.
func (c *commentator) word(w string) string {
	if own := c.cfg.Texts.Words[w]; own != "" {
		return own
	}
	return w
}

// fill returns a text about a decision, with its reason if that fits into the line.
func (c *commentator) fill(text string, v *Judgement, did, best string, loss float64, why string) string {
	luck := "none"
	if v.Luck != nil {
		luck = figure.Text("%+.3f", *v.Luck)
	}
	values := map[string]string{
		"player": v.Name(), "move": c.word(did), "best": c.word(best), "loss": fmt.Sprintf("%.3f", loss), "luck": luck, "why": config.PlainASCII(why),
	}
	out := config.Fill(text, values)
	if len(out) > maxComment {
		values["why"] = ""
		out = config.Fill(text, values)
	}
	return out
}

// GameOver returns what to say at the end of a game, and starts the next one. s is the
// analysis of the match so far.
func (c *commentator) GameOver(m *record.Match, game int, s *analyse.Summary) []string {
	c.said = 0
	if !c.cfg.Summary || !c.May([2]string{m.Players[0].Name, m.Players[1].Name}) || game >= len(s.Games) {
		return nil
	}
	g := &s.Games[game]
	if !g.Result.Finished() {
		return nil
	}
	score := m.Games[game].Score
	score[g.Result.Winner] += g.Result.Points
	values := c.sums(m, g.Result.Winner, score, &g.Players)
	values["game"], values["points"] = strconv.Itoa(game+1), strconv.Itoa(g.Result.Points)
	return c.summary(c.cfg.Texts.Game, values)
}

// MatchOver returns what to say at the end of a match.
func (c *commentator) MatchOver(m *record.Match, s *analyse.Summary) []string {
	if !c.cfg.Summary || !c.May([2]string{m.Players[0].Name, m.Players[1].Name}) {
		return nil
	}
	score := m.FinalScore()
	lead := 0
	if score[1] > score[0] {
		lead = 1
	}
	return c.summary(c.cfg.Texts.Match, c.sums(m, lead, score, &s.Players))
}

func (c *commentator) summary(text string, values map[string]string) []string {
	if text = brief(config.Fill(text, values)); text == "" {
		return nil
	}
	return []string{text}
}

// sums returns the placeholders for both sides.
func (c *commentator) sums(m *record.Match, winner int, score [2]int, of *[2]analyse.Sums) map[string]string {
	values := map[string]string{}
	for side, p := range map[string]int{"winner": winner, "loser": 1 - winner} {
		x := &of[p]
		rate, level := "-", "-"
		if r := x.Rates().PerDecision; x.Judged() > 0 {
			rate = fmt.Sprintf("%.1f", 1000*r)
			if !math.IsNaN(x.Graded(r)) {
				level = c.word(strings.ToLower(rating.Word(r)))
			}
		}
		values[side], values[side+"_score"] = m.Players[p].Name, strconv.Itoa(score[p])
		values[side+"_lost"], values[side+"_decisions"] = fmt.Sprintf("%.3f", x.Error().EMG), strconv.Itoa(x.Judged())
		values[side+"_rate"], values[side+"_level"] = rate, level
		values[side+"_luck"] = "-"
		if x.LuckKnown() {
			values[side+"_luck"] = figure.Text("%+.2f", x.Luck.EMG)
		}
	}
	return values
}

func formatRating(r float64) string {
	if r <= 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", r)
}

// brief cuts a text to one line that servers accept.
func brief(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxComment {
		text = strings.TrimSpace(text[:maxComment-3]) + "..."
	}
	return text
}
