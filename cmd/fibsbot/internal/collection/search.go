package collection

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/owner"
	"fibsbot/bot/archive/review"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Where a Query searches.
const (
	inErrors      = "errors"
	inDecisions   = "decisions"
	inCollections = "collections"
)

// places are the values of Query.In.
var places = []string{inErrors, inDecisions, inCollections}

// Query asks for positions of matches and collections; zero fields do not restrict.
type Query struct {
	Structure
	// In is decisions, all of analysed matches; errors, those that lost leastError or more;
	// collections; or empty for errors and collections, with a Verdict for decisions alone.
	In string `json:"in,omitempty"`
	// Verdict is the proper cube action, see review.Verdicts.
	Verdict string `json:"verdict,omitempty"`
	Phase   string `json:"phase,omitempty"`
	Plan    string `json:"plan,omitempty"`
	// Kind is checker or cube.
	Kind string `json:"kind,omitempty"`
	// Min and Max bound the loss of a decision.
	Min    float64 `json:"min_loss,omitempty"`
	Max    float64 `json:"max_loss,omitempty"`
	Player string  `json:"player,omitempty"`
	// Matches are IDs of matches to search alone; empty for all.
	Matches []string `json:"matches,omitempty"`
	// Text is part of the name, note or tags of a position of a collection.
	Text  string `json:"text,omitempty"`
	Limit int    `json:"limit,omitempty"`
}

// Found is a position with where it comes from.
type Found struct {
	Situation match.Situation `json:"-"`
	Rules     board.Rules     `json:"-"`
	XGID      string          `json:"xgid"`
	Phase     string          `json:"phase"`
	Plan      string          `json:"plan"`
	// Match, Game and Number name a decision of a match, Player made it, Played is what he did
	// and Best what was best.
	Match  string  `json:"match,omitempty"`
	Game   int     `json:"game,omitempty"`
	Number int     `json:"number,omitempty"`
	Player string  `json:"player,omitempty"`
	Played string  `json:"played,omitempty"`
	Best   string  `json:"best,omitempty"`
	Loss   float64 `json:"loss,omitempty"`
	// Verdict is the proper action of a cube decision in words.
	Verdict string `json:"verdict,omitempty"`
	// Collection has the position under Name, with Tags.
	Collection string   `json:"collection,omitempty"`
	Name       string   `json:"name,omitempty"`
	Tags       []string `json:"tags,omitempty"`
}

// String is the line of a list: the position and where it comes from.
func (x Found) String() string {
	from := x.Collection + ": " + strings.TrimSpace(x.Name+" "+strings.Join(x.Tags, " "))
	if x.Match != "" {
		from = fmt.Sprintf("%.8s game %d, %s: %s", x.Match, x.Game, x.Player, x.Played)
		if x.Loss >= 0.0005 {
			from += fmt.Sprintf(", best %s, lost %.3f", x.Best, x.Loss)
		}
		if x.Verdict != "" {
			from += " (" + x.Verdict + ")"
		}
	}
	return x.XGID + "  " + from
}

// leastError is the loss (EMG) from which a decision is an error: a doubtful one.
var leastError = analyse.DefaultLimits.Doubtful

// Bounds of Query.Limit.
const (
	UsualFound = 60
	MostFound  = 500
)

// ErrQuery is wrapped by errors about queries, which name the field.
var ErrQuery = errors.New("invalid search")

var errEnough = errors.New("enough found")

