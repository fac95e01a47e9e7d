//go:build !js

package web

import (
	"context"
	"net/http"

	"fibsbot/bot/ops"
	"fibsbot/cmd/fibsbot/internal/web/internal/api"
)

// maxWatchers bounds the event streams of the page.
const maxWatchers = 128

// BotsPage is the page Bots alone, which the process of the bots serves at dashboard.listen.
// It is read-only. source returns the present view; ctx ends the streams. The server that
// holds it controls access.
func BotsPage(ctx context.Context, source func(context.Context) (ops.Status, error), version string) http.Handler {
	mux := http.NewServeMux()
	serveAssets(mux)
	api.NewFeed(ctx, source, maxWatchers).Routes(mux)
	own := botsRoom
	own.Path = "/"
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		v := view{Room: own, Rooms: []room{own}, Version: version, Bots: true}
		if st, err := source(r.Context()); err == nil {
			v.Status = &st
		}
		render(w, r, v)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		harden(w.Header())
		if !sameOrigin(r) {
			http.Error(w, "the request comes from another site", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	})
}
