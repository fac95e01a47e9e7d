package api

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"fibsbot/bot/archive/index"
	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/annotate"
	"fibsbot/engine/analyse/pdf"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/record"
)

// Note is the user's comment on a decision.
type Note struct {
	Comment string `json:"comment"`
	// Later reports that the comment belongs to the play after this decision not to double.
	Later bool `json:"later"`
}

// NoteRequest replaces the comment on a decision.
type NoteRequest struct {
	Comment string `json:"comment"` // "" deletes it
	// Was is the comment that the user saw. Another one in the match is not replaced.
	Was string `json:"was"`
}

// maxNote bounds a comment, in bytes.
const maxNote = 16 << 10

// errNoteChanged means that the comment was changed since the user read it.
var errNoteChanged = &Problem{Status: http.StatusConflict, Text: "the comment was changed in another window (yours is not stored)"}

// decisionAt finds the decision of a request in a match.
func decisionAt(r *http.Request, m *record.Match) (annotate.Place, *report.Row, error) {
	p, err := annotate.ParsePlace(r.PathValue("place"))
	if err != nil {
		return p, nil, fmt.Errorf("%w: %w", index.ErrNotFound, err)
	}
	d, err := annotate.Find(m, p)
	if err != nil {
		return p, nil, fmt.Errorf("%w: %w", index.ErrNotFound, err)
	}
	return p, d, nil
}

// later reports whether a row is a decision not to double, whose action is the play after it.
func later(d *report.Row) bool { return d.Kind == "double" && d.Turn().Action.Kind == record.Move }

func (a *API) note(r *http.Request, _ any) (any, error) {
	m, _, err := a.Load(r)
	if err != nil {
		return nil, err
	}
	_, d, err := decisionAt(r, m)
	if err != nil {
		return nil, err
	}
	return Note{Comment: d.Turn().Action.Comment, Later: later(d)}, nil
}

func (a *API) setNote(r *http.Request, in any) (any, error) {
	q := in.(NoteRequest)
	if len(q.Comment) > maxNote {
		return nil, bad("comment", "longer than %d bytes", maxNote)
	}
	row, _, err := a.archived(r)
	if err != nil {
		return nil, err
	}
	e, err := a.opt.Archive.Edit(row)
	if err != nil {
		return nil, err
	}
	change := func(m *record.Match) error {
		p, d, err := decisionAt(r, m)
		switch {
		case err != nil:
			return err
		case later(d):
			return bad("comment", "%s: a comment goes to the play after it", p)
		case strings.TrimSpace(d.Turn().Action.Comment) != strings.TrimSpace(q.Was):
			return errNoteChanged
		}
		return annotate.Comment(m, p, q.Comment)
	}
	e.Again = change
	if err := change(e.Match); err != nil {
		return nil, err
	}
	if _, err := e.Store(r.Context()); err != nil {
		return nil, err
	}
	return Note{Comment: strings.TrimSpace(q.Comment)}, nil
}

// reportKinds are the forms of a report.
var reportKinds = []string{"html", "pdf", "text"}

// downloadReport is the report of an archived match as a file.
func (a *API) downloadReport(r *http.Request, _ any) (any, error) {
	as := cmp.Or(r.URL.Query().Get("as"), reportKinds[0])
	if !slices.Contains(reportKinds, as) {
		return nil, bad("as", "%.20q: want %s", as, strings.Join(reportKinds, ", "))
	}
	m, row, err := a.Load(r)
	if err != nil {
		return nil, err
	}
	s, me, c := analyse.Summarise(m, a.opt.Engine.Table(), analyse.DefaultLimits), a.Seat(m, row), a.opt.Language(r)
	var b bytes.Buffer
	kind, ext := "text/plain; charset=utf-8", "txt"
	switch as {
	case "html":
		kind, ext = "text/html; charset=utf-8", "html"
		err = report.HTML(&b, m, s, report.PageOptions{Table: a.opt.Engine.Table(), Me: me, Texts: c})
	case "pdf":
		kind, ext = "application/pdf", "pdf"
		err = pdf.Write(&b, m, s, pdf.Options{Me: me, Texts: c})
	default:
		err = report.WriteText(&b, m, s, report.TextOptions{Boards: true, Texts: c})
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("report of match %.12s", row.ID), err)
	}
	return document{kind, fmt.Sprintf("%.12s.%s", row.ID, ext), b.Bytes()}, nil
}