// Search finds positions, those of collections first, then the decisions of the newest match
// first. db and s may be nil; me are the user's names. more reports that there are more than
// the limit. The error wraps ErrQuery for an invalid query.
func Search(ctx context.Context, db *index.DB, s *Store, me owner.Names, q Query) (out []Found, more bool, err error) {
	fits, err := q.Matcher()
	if err != nil {
		return nil, false, fmt.Errorf("%w: %w", ErrQuery, err)
	}
	switch {
	case q.Limit == 0:
		q.Limit = UsualFound
	case q.Limit < 0 || q.Limit > MostFound:
		return nil, false, fmt.Errorf("%w: limit: %d is not between 1 and %d", ErrQuery, q.Limit, MostFound)
	}
	if q.In != "" && !slices.Contains(places, q.In) {
		return nil, false, fmt.Errorf("%w: in: unknown value %.20q (use %s)", ErrQuery, q.In, strings.Join(places, ", "))
	}
	add := func(f Found) error {
		if len(out) >= q.Limit {
			more = true
			return errEnough
		}
		out = append(out, f)
		return nil
	}
	// Positions of collections have no loss, no player and no verdict.
	if (q.In == "" || q.In == inCollections) && s != nil && q.Min == 0 && q.Player == "" && q.Verdict == "" && len(q.Matches) == 0 {
		err = s.search(&q, fits, add)
	}
	if err == nil && q.In != inCollections && db != nil && q.Text == "" {
		all := q.In == inDecisions || q.In == "" && q.Verdict != ""
		if !all && q.Min == 0 {
			q.Min = leastError
		}
		err = review.Decisions(ctx, db, index.Filter{IDs: q.Matches}, review.Query{Min: q.Min, Max: q.Max, Kind: q.Kind, Phase: q.Phase, Plan: q.Plan, Verdict: q.Verdict, All: all, Player: q.Player, Me: me}, func(d *review.Found) error {
			sit, err := match.ParseSituation(d.XGID)
			if err != nil || !fits(sit) {
				return nil
			}
			return add(Found{Situation: sit, XGID: d.XGID, Match: d.Match, Game: d.Game, Number: d.Number, Player: d.Name, Played: d.Played, Best: d.Best, Loss: d.Loss(), Verdict: verdict(d), Phase: d.Phase, Plan: d.Plan})
		}, nil)
	}
	switch {
	case errors.Is(err, errEnough):
		err = nil
	case errors.Is(err, review.ErrQuery):
		err = fmt.Errorf("%w: %w", ErrQuery, err)
	}
	return out, more, err
}

// verdict is the proper action of a cube decision, empty for a play.
func verdict(d *review.Found) string {
	if d.Cube == nil {
		return ""
	}
	return d.Cube.Words()
}

// late is a number of rolls after which a game is no longer in its opening.
const late = 100

