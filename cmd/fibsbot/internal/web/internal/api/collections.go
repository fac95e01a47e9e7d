package api

import (
	"errors"
	"net/http"
	"time"

	"fibsbot/cmd/fibsbot/internal/collection"
	"fibsbot/engine/advice"
	"fibsbot/engine/diagram"
	"fibsbot/engine/diagram/picture"
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
	it, err := s.Add(r.PathValue("name"), collection.Item{XGID: p.XGID(), Rules: p.Rules, Drops: p.State.Drops, Name: q.Name, Note: q.Note, Tags: q.Tags}, time.Now())
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

// SearchResult lists positions.
type SearchResult struct {
	Found []FoundPosition `json:"found"`
	// More reports that there are more than the limit.
	More bool `json:"more"`
}

// FoundPosition is a position with where it comes from.
type FoundPosition struct {
	collection.Found
	Position Described `json:"position"`
}

func (a *API) search(r *http.Request, in any) (any, error) {
	var store *collection.Store
	if a.opt.Quiz != nil {
		store = a.opt.Quiz.Collections
	}
	me, err := a.me()
	if err != nil {
		return nil, err
	}
	list, more, err := collection.Search(r.Context(), a.opt.Archive, store, me, in.(collection.Query))
	if errors.Is(err, collection.ErrQuery) {
		return nil, bad("query", "%v", err)
	}
	out := SearchResult{Found: []FoundPosition{}, More: more}
	for _, f := range list {
		out.Found = append(out.Found, FoundPosition{f, described(f.Situation, f.Rules)})
	}
	return out, err
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
