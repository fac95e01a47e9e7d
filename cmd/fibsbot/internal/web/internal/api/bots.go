//go:build !js

package api

import (
	"net/http"

	"fibsbot/bot/ops"
)

// botRoutes are the operations of a running bot.
func (a *API) botRoutes() []route {
	return []route{
		{method: "GET", path: "/bots", summary: "Return the status of the running bot", out: ops.Status{}, raw: a.ofFeed((*Feed).answer)},
		{method: "GET", path: "/bots/events", summary: "Stream it as server-sent events: \"bots\" at each change, \"gone\" while no bot answers", raw: a.ofFeed((*Feed).events), kind: "text/event-stream"},
		{method: "POST", path: "/bots/orders", summary: "Give the running bot an order of fibsbot ctl; needs a token", out: ops.Reply{}, call: with(a.order)},
	}
}

// room is the feed of the running bot, nil if no bot is configured.
type room struct{ feed *Feed }

// openRoom starts the feed.
func (a *API) openRoom() {
	if a.opt.Bots != nil {
		a.feed = NewFeed(a.ctx, a.bots, maxStreams)
	}
}

// ofFeed is a handler of the feed of the bot.
func (a *API) ofFeed(do func(*Feed, http.ResponseWriter, *http.Request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if a.feed == nil {
			fail(w, &Problem{Status: http.StatusNotFound, Text: "no bot configured (start fibsbot web with -c bot.yaml)"})
			return
		}
		do(a.feed, w, r)
	}
}

// errNoOrders: there is no bot, or visitors need no token.
var errNoOrders = &Problem{Status: http.StatusForbidden, Text: "orders need a token (start fibsbot web with --token-file FILE and the bot's bot.yaml)"}

// order gives an order to the running bot, as fibsbot ctl does.
func (a *API) order(r *http.Request, o ops.Order) (any, error) {
	if a.opt.Order == nil {
		return nil, errNoOrders
	}
	if _, err := o.Check(); err != nil {
		return nil, bad("order", "%v", err)
	}
	reply, err := a.opt.Order(r.Context(), o)
	switch {
	case err != nil:
		return nil, &Problem{Status: http.StatusNotFound, Text: err.Error()}
	case reply.Misused:
		return nil, bad("order", "%s", reply.Answer)
	}
	return reply, nil
}
