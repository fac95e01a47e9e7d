//go:build js

package api

// onlineRoutes: a browser has no connections to servers.
func (a *API) onlineRoutes() []route { return nil }

// botRoutes: a browser reaches no bot.
func (a *API) botRoutes() []route { return nil }

func (*API) openRoom() {}

func (*API) beFair() {}

func (*API) playing() string { return "" }

func (*route) fair() bool { return true }

// room has no bot, fairness nothing to watch.
type (
	room     struct{}
	fairness struct{}
)
