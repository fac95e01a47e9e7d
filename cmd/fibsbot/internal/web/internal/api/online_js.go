//go:build js

package api

// onlineRoutes: a browser has no connections to servers.
func (a *API) onlineRoutes() []route { return nil }
