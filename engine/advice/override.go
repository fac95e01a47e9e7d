package advice

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/position"
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
var drops = map[string]match.DropRule{match.DropSingle.Name(): match.DropSingle, match.DropByPosition.Name(): match.DropByPosition}

// FieldError is an override that cannot be: the field in the spelling of JSON.
type FieldError struct{ Field, Problem string }

// Error is the field and its problem.
func (e *FieldError) Error() string { return e.Field + ": " + e.Problem }

func bad(field, format string, args ...any) error {
	return &FieldError{Field: field, Problem: fmt.Sprintf(format, args...)}
}

// maxBeavers bounds the number of instant redoubles.
const maxBeavers = 10

// owners are the places of the cube as people name them.
var owners = map[string]match.Owner{"me": match.Mine, "opponent": match.Theirs, "centre": match.Centred, "center": match.Centred}

// CheckState returns a *FieldError that names the first impossible field of s and the
// problem, or nil if the state is possible.
func CheckState(s match.State) error {
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

// Apply changes s. Another length begins a match at 0-0, or money play with the Jacoby
// rule and beavers. The error is a *FieldError.
func (o *Overrides) Apply(s *match.Situation) error {
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
	if err := o.applyRules(st); err != nil {
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

// applyRules changes the rules of money play and the price of a pass.
func (o *Overrides) applyRules(st *match.State) error {
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
	if o.Drops != nil {
		rule, ok := drops[*o.Drops]
		if !ok {
			return bad("drops", "unknown value %.20q (use single or position)", *o.Drops)
		}
		st.Drops = rule
	}
	return nil
}

// Rules returns in words what the board does not show: match or money play, score, rules
// and cube.
func Rules(s match.State) string { return strings.Join(rules(s), ", ") }

func rules(s match.State) []string {
	out := []string{"money play", jacobyWords(s), beaverWords(s)}
	if s.Length > 0 {
		me, opp := s.Away()
		out = []string{fmt.Sprintf("%d-point match", s.Length), fmt.Sprintf("score %d-%d (%d-away %d-away)", s.Score[0], s.Score[1], me, opp)}
		if text := crawfordWords(s); text != "" {
			out = append(out, text)
		}
	}
	if s.Drops == match.DropByPosition {
		out = append(out, "a pass costs what the position says")
	}
	return append(out, cubeWords(s))
}

func jacobyWords(s match.State) string {
	if s.Jacoby {
		return "Jacoby rule"
	}
	return "no Jacoby rule"
}

func beaverWords(s match.State) string {
	if s.Beavers > 0 {
		return "beavers"
	}
	return "no beavers"
}

func crawfordWords(s match.State) string {
	switch {
	case s.Crawford:
		return "Crawford game"
	case match.AtCrawford(s.Length, s.Score):
		return "after the Crawford game"
	}
	return ""
}

func cubeWords(s match.State) string {
	where := map[match.Owner]string{match.Centred: "in the centre", match.Mine: "with the player on roll", match.Theirs: "with the opponent"}[s.Owner]
	if s.Cube <= 1 && s.Owner == match.Centred {
		return "cube " + where
	}
	return fmt.Sprintf("cube %d %s", s.Cube, where)
}

// Assumed lists the rules, in the words of Rules, that are guesses: neither text, which s was
// read from, nor o states them. o may be nil.
func Assumed(text string, s match.Situation, o *Overrides) []string {
	if o == nil {
		o = &Overrides{}
	}
	// What each form leaves out.
	var length, score, crawford, jacoby, beavers, cube bool
	_, isOGID := position.FindOGID(text)
	switch id := locate(text); {
	case isOGID:
		jacoby, beavers = true, true
	case IsBoardLine(text): // it does not tell one rule from the other
		crawford, jacoby, beavers = true, true, true
	case strings.HasPrefix(id, "XGID=") || strings.Count(id, ":") > 1:
	case strings.Contains(id, ":"): // a Match ID
		beavers = true
	default:
		length, score, jacoby, beavers, cube = true, true, true, true, true
	}
	if o.Length != nil { // another length leaves nothing of the old score
		length, score, crawford, jacoby, beavers = false, true, true, true, true
	}
	if o.Score != nil {
		score, crawford = false, true
	}
	var out []string
	add := func(guessed bool, words string) {
		if guessed && words != "" {
			out = append(out, words)
		}
	}
	all := rules(s.State)
	add(length, all[0])
	if s.State.Length > 0 {
		add(score, all[1])
		add(crawford && o.Crawford == nil, crawfordWords(s.State))
	} else {
		add(jacoby && o.Jacoby == nil, jacobyWords(s.State))
		add(beavers && o.Beavers == nil, beaverWords(s.State))
	}
	add(cube && o.Cube == nil && o.Owner == nil, cubeWords(s.State))
	return out
}

// Game names what of the rules of moving and winning is not backgammon's, "" where they
// are: "Egyptian rule", "hypergammon with 2 checkers".
func Game(r board.Rules) string {
	var out []string
	switch n := r.Each(); n {
	case board.MaxCheckers:
	case 1:
		out = append(out, "hypergammon with 1 checker")
	default:
		out = append(out, fmt.Sprintf("hypergammon with %d checkers", n))
	}
	if r.Egyptian {
		out = append(out, "Egyptian rule")
	}
	return strings.Join(out, ", ")
}

// rulesText is the line that says the rules, with the game in front if it is another, and
// which of them are a guess.
func rulesText(game string, s match.State, assumed []string) string {
	all := rules(s)
	text := strings.Join(all, ", ")
	switch {
	case len(assumed) == 0:
	case slices.Equal(all, assumed):
		text = "assumed: " + text
	default:
		text += "; assumed: " + strings.Join(assumed, ", ")
	}
	if game != "" {
		text = game + "; " + text
	}
	return text + "\n"
}

// Heading names a position in the forms of other programs, a line each, and says the
// rules that hold and which of them were assumed.
func Heading(r board.Rules, s match.Situation, assumed []string) string {
	return s.Position.ID() + ":" + s.MatchID() + "\n" + s.XGID() + "\n" + rulesText(Game(r), s.State, assumed)
}

// maxText bounds what Read looks at: gnubg's drawing of a board with both IDs has some
// thousand bytes.
const maxText = 8 << 10

var (
	positionLine = regexp.MustCompile(`(?i)position\s*id\s*:\s*([A-Za-z0-9+/]+)`)
	matchLine    = regexp.MustCompile(`(?i)match\s*id\s*:\s*([A-Za-z0-9+/]+)`)
	gnubgLine    = regexp.MustCompile(`(?i)gnubg\s*id\s*[:=\s]\s*([A-Za-z0-9+/]+)\s*:\s*([A-Za-z0-9+/]+)`)
	xgidText     = regexp.MustCompile(`(?i)xgid\s*=\s*(\S+)`)
)

// Read reads a situation in the forms that people paste: what match.ParseSituation reads, both
// gnubg IDs divided by a blank or a line end, an OGID, text that holds an XGID, the name of a
// variation of 15 checkers (its start), "GNUbg ID: P:M", or "Position ID: P" with "Match ID: M"
// anywhere in the text, such as gnubg's drawing of a board. It refuses a game of fewer
// checkers, because no position states its rules. A beaver or raccoon of an XGID is read as
// accepted. Read also checks the state. Errors fit in one line and are those of
// match.ParseSituation, or wrap match.ErrScore or match.ErrBadSituation.
func Read(text string) (match.Situation, error) {
	if len(text) > maxText {
		return match.Situation{}, fmt.Errorf("%w: longer than %d characters", match.ErrBadSituation, maxText)
	}
	if v, known := record.ParseVariation(text); known && v.Checkers() != board.MaxCheckers {
		return match.Situation{}, fmt.Errorf("%w: %s has rules of its own (name it as the variation and give the position as an ID)", match.ErrBadSituation, strings.TrimSpace(text))
	}
	if id, ok := position.FindOGID(text); ok {
		m, err := position.FromOGID(id)
		if err != nil {
			return match.Situation{}, fmt.Errorf("%w: %w", match.ErrBadSituation, err)
		}
		s, _ := position.Last(m, &m.Games[0])
		return s, nil
	}
	s, err := match.ParseSituation(locate(text))
	if err != nil {
		return s, err
	}
	if s.Redoubles > 0 {
		s = s.Taken()
	}
	return s, s.State.Validate()
}

// IsBoardLine reports whether text is a line of FIBS, which the bot reads.
func IsBoardLine(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "board:") }

// locate finds the ID in text and writes it in a form of match.ParseSituation.
func locate(text string) string {
	text = strings.TrimSpace(text)
	if v, err := record.ReadFullVariation(text); err == nil && text != "" {
		p := v.Start()
		return p.ID()
	}
	if m := xgidText.FindStringSubmatch(text); m != nil {
		return "XGID=" + m[1]
	}
	if m := gnubgLine.FindStringSubmatch(text); m != nil {
		return m[1] + ":" + m[2]
	}
	if p := positionLine.FindStringSubmatch(text); p != nil {
		if m := matchLine.FindStringSubmatch(text); m != nil {
			return p[1] + ":" + m[1]
		}
		return p[1]
	}
	if words := strings.Fields(text); len(words) == 2 {
		return words[0] + ":" + words[1]
	}
	return text
}

// JSONScore is a score in a request: two numbers, that of the player on roll first. As an
// array of Go it would take one number or three.
type JSONScore [2]int

// UnmarshalJSON implements [json.Unmarshaler]; its error is a [FieldError].
func (s *JSONScore) UnmarshalJSON(text []byte) error {
	var list []int
	if err := json.Unmarshal(text, &list); err != nil || len(list) != 2 {
		return &FieldError{Field: "score", Problem: "want two whole numbers, that of the player on roll first"}
	}
	*s = JSONScore(list)
	return nil
}

// JSONType names the JSON type of a value of type t, in the words of JSON.
func JSONType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Float32, reflect.Float64:
		return "a number"
	}
	return "a whole number"
}
