package api

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/review"
	"fibsbot/cmd/fibsbot/internal/collection"
	"fibsbot/engine/advice"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/diagram"
	"fibsbot/engine/diagram/picture"
	"fibsbot/engine/match"
)

var errNoCollections = &Problem{Status: http.StatusNotFound, Text: "collections need an archive (start fibsbot web with --archive DIR)"}

// CollectRequest puts a position into a collection.
type CollectRequest struct {
	Position
	Name string   `json:"name,omitempty"`
	Note string   `json:"note,omitempty"`
	Tags []string `json:"tags,omitempty"`
}

// RenameRequest gives a collection another name.
type RenameRequest struct {
	Name string `json:"name"`
}

func (a *API) store() (*collection.Store, error) {
	if a.opt.Quiz == nil || a.opt.Quiz.Collections == nil {
		return nil, errNoCollections
	}
	return a.opt.Quiz.Collections, nil
}

// collectionProblem is the problem of an error of package collection.
func collectionProblem(err error) error {
	switch {
	case errors.Is(err, collection.ErrNotFound):
		return &Problem{Status: http.StatusNotFound, Text: err.Error(), Field: "name"}
	case errors.Is(err, collection.ErrBad):
		return bad("name", "%v", err)
	}
	return err
}

func (a *API) collections(*http.Request, any) (any, error) {
	s, err := a.store()
	if err != nil {
		return nil, err
	}
	return s.List()
}

func (a *API) collect(r *http.Request, in any) (any, error) {
	s, err := a.store()
	if err != nil {
		return nil, err
	}
	q := in.(CollectRequest)
	p, err := q.Question()
	if err != nil {
		return nil, err
	}
	it, err := s.Add(r.PathValue("name"), collection.Item{XGID: p.XGID(), Rules: p.Rules, Name: q.Name, Note: q.Note, Tags: q.Tags}, time.Now())
	return it, collectionProblem(err)
}

func (a *API) uncollect(r *http.Request, _ any) (any, error) {
	s, err := a.store()
	if err != nil {
		return nil, err
	}
	return struct{}{}, collectionProblem(s.Remove(r.PathValue("name"), r.PathValue("id")))
}

func (a *API) renameCollection(r *http.Request, in any) (any, error) {
	s, err := a.store()
	if err != nil {
		return nil, err
	}
	to := in.(RenameRequest).Name
	if err := s.Rename(r.PathValue("name"), to); err != nil {
		return nil, collectionProblem(err)
	}
	c, err := s.Get(to)
	return c, collectionProblem(err)
}

func (a *API) dropCollection(r *http.Request, _ any) (any, error) {
	s, err := a.store()
	if err != nil {
		return nil, err
	}
	return struct{}{}, collectionProblem(s.Delete(r.PathValue("name")))
}

// SearchRequest asks for positions of matches and collections.
type SearchRequest struct {
	collection.Structure
	// In is errors, the decisions of all analysed matches that lost something, collections, or
	// empty for both.
	In    string `json:"in,omitempty"`
	Phase string `json:"phase,omitempty"`
	Plan  string `json:"plan,omitempty"`
	Kind  string `json:"kind,omitempty"`
	// Min and Max bound the loss of a decision.
	Min    float64 `json:"min,omitempty"`
	Max    float64 `json:"max,omitempty"`
	Player string  `json:"player,omitempty"`
	// Text is part of the name, note or tags of a position of a collection.
	Text  string `json:"text,omitempty"`
	Limit int    `json:"limit,omitempty"`
}

// SearchResult lists positions.
type SearchResult struct {
	Found []FoundPosition `json:"found"`
	// More reports that there are more than the limit.
	More bool `json:"more"`
}