func (s *Store) search(q *Query, fits func(match.Situation) bool, add func(Found) error) error {
	list, err := s.List()
	if err != nil {
		return err
	}
	for i := range list {
		for k := range list[i].Items {
			it := &list[i].Items[k]
			sit, err := it.Situation()
			text := strings.ToLower(strings.Join(append([]string{it.Name, it.Note, list[i].Name}, it.Tags...), " "))
			if err != nil || !fits(sit) || !strings.Contains(text, strings.ToLower(strings.TrimSpace(q.Text))) || q.Kind != "" && (q.Kind == "checker") != sit.Dice.Valid() {
				continue
			}
			f := Found{Situation: sit, Rules: it.Rules, XGID: it.XGID, Collection: list[i].Name, Name: it.Name, Tags: it.Tags,
				Phase: analyse.PhaseOf(&sit.Position, late).String(), Plan: analyse.PlanOf(&sit.Position).String()}
			if q.Phase != "" && q.Phase != f.Phase || q.Plan != "" && q.Plan != f.Plan {
				continue
			}
			if err := add(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// Structure describes positions, as the player to decide sees them; zero fields do not
// restrict.
type Structure struct {
	// Made and TheirMade are points that the player and the opponent hold with two or more
	// checkers, each by the owner's own numbers.
	Made      []int `json:"made,omitempty"`
	TheirMade []int `json:"their_made,omitempty"`
	// Back and TheirBack are the number of checkers in the other's home or on the bar, as
	// "2", "2-4" or "3-".
	Back      string `json:"back,omitempty"`
	TheirBack string `json:"their_back,omitempty"`
	// Bar is how many checkers the player has on the bar, TheirBar the opponent.
	Bar      string `json:"bar,omitempty"`
	TheirBar string `json:"their_bar,omitempty"`
	// Lead is by how many pips the player leads, below 0 if he trails, as "8", "-20--5" or
	// "10-".
	Lead string `json:"lead,omitempty"`
	// Score is money, match, dmp, crawford, post-crawford, or points away as "3-5"; several
	// are separated by commas.
	Score string `json:"score,omitempty"`
	// Cube is the value, Owner me, opponent or centre.
	Cube  int    `json:"cube,omitempty"`
	Owner string `json:"owner,omitempty"`
}

// span is a range of numbers.
type span struct{ low, high int }

const far = 1 << 20

// parseSpan reads "3", "3-5", "3-" and "-5--2"; "" is everything.
func parseSpan(field, text string) (span, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return span{-far, far}, nil
	}
	bad := fmt.Errorf("%s: %.20q is not a number or range (use 3, 2-4 or 3-)", field, text)
	if n, err := strconv.Atoi(text); err == nil {
		return span{n, n}, nil
	}
	at := strings.Index(text[1:], "-") + 1
	if at < 1 {
		return span{}, bad
	}
	low, err := strconv.Atoi(text[:at])
	if err != nil {
		return span{}, bad
	}
	if text[at+1:] == "" {
		return span{low, far}, nil
	}
	high, err := strconv.Atoi(text[at+1:])
	if err != nil || high < low {
		return span{}, bad
	}
	return span{low, high}, nil
}

func (s span) has(n int) bool { return n >= s.low && n <= s.high }

// Scores are the names that Structure.Score takes.
var Scores = []string{"money", "match", "dmp", "crawford", "post-crawford"}

// AtScore reports whether a state has a score that names describes, as Structure.Score.
func AtScore(names string, st match.State) (at bool, err error) {
	for name := range strings.SplitSeq(names, ",") {
		one, err := atScore(strings.TrimSpace(name), st)
		if err != nil {
			return false, err
		}
		at = at || one
	}
	return at, nil
}

func atScore(name string, st match.State) (bool, error) {
	me, opp := st.Away()
	switch name {
	case "":
		return true, nil
	case "money":
		return st.Length == 0, nil
	case "match":
		return st.Length > 0, nil
	case "dmp":
		return st.Length > 0 && me == 1 && opp == 1, nil
	case "crawford":
		return st.Length > 0 && st.Crawford, nil
	case "post-crawford":
		return !st.Crawford && match.AtCrawford(st.Length, st.Score), nil
	}
	a, b, ok := strings.Cut(name, "-")
	x, err := strconv.Atoi(a)
	y, err2 := strconv.Atoi(b)
	if !ok || err != nil || err2 != nil || x < 1 || y < 1 {
		return false, fmt.Errorf("score: unknown value %.20q (use %s, or points away as 3-5)", name, strings.Join(Scores, ", "))
	}
	return st.Length > 0 && me == x && opp == y, nil
}

// Matcher returns a function that reports whether a position has the structure. The error
// names the field that cannot be read.
func (q *Structure) Matcher() (func(match.Situation) bool, error) {
	for _, p := range slices.Concat(q.Made, q.TheirMade) {
		if p < 1 || p > 24 {
			return nil, fmt.Errorf("made: there is no point %d (use 1 to 24)", p)
		}
	}
	if _, err := AtScore(q.Score, match.State{}); err != nil {
		return nil, err
	}
	owner, ok := map[string]match.Owner{"": match.Centred, "centre": match.Centred, "me": match.Mine, "opponent": match.Theirs}[q.Owner]
	if !ok {
		return nil, fmt.Errorf("owner: unknown value %.20q (use me, opponent or centre)", q.Owner)
	}
	var spans [5]span
	for i, f := range []struct{ name, text string }{{"back", q.Back}, {"their_back", q.TheirBack}, {"bar", q.Bar}, {"their_bar", q.TheirBar}, {"lead", q.Lead}} {
		var err error
		if spans[i], err = parseSpan(f.name, f.text); err != nil {
			return nil, err
		}
	}
	return func(s match.Situation) bool {
		me, opp := &s.Position.Me, &s.Position.Opp
		made := func(points []int, c *[25]uint8) bool {
			return !slices.ContainsFunc(points, func(p int) bool { return c[p-1] < 2 })
		}
		back := func(c *[25]uint8) (n int) {
			for _, k := range c[18:] {
				n += int(k)
			}
			return n
		}
		at, _ := AtScore(q.Score, s.State)
		return at && made(q.Made, (*[25]uint8)(me)) && made(q.TheirMade, (*[25]uint8)(opp)) &&
			spans[0].has(back((*[25]uint8)(me))) && spans[1].has(back((*[25]uint8)(opp))) &&
			spans[2].has(int(me[24])) && spans[3].has(int(opp[24])) && spans[4].has(opp.Pips()-me.Pips()) &&
			(q.Cube == 0 || max(s.State.Cube, 1) == q.Cube) && (q.Owner == "" || s.State.Owner == owner)
	}, nil
}
