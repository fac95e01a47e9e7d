package api

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/owner"
	"fibsbot/engine/analyse/annotate"
	"fibsbot/engine/analyse/pdf"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/record"
	"fibsbot/internal/http"
)

// Me are the user's names, with patterns: those entered here, and those of archive.me.
type Me struct {
	Names      owner.Names `json:"names"`
	Configured owner.Names `json:"configured"`
}

// MeRequest replaces the names entered here.
type MeRequest struct {
	Names owner.Names `json:"names"`
}

// me returns all names of the user.
func (a *API) me() (owner.Names, error) {
	if a.opt.Archive == nil {
		return a.opt.Me, nil
	}
	names, err := owner.Load(a.opt.Archive.Dir())
	return append(slices.Clone(a.opt.Me), names...), err
}

func (a *API) getMe(*http.Request, any) (any, error) {
	names, err := owner.Load(a.opt.Archive.Dir())
	return Me{Names: append(owner.Names{}, names...), Configured: append(owner.Names{}, a.opt.Me...)}, err
}

func (a *API) setMe(r *http.Request, q MeRequest) (any, error) {
	if err := owner.Save(a.opt.Archive.Dir(), q.Names); err != nil {
		return nil, err
	}
	return a.getMe(r, nil)
}

// PlayerRename gives an opponent another name in all matches.
type PlayerRename struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Renamed counts the matches that were changed.
type Renamed struct {
	Changed int `json:"changed"`
}

func (a *API) names(r *http.Request, _ any) (any, error) {
	known, err := a.opt.Archive.Names(r.Context())
	if err != nil {
		return nil, err
	}
	out := []owner.Count{}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		out = append(out, owner.Count{Name: name, Matches: known[name]})
	}
	return out, nil
}

func (a *API) rename(r *http.Request, q PlayerRename) (any, error) {
	n, err := a.opt.Archive.Rename(r.Context(), q.From, q.To)
	return Renamed{Changed: n}, err
}

func (a *API) editMatch(r *http.Request, row *index.Match, q index.Change) (any, error) {
	return a.opt.Archive.Change(r.Context(), row, q)
}

func (a *API) deleteMatch(r *http.Request, row *index.Match, _ any) (any, error) {
	return row, a.opt.Archive.Delete(r.Context(), row)
}

func (a *API) trash(*http.Request, any) (any, error) {
	return a.opt.Archive.Trash()
}

func (a *API) undelete(r *http.Request, _ struct{}) (any, error) {
	return a.opt.Archive.Undelete(r.Context(), r.PathValue("id"))
}

// Head is the header of a match file, for a form that edits it.
type Head struct {
	Players   [2]string `json:"players"` // the account and the opponent
	Event     string    `json:"event"`
	Round     string    `json:"round"`
	Place     string    `json:"place"`
	Date      string    `json:"date"`
	Annotator string    `json:"annotator"`
	Comment   string    `json:"comment"`
	Tags      []string  `json:"tags"`
	// Swappable reports whether the players may be swapped: not in a match that a bot filed.
	Swappable bool `json:"swappable"`
}

func (a *API) head(_ *http.Request, x Filed, _ any) (any, error) {
	m, row := x.Match, x.Row
	return Head{Players: [2]string{row.Account, row.Opponent}, Event: m.Event, Round: m.Round, Place: m.Place, Date: m.Date,
		Annotator: m.Annotator, Comment: m.Comment, Tags: append([]string{}, row.Tags...), Swappable: !index.Played(row)}, nil
}

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

func (a *API) note(r *http.Request, x Filed, _ any) (any, error) {
	_, d, err := decisionAt(r, x.Match)
	if err != nil {
		return nil, err
	}
	return Note{Comment: d.Turn().Action.Comment, Later: later(d)}, nil
}

func (a *API) setNote(r *http.Request, row *index.Match, q NoteRequest) (any, error) {
	if len(q.Comment) > maxNote {
		return nil, bad("comment", "longer than %d bytes", maxNote)
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

// Pictures are the decisions of a match as SVG, in order.
type Pictures struct {
	Pictures []string `json:"pictures"`
}

// mostPictures bounds Pictures.
const mostPictures = 3000

func (a *API) pictures(r *http.Request, x Filed, _ any) (any, error) {
	list, err := report.Pictures(x.Match, a.summary(x.Match), a.page(r, x))
	return Pictures{list[:min(len(list), mostPictures)]}, err
}

func (a *API) decisionPicture(r *http.Request, x Filed, _ any) (any, error) {
	p, _, err := decisionAt(r, x.Match)
	if err != nil {
		return nil, err
	}
	svg, err := report.Picture(x.Match, a.summary(x.Match), p.Game, p.Number, a.page(r, x))
	if err == nil && svg == "" {
		err = fmt.Errorf("%w: %s is shown with the play after it", index.ErrNotFound, p)
	}
	return document{kind: "image/svg+xml", name: fmt.Sprintf("%.12s-%s.svg", x.Row.ID, p), body: []byte(svg)}, err
}

// page are the options of a page about a match.
func (a *API) page(r *http.Request, x Filed) report.PageOptions {
	return report.PageOptions{Table: a.opt.Engine.Table(), Me: a.Seat(x), Texts: a.opt.Language(r), Why: a.Why(r, x.Match)}
}

// reportKinds are the forms of a report.
var reportKinds = []string{"html", "pdf", "text"}

// downloadReport is the report of an archived match as a file.
func (a *API) downloadReport(r *http.Request, x Filed, _ any) (any, error) {
	as := cmp.Or(r.URL.Query().Get("as"), reportKinds[0])
	if !slices.Contains(reportKinds, as) {
		return nil, bad("as", "%.20q: want %s", as, strings.Join(reportKinds, ", "))
	}
	m, s, me, c := x.Match, a.summary(x.Match), a.Seat(x), a.opt.Language(r)
	var b bytes.Buffer
	var err error
	kind, ext := "text/plain; charset=utf-8", "txt"
	switch as {
	case "html":
		kind, ext = "text/html; charset=utf-8", "html"
		err = report.HTML(&b, m, s, a.page(r, x))
	case "pdf":
		kind, ext = "application/pdf", "pdf"
		err = pdf.Write(&b, m, s, pdf.Options{Me: me, Texts: c, Why: a.Why(r, m)})
	default:
		err = report.WriteText(&b, m, s, report.TextOptions{Boards: true, Texts: c, Why: a.Why(r, m)})
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("report of match %.12s", x.Row.ID), err)
	}
	return document{kind, fmt.Sprintf("%.12s.%s", x.Row.ID, ext), b.Bytes()}, nil
}
