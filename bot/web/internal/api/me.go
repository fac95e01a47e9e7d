package api

import (
	"errors"
	"net/http"
	"slices"

	"fibsbot/bot/archive/owner"
)

// Me are the user's names, with patterns: those entered here, and those of archive.me.
type Me struct {
	Names      owner.Names `json:"names"`
	Configured owner.Names `json:"configured"`
}

// MeRequest replaces the names that were entered here.
type MeRequest struct {
	Names owner.Names `json:"names"`
}

// me are all names of the user.
func (a *API) me() (owner.Names, error) {
	if a.opt.Archive == nil {
		return a.opt.Me, nil
	}
	names, err := owner.Load(a.opt.Archive.Dir())
	return append(slices.Clone(a.opt.Me), names...), err
}

func (a *API) getMe(*http.Request, any) (any, error) {
	if a.opt.Archive == nil {
		return nil, errNoArchive
	}
	names, err := owner.Load(a.opt.Archive.Dir())
	return Me{Names: append(owner.Names{}, names...), Configured: append(owner.Names{}, a.opt.Me...)}, err
}

func (a *API) setMe(r *http.Request, in any) (any, error) {
	if a.opt.Archive == nil {
		return nil, errNoArchive
	}
	if err := owner.Save(a.opt.Archive.Dir(), in.(MeRequest).Names); err != nil {
		if errors.Is(err, owner.ErrName) {
			return nil, bad("names", "%v", err)
		}
		return nil, err
	}
	return a.getMe(r, nil)
}

// EditRequest changes an archived match.
type EditRequest struct {
	// Account is the player whose results, errors and luck count as the archive's own.
	Account string `json:"account"`
}

func (a *API) editMatch(r *http.Request, in any) (any, error) {
	row, _, err := a.archived(r)
	if err != nil {
		return nil, err
	}
	return a.opt.Archive.SetAccount(r.Context(), row, in.(EditRequest).Account)
}
