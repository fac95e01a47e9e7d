package api

import (
	"bytes"
	"time"

	"fibsbot/cmd/fibsbot/internal/collection"
	"fibsbot/engine/advice"
	"fibsbot/engine/diagram"
	"fibsbot/engine/diagram/picture"
	"fibsbot/internal/http"
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

func (a *API) collections(*http.Request, any) (any, error) { return a.opt.Quiz.Collections.List() }

func (a *API) collect(r *http.Request, q CollectRequest) (any, error) {
	p, err := q.Question()
	if err != nil {
		return nil, err
	}
	it := collection.Item{XGID: p.XGID(), Rules: p.Rules, Drops: p.State.Drops, Name: q.Name, Note: q.Note, Tags: q.Tags}
	return a.opt.Quiz.Collections.Add(r.PathValue("name"), it, time.Now())
}

func (a *API) uncollect(r *http.Request, _ any) (any, error) {
	return struct{}{}, a.opt.Quiz.Collections.Remove(r.PathValue("name"), r.PathValue("id"))
}

func (a *API) renameCollection(r *http.Request, q RenameRequest) (any, error) {
	if err := a.opt.Quiz.Collections.Rename(r.PathValue("name"), q.Name); err != nil {
		return nil, err
	}
	return a.opt.Quiz.Collections.Get(q.Name)
}

func (a *API) dropCollection(r *http.Request, _ any) (any, error) {
	return struct{}{}, a.opt.Quiz.Collections.Delete(r.PathValue("name"))
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

func (a *API) search(r *http.Request, q collection.Query) (any, error) {
	var store *collection.Store
	if a.opt.Quiz != nil {
		store = a.opt.Quiz.Collections
	}
	me, err := a.me()
	if err != nil {
		return nil, err
	}
	list, more, err := collection.Search(r.Context(), a.opt.Archive, store, me, q)
	out := SearchResult{Found: []FoundPosition{}, More: more}
	for _, f := range list {
		out.Found = append(out.Found, FoundPosition{f, described(f.Situation, f.Rules)})
	}
	return out, err
}

// drawPosition draws a position as SVG, PNG or text.
func (a *API) drawPosition(r *http.Request, _ any) (any, error) {
	q := Position{}
	q.Position.Position = r.URL.Query().Get("p")
	q.Variation = r.URL.Query().Get("game")
	p, err := q.Question()
	if err != nil {
		return nil, err
	}
	d := diagram.Diagram{Situation: p.Situation, Rules: p.Rules, Pips: true, Theme: diagram.Plain, Width: 720, NoCube: p.State.Length == 1}
	switch r.URL.Query().Get("to") {
	case "png":
		var b bytes.Buffer
		err := picture.PNG(&b, d)
		return document{kind: "image/png", body: b.Bytes()}, err
	case "", "svg":
		return document{kind: "image/svg+xml", body: []byte(d.SVG())}, nil
	case "text":
		return document{kind: "text/plain; charset=utf-8", body: []byte(advice.Drawing(p.Rules, p.Situation) + advice.Heading(p.Rules, p.Situation, nil))}, nil
	}
	return nil, bad("to", "unknown format (use svg, png or text)")
}