// FoundPosition is a position with where it comes from.
type FoundPosition struct {
	Position Described `json:"position"`
	XGID     string    `json:"xgid"`
	Phase    string    `json:"phase"`
	Plan     string    `json:"plan"`
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

const (
	usualFound = 60
	mostFound  = 500
)

var errEnough = errors.New("enough found")

func (a *API) search(r *http.Request, in any) (any, error) {
	q := in.(SearchRequest)
	fits, err := q.Matcher()
	if err != nil {
		return nil, bad("structure", "%v", err)
	}
	switch {
	case q.Limit == 0:
		q.Limit = usualFound
	case q.Limit < 0 || q.Limit > mostFound:
		return nil, bad("limit", "%d is not between 1 and %d", q.Limit, mostFound)
	}
	if q.In != "" && q.In != "errors" && q.In != "collections" {
		return nil, bad("in", "unknown value %.20q (use errors or collections)", q.In)
	}
	out := SearchResult{Found: []FoundPosition{}}
	add := func(f FoundPosition) error {
		if len(out.Found) >= q.Limit {
			out.More = true
			return errEnough
		}
		out.Found = append(out.Found, f)
		return nil
	}
	if q.In != "errors" {
		err = a.searchCollections(&q, fits, add)
	}
	if err == nil && q.In != "collections" && q.Text == "" {
		err = a.searchMatches(r, &q, fits, add)
	}
	if errors.Is(err, errEnough) {
		err = nil
	}
	return out, err
}

func (a *API) searchCollections(q *SearchRequest, fits func(match.Situation) bool, add func(FoundPosition) error) error {
	s, err := a.store()
	if err != nil || q.Min > 0 || q.Player != "" {
		return nil // positions of collections have no loss and no player
	}
	list, err := s.List()
	if err != nil {
		return err
	}
	for i := range list {
		for k := range list[i].Items {
			it := &list[i].Items[k]
			sit, err := it.Situation()
			text := strings.ToLower(it.Name + " " + it.Note + " " + strings.Join(it.Tags, " ") + " " + list[i].Name)
			if err != nil || !fits(sit) || !strings.Contains(text, strings.ToLower(strings.TrimSpace(q.Text))) || q.Kind != "" && (q.Kind == "checker") != sit.Dice.Valid() {
				continue
			}
			f := FoundPosition{XGID: it.XGID, Collection: list[i].Name, Name: it.Name, Tags: it.Tags, Position: described(sit, it.Rules),
				Phase: analyse.PhaseOf(&sit.Position, 100).String(), Plan: analyse.PlanOf(&sit.Position).String()}
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

func (a *API) searchMatches(r *http.Request, q *SearchRequest, fits func(match.Situation) bool, add func(FoundPosition) error) error {
	if a.opt.Archive == nil {
		return nil
	}
	me, err := a.me()
	if err != nil {
		return err
	}
	err = review.Errors(r.Context(), a.opt.Archive, index.Filter{}, review.Query{Min: q.Min, Max: q.Max, Kind: q.Kind, Phase: q.Phase, Plan: q.Plan, Player: q.Player, Me: me}, func(d *review.Found) error {
		s, err := match.ParseSituation(d.XGID)
		if err != nil || !fits(s) {
			return nil
		}
		return add(FoundPosition{XGID: d.XGID, Position: described(s, board.Rules{}), Match: d.Match, Game: d.Game, Number: d.Number, Player: d.Name, Played: d.Played, Best: d.Best, Loss: d.Loss(),
			Phase: d.Phase, Plan: d.Plan})
	}, nil)
	if errors.Is(err, review.ErrQuery) {
		return bad("query", "%v", err)
	}
	return err
}

// drawPosition draws a position as SVG, PNG or text.
func (a *API) drawPosition(w http.ResponseWriter, r *http.Request) {
	q := Position{}
	q.Position.Position = r.URL.Query().Get("p")
	q.Variation = r.URL.Query().Get("game")
	p, err := q.Question()
	if err != nil {
		fail(w, err)
		return
	}
	d := diagram.Diagram{Situation: p.Situation, Rules: p.Rules, Pips: true, Theme: diagram.Plain, Width: 720, NoCube: p.State.Length == 1}
	w.Header().Set("Cache-Control", "no-store")
	switch r.URL.Query().Get("to") {
	case "png":
		w.Header().Set("Content-Type", "image/png")
		if err := picture.PNG(w, d); err != nil {
			fail(w, err)
		}
	case "", "svg":
		w.Header().Set("Content-Type", "image/svg+xml")
		_, _ = w.Write([]byte(d.SVG()))
	case "text":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte(advice.Drawing(p.Rules, p.Situation) + advice.Heading(p.Rules, p.Situation, nil)))
	default:
		fail(w, bad("to", "unknown format (use svg, png or text)"))
	}
}
