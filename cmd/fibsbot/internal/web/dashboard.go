package web

import (
	"context"
	"net/http"

	"fibsbot/bot/ops"
	"fibsbot/cmd/fibsbot/internal/web/internal/api"
)

// maxWatchers bounds the streams of one bot's page.
const maxWatchers = 128

// BotsPage is the room of the bots alone, for the process that runs them to show at
// dashboard.listen: one page, its files, and what it asks. Nothing on it changes
// anything. source is the view of the present moment; ctx ends the streams. Who may
// ask is for the server that holds it to say.
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
