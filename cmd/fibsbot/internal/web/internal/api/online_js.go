//go:build js

package api

// onlineRoutes: a browser has no connections to servers.
func (a *API) onlineRoutes() []route { return nil }

func (*API) beFair() {}

func (*API) playing() string { return "" }

func (*route) fair() bool { return true }

// fairness has nothing to watch.
type fairness struct{}
