package advice

import (
	"fmt"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Overrides change what a position's text says about the state; a nil field leaves it as
// it is. Score, Owner and Cube are seen by the player on roll, after OnRoll. The names in
// JSON are also those of the flags, with - for _.
type Overrides struct {
	OnRoll   string     `json:"on_roll,omitempty"` // me (or ""), as the text has it, or opponent
	Length   *int       `json:"length,omitempty"`  // of the match in points, 0 for money play
	Score    *JSONScore `json:"score,omitempty"`
	Cube     *int       `json:"cube,omitempty"`
	Owner    *string    `json:"owner,omitempty"` // me, opponent or centre
	Crawford *bool      `json:"crawford,omitempty"`
	Jacoby   *bool      `json:"jacoby,omitempty"`  // money play only
	Beavers  *int       `json:"beavers,omitempty"` // instant redoubles in money play
	Drops    *string    `json:"drops,omitempty"`   // single, or position: what a pass costs
}

// drops are the prices of a pass as people name them.
var drops = map[string]match.DropRule{"single": match.DropSingle, "position": match.DropByPosition}

// FieldError is an override that cannot be: the field in the spelling of JSON.
type FieldError struct{ Field, Problem string }

// Error is the field and its problem.
func (e *FieldError) Error() string { return e.Field + ": " + e.Problem }

// maxBeavers bounds the number of instant redoubles.
const maxBeavers = 10

// owners are the places of the cube as people name them.
var owners = map[string]match.Owner{"me": match.Mine, "opponent": match.Theirs, "centre": match.Centred, "center": match.Centred}

// CheckState returns a *FieldError that names the first impossible field of s and the
// problem, or nil if the state is possible.
func CheckState(s match.State) error {
	bad := func(field, format string, args ...any) error {
		return &FieldError{Field: field, Problem: fmt.Sprintf(format, args...)}
	}
	me, opp := s.Away()
	switch {
	case s.Cube < 1 || s.Cube > match.MaxCube || s.Cube&(s.Cube-1) != 0:
		return bad("cube", "%d is not a cube value (use 1, 2, 4, 8, ... up to %d)", s.Cube, match.MaxCube)
	case s.Length < 0 || s.Length > match.MaxLength:
		return bad("length", "%d is not a match length (1 to %d, 0 for money)", s.Length, match.MaxLength)
	case s.Length == 0 && s.Crawford:
		return bad("crawford", "money play has no Crawford game")
	case s.Length == 0 && (s.Beavers < 0 || s.Beavers > maxBeavers):
		return bad("beavers", "%d is not between 0 and %d", s.Beavers, maxBeavers)
	case s.Length > 0 && (min(s.Score[0], s.Score[1]) < 0 || max(s.Score[0], s.Score[1]) >= s.Length):
		return bad("score", "%d-%d is not possible in a match to %d (use 0 to %d for each)", s.Score[0], s.Score[1], s.Length, s.Length-1)
	case s.Crawford && s.Length > 1 && !match.AtCrawford(s.Length, s.Score):
		return bad("crawford", "at %d-away, %d-away: it is the first game that begins with one side alone at 1-away", me, opp)
	case s.Crawford && s.Length > 1 && s.Cube > 1:
		return bad("cube", "%d: in the Crawford game no one may double, it stays at 1", s.Cube)
	case s.Crawford && s.Length > 1 && s.Owner != match.Centred:
		return bad("owner", "in the Crawford game no one may double, it stays in the centre")
	case s.Length > 0 && s.Cube > 1 && s.Owner == match.Centred:
		return bad("owner", "the cube is at %d, so one player holds it: a match has no automatic doubles", s.Cube)
	}
	if err := s.Validate(); err != nil { // there is nothing else to say
		return bad("score", "%s", err)
	}
	return nil
}

// price sets what a pass costs.
func (o *Overrides) price(s *match.State) error {
	if o.Drops == nil {
		return nil
	}
	rule, ok := drops[*o.Drops]
	if !ok {
		return &FieldError{Field: "drops", Problem: fmt.Sprintf("unknown value %.20q (use single or position)", *o.Drops)}
	}
	s.Drops = rule
	return nil
}

// Apply changes s. Another length begins a match at 0-0, or money play with the Jacoby
// rule and beavers. The error is a *FieldError.
func (o *Overrides) Apply(s *match.Situation) error {
	bad := func(field, format string, args ...any) error {
		return &FieldError{Field: field, Problem: fmt.Sprintf(format, args...)}
	}
	switch o.OnRoll {
	case "", "me":
	case "opponent":
		s.Position, s.State, s.Dice = s.Position.Swap(), s.State.Swap(), board.Dice{}
		s.Doubled, s.Resigned = false, 0
	default:
		return bad("on_roll", "unknown value %.20q (use me or opponent)", o.OnRoll)
	}
	st, field := &s.State, "position"
	if o.Length != nil && *o.Length != st.Length {
		field = "length"
		if *o.Length < 0 || *o.Length > match.MaxLength {
			return bad(field, "%d is not a match length (1 to %d, 0 for money)", *o.Length, match.MaxLength)
		}
		*st = match.State{Length: *o.Length, Cube: st.Cube, Owner: st.Owner, Drops: st.Drops}
		if st.Length == 0 {
			st.Jacoby, st.Beavers = true, match.DefaultBeavers
		}
	}
	if o.Score != nil {
		field = "score"
		if st.Length == 0 && *o.Score != (JSONScore{}) {
			return bad(field, "money play has no score (give the length of the match)")
		}
		st.Score = *o.Score
	}
	if o.Cube != nil {
		n := *o.Cube
		if field = "cube"; n < 1 || n > match.MaxCube || n&(n-1) != 0 {
			return bad(field, "%d is not a cube value (use 1, 2, 4, 8, ...)", n)
		}
		if st.Cube = n; n == 1 && o.Owner == nil {
			st.Owner = match.Centred
		}
	}
	if o.Owner != nil {
		owner, ok := owners[*o.Owner]
		if !ok {
			return bad("owner", "unknown value %.20q (use me, opponent or centre)", *o.Owner)
		}
		st.Owner = owner
	}
	if o.Crawford != nil {
		field = "crawford"
		st.Crawford = *o.Crawford
	}
	if o.Jacoby != nil {
		if st.Length > 0 && *o.Jacoby {
			return bad("jacoby", "the rule is for money play, this is a match")
		}
		st.Jacoby = *o.Jacoby
	}
	if o.Beavers != nil {
		switch {
		case st.Length > 0 && *o.Beavers != 0:
			return bad("beavers", "they are for money play, this is a match")
		case *o.Beavers < 0 || *o.Beavers > maxBeavers:
			return bad("beavers", "%d is not between 0 and %d", *o.Beavers, maxBeavers)
		}
		st.Beavers = *o.Beavers
	}
	if err := o.price(st); err != nil {
		return err
	}
	if err := CheckState(s.State); err != nil {
		return err
	}
	if err := s.Validate(); err != nil {
		text := err.Error()
		for _, kind := range []error{match.ErrBadSituation, match.ErrScore} { // the field says it
			text = strings.TrimPrefix(text, kind.Error()+": ")
		}
		return bad(field, "%s", text)
	}
	return nil
}
