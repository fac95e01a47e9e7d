//go:build !js

package api

import (
	"errors"
	"net/http"
	"time"

	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/cmd/fibsbot/internal/play/lobby"
)

// errNoOnline: this edition has no connections to servers.
var errNoOnline = &Problem{Status: http.StatusNotFound, Text: "this program has no accounts on servers"}

// OnlineCommand is a line as typed in the terminal.
type OnlineCommand struct {
	Line string `json:"line"`
}

// OnlineAct is an act at the board of a server.
type OnlineAct struct {
	Kind  string `json:"kind"`
	Play  string `json:"play,omitempty"`
	Level int    `json:"level,omitempty"`
}

// onlineRoutes are the operations of a person's account on a server.
func (a *API) onlineRoutes() []route {
	return []route{
		{method: "GET", path: "/online", summary: "Return the state of your account on a server", out: lobby.State{}, call: with(a.online(func(lobby.Desk, any) error { return nil }))},
		{method: "POST", path: "/online", summary: "Log in to a server", out: lobby.State{}, call: with(a.login)},
		{method: "DELETE", path: "/online", summary: "Log out", out: lobby.State{}, call: with(a.online(func(d lobby.Desk, _ any) error { d.Logout(); return nil }))},
		{method: "GET", path: "/online/players", summary: "List the players on the server, the highest rated first", out: []lobby.Player{}, call: with(a.players)},
		{method: "POST", path: "/online/commands", summary: "Obey a command of the terminal, such as invite bob 5", out: lobby.State{},
			call: with(onlineBody(a, func(d lobby.Desk, q OnlineCommand) error { return d.Command(q.Line) }))},
		{method: "POST", path: "/online/acts", summary: "Roll, play, double, answer or resign in the match on the server", out: lobby.State{},
			call: with(onlineBody(a, func(d lobby.Desk, q OnlineAct) error {
				return d.Act(play.Act{Kind: play.Kind(q.Kind), Play: q.Play, Level: q.Level})
			}))},
		{method: "GET", path: "/online/events", summary: "Stream the state as server-sent events, one \"online\" at each change", raw: a.onlineEvents, kind: "text/event-stream"},
	}
}

// onlineBody is a handler that does something at the desk and answers its state.
func onlineBody[T any](a *API, do func(lobby.Desk, T) error) func(*http.Request, T) (any, error) {
	return func(_ *http.Request, q T) (any, error) {
		d := a.desk
		if d == nil {
			return nil, errNoOnline
		}
		err := do(d, q)
		switch {
		case errors.Is(err, lobby.ErrBusy), errors.As(err, &lobby.Late{}):
			return nil, &Problem{Status: http.StatusConflict, Text: err.Error()}
		case err != nil:
			return nil, &Problem{Status: http.StatusBadRequest, Text: err.Error()}
		}
		return d.State(), nil
	}
}

func (a *API) online(do func(lobby.Desk, any) error) func(*http.Request, any) (any, error) {
	return onlineBody(a, do)
}

func (a *API) login(r *http.Request, q lobby.Login) (any, error) {
	return onlineBody(a, func(d lobby.Desk, q lobby.Login) error { return d.Login(q) })(r, q)
}

func (a *API) players(*http.Request, any) (any, error) {
	if a.desk == nil {
		return nil, errNoOnline
	}
	return a.desk.Players(), nil
}

// onlineEvents streams the state. Floods of changes are one event each tenth of a second.
func (a *API) onlineEvents(w http.ResponseWriter, r *http.Request) {
	d := a.desk
	if d == nil {
		fail(w, errNoOnline)
		return
	}
	a.send(w, r, a.onlineWatch.join, func() (event string, data any, last bool) {
		time.Sleep(onlinePause)
		return "online", d.State(), false
	})
}

// onlinePause is the shortest time between two events of a stream.
const onlinePause = 50 * time.Millisecond
