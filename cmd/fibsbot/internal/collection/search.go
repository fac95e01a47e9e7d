package collection

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/owner"
	"fibsbot/bot/archive/review"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Where a Query searches; "" is both.
const (
	inErrors      = "errors"
	inCollections = "collections"
)

// Query asks for positions of matches and collections; zero fields do not restrict.
type Query struct {
	Structure
	// In is errors, the decisions of all analysed matches that lost something, or collections.
	In    string `json:"in,omitempty"`
	Phase string `json:"phase,omitempty"`
	Plan  string `json:"plan,omitempty"`
	// Kind is checker or cube.
	Kind string `json:"kind,omitempty"`
	// Min and Max bound the loss of a decision.
	Min    float64 `json:"min_loss,omitempty"`
	Max    float64 `json:"max_loss,omitempty"`
	Player string  `json:"player,omitempty"`
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
	// Collection has the position under Name, with Tags.
	Collection string   `json:"collection,omitempty"`
	Name       string   `json:"name,omitempty"`
	Tags       []string `json:"tags,omitempty"`
}

// String is the line of a list: the position and where it comes from.
func (x Found) String() string {
	from := x.Collection + ": " + strings.TrimSpace(x.Name+" "+strings.Join(x.Tags, " "))
	if x.Match != "" {
		from = fmt.Sprintf("%.8s game %d, %s: %s, best %s, lost %.3f", x.Match, x.Game, x.Player, x.Played, x.Best, x.Loss)
	}
	return x.XGID + "  " + from
}

// Bounds of Query.Limit.
const (
	UsualFound = 60
	MostFound  = 500
)

// ErrQuery is wrapped by errors about queries, which name the field.
var ErrQuery = errors.New("invalid search")

var errEnough = errors.New("enough found")

// Search finds positions, those of collections first, then the errors of the newest match
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
	if q.In != "" && q.In != inErrors && q.In != inCollections {
		return nil, false, fmt.Errorf("%w: in: unknown value %.20q (use errors or collections)", ErrQuery, q.In)
	}
	add := func(f Found) error {
		if len(out) >= q.Limit {
			more = true
			return errEnough
		}
		out = append(out, f)
		return nil
	}
	if q.In != inErrors && s != nil && q.Min == 0 && q.Player == "" { // collections have no loss and no player
		err = s.search(&q, fits, add)
	}
	if err == nil && q.In != inCollections && db != nil && q.Text == "" {
		err = review.Errors(ctx, db, index.Filter{}, review.Query{Min: q.Min, Max: q.Max, Kind: q.Kind, Phase: q.Phase, Plan: q.Plan, Player: q.Player, Me: me}, func(d *review.Found) error {
			sit, err := match.ParseSituation(d.XGID)
			if err != nil || !fits(sit) {
				return nil
			}
			return add(Found{Situation: sit, XGID: d.XGID, Match: d.Match, Game: d.Game, Number: d.Number, Player: d.Name, Played: d.Played, Best: d.Best, Loss: d.Loss(), Phase: d.Phase, Plan: d.Plan})
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
