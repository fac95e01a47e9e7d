package api

import (
	"maps"
	"net/http"
	"slices"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/owner"
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

func (a *API) setMe(r *http.Request, in any) (any, error) {
	if err := owner.Save(a.opt.Archive.Dir(), in.(MeRequest).Names); err != nil {
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

func (a *API) rename(r *http.Request, in any) (any, error) {
	q := in.(PlayerRename)
	n, err := a.opt.Archive.Rename(r.Context(), q.From, q.To)
	return Renamed{Changed: n}, err
}

func (a *API) editMatch(r *http.Request, in any) (any, error) {
	row, _, err := a.archived(r)
	if err != nil {
		return nil, err
	}
	return a.opt.Archive.Change(r.Context(), row, in.(index.Change))
}

func (a *API) deleteMatch(r *http.Request, _ any) (any, error) {
	row, _, err := a.archived(r)
	if err != nil {
		return nil, err
	}
	return row, a.opt.Archive.Delete(r.Context(), row)
}

func (a *API) trash(*http.Request, any) (any, error) {
	return a.opt.Archive.Trash()
}

func (a *API) undelete(r *http.Request, _ any) (any, error) {
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

func (a *API) head(r *http.Request, _ any) (any, error) {
	m, row, err := a.Load(r)
	if err != nil {
		return nil, err
	}
	return Head{Players: [2]string{row.Account, row.Opponent}, Event: m.Event, Round: m.Round, Place: m.Place, Date: m.Date,
		Annotator: m.Annotator, Comment: m.Comment, Tags: append([]string{}, row.Tags...), Swappable: !index.Played(row)}, nil
}
