package archive

import (
	"encoding/json"

	"fibsbot/bot/sheet"
	"fibsbot/bot/table"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// kept is a table.Thought with short keys, as a match has one for each decision.
type kept struct {
	Game     int            `json:"g"`
	Ask      table.Question `json:"a"`
	Position string         `json:"id"` // Position ID with the bot on roll
	Dice     [2]uint8       `json:"d,omitzero"`
	Cube     int            `json:"c"`
	Owner    match.Owner    `json:"o"`
	Settings keptSettings   `json:"s"`
	Plays    []keptPlay     `json:"p,omitempty"` // best first
	// Values are of no double, and of double, take.
	Values *[2]values `json:"v,omitempty"`
	// Errors are the standard errors of Values if the cube was rolled out.
	Errors  *[2]values `json:"e,omitempty"`
	Trials  int        `json:"t,omitempty"` // of the cube decision
	Rollout string     `json:"r,omitempty"` // settings of the rollout, as in a file
}

type keptSettings struct {
	Plies         int     `json:"n"` // of a cube decision
	Cubeful       bool    `json:"c,omitempty"`
	Deterministic bool    `json:"d,omitempty"`
	Prune         bool    `json:"p,omitempty"`
	Noise         float64 `json:"z,omitempty"`
}

type keptPlay struct {
	Steps  [][2]int8 `json:"m"`
	Plies  int       `json:"n"`
	Values values    `json:"v"`
	// The rest is of a play that was rolled out.
	Trials int     `json:"t,omitempty"`
	Errors *values `json:"e,omitempty"`
	Output float64 `json:"u,omitempty"`
}

// values are five probabilities, the cubeless and the cubeful equity.
type values [7]float64

func valuesOf(o *record.Outcome) (v values) {
	copy(v[:], o.Probs[:])
	v[5], v[6] = o.Cubeless, o.Cubeful
	return v
}

func (v *values) outcome() (o record.Outcome) {
	copy(o.Probs[:], v[:5])
	o.Cubeless, o.Cubeful = v[5], v[6]
	return o
}

func settingsOf(s *record.Settings) keptSettings {
	return keptSettings{Plies: s.Plies, Cubeful: s.Cubeful, Deterministic: s.Deterministic, Prune: s.Prune, Noise: s.Noise}
}

func (s *keptSettings) record(plies int) record.Settings {
	return record.Settings{Plies: plies, Cubeful: s.Cubeful, Deterministic: s.Deterministic, Prune: s.Prune, Noise: s.Noise}
}

// thought encodes a note of the bot's thoughts, or returns false if it cannot.
func thought(n table.Note) (entry, bool) {
	t := n.Thought
	if t == nil || t.Analysis == nil {
		return entry{}, false
	}
	k := kept{Game: t.Game, Ask: t.Ask, Position: t.Position.ID(), Dice: [2]uint8{t.Dice.A, t.Dice.B}, Cube: t.Cube, Owner: t.Owner}
	for i := range t.Analysis.Candidates {
		c := &t.Analysis.Candidates[i]
		k.Settings = settingsOf(&c.Settings)
		p := keptPlay{Plies: c.Settings.Plies, Values: valuesOf(&c.Outcome)}
		if r := c.Rollout; r != nil {
			off := valuesOf(&r.StdErr[0])
			p.Trials, p.Errors, p.Output, k.Rollout = r.Trials, &off, r.Output, r.Settings
		}
		for _, st := range c.Steps {
			p.Steps = append(p.Steps, [2]int8{st.From, st.To})
		}
		k.Plays = append(k.Plays, p)
	}
	if c := t.Analysis.Cube; c != nil {
		k.Settings = settingsOf(&c.Settings)
		k.Values = &[2]values{valuesOf(&c.NoDouble), valuesOf(&c.DoubleTake)}
		if r := c.Rollout; r != nil {
			k.Trials, k.Rollout, k.Errors = r.Trials, r.Settings, &[2]values{valuesOf(&r.StdErr[0]), valuesOf(&r.StdErr[1])}
		}
	}
	text, err := json.Marshal(&k)
	if err != nil || len(text) > maxEntry/2 {
		return entry{}, false // NaN, or too long
	}
	return entry{Kind: kindThought, Thought: text}, true
}

// analysis converts thoughts to an analysis of a record.
func (k *kept) analysis() *record.Analysis {
	out := &record.Analysis{Played: -1}
	for i := range k.Plays {
		p := &k.Plays[i]
		c := record.Candidate{Settings: k.Settings.record(p.Plies), Outcome: p.Values.outcome()}
		if p.Trials > 0 && p.Errors != nil {
			c.Rollout = &record.Rollout{Trials: p.Trials, Output: p.Output, Settings: k.Rollout}
			c.Rollout.StdErr[0] = p.Errors.outcome()
			c.Score = [2]float64{c.Outcome.Cubeful, c.Outcome.Cubeless}
			c.Settings = record.Settings{}
		}
		for _, st := range p.Steps {
			c.Steps = append(c.Steps, board.Step{From: st[0], To: st[1]})
		}
		out.Candidates = append(out.Candidates, c)
	}
	if v := k.Values; v != nil {
		out.Cube = &record.CubeAnalysis{Settings: k.Settings.record(k.Settings.Plies), NoDouble: v[0].outcome(), DoubleTake: v[1].outcome()}
		if k.Trials > 0 && k.Errors != nil {
			out.Cube.Settings = record.Settings{}
			out.Cube.Rollout = &record.Rollout{Trials: k.Trials, Settings: k.Rollout, StdErr: [2]record.Outcome{k.Errors[0].outcome(), k.Errors[1].outcome()}}
		}
	}
	return out
}

// at identifies a decision of a match.
type at struct {
	game     int
	ask      table.Question
	position string     // its ID
	dice     board.Dice // on AskPlay
	cube     int
	owner    match.Owner
}

// thoughts adds the bot's thoughts to its decisions in m. It skips those that match no
// decision, such as in a hole. The later of two thoughts about one decision counts.
func thoughts(m *record.Match, entries []entry) {
	found := map[at]*record.Analysis{}
	for i := range entries {
		if entries[i].Kind != kindThought {
			continue
		}
		var t kept
		if json.Unmarshal(entries[i].Thought, &t) != nil {
			continue // no match depends on it
		}
		k := at{game: t.Game, ask: t.Ask, position: t.Position, cube: t.Cube, owner: t.Owner}
		if t.Ask == table.AskPlay {
			k.dice = board.Dice{A: t.Dice[0], B: t.Dice[1]}.Sorted()
		}
		found[k] = t.analysis()
	}
	if len(found) == 0 {
		return
	}
	for i := range m.Games {
		for turn := range m.Turns(&m.Games[i]) {
			if turn.Player != int(sheet.Us) || !turn.Legal {
				continue
			}
			k := at{game: i + 1, position: turn.Position.ID(), cube: max(1, turn.State.Cube), owner: turn.State.Owner}
			out := &record.Analysis{Played: -1, Own: true}
			switch turn.Action.Kind {
			case record.Move:
				k.ask = table.AskRoll
				if a := found[k]; a != nil {
					out.Cube = a.Cube
				}
				k.ask, k.dice = table.AskPlay, turn.Action.Dice.Sorted()
				if a := found[k]; a != nil {
					out.Candidates, out.Played = plays(&turn, a.Candidates)
				}
			case record.Double, record.Take, record.Drop:
				k.ask = table.AskTake
				if turn.Action.Kind == record.Double {
					k.ask = table.AskRoll
				}
				if a := found[k]; a != nil {
					out.Cube = a.Cube
				}
			}
			if out.Cube != nil || len(out.Candidates) > 0 {
				turn.Action.Analysis = out
			}
		}
	}
}

// plays returns the legal candidates and the index of the one played, or -1.
func plays(turn *record.Turn, list []record.Candidate) (out []record.Candidate, played int) {
	played = -1
	for _, c := range list {
		p, ok := sheet.PlaySteps(turn.Position, c.Steps)
		if !ok {
			continue
		}
		if p.Result == turn.Play.Result && played < 0 {
			played = len(out)
			// The steps as they were played.
			c.Steps = append(c.Steps[:0:0], turn.Play.Steps[:turn.Play.N]...)
		}
		out = append(out, c)
	}
	return out, played
}
