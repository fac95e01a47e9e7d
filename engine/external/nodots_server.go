package external

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"fibsbot/engine/cube"
	"fibsbot/engine/match"
)

// maxBody bounds a request and an answer over HTTP; real ones have under 2 kB.
const maxBody = 64 << 10

// NodotsHandler answers the Nodots engine protocol, version 1: POST /v1/move, /v1/double,
// /v1/take and /v1/resign, GET /v1/health.
func (x Player) NodotsHandler() http.Handler {
	mux := http.NewServeMux()
	for path, ask := range map[string]func(context.Context, *nodotsRequest) (any, error){
		"/v1/move": x.nodotsMove, "/v1/double": x.nodotsDouble, "/v1/take": x.nodotsTake, "/v1/resign": x.nodotsResign,
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodPost {
				w.Header().Set("Allow", http.MethodPost)
				reply(w, http.StatusMethodNotAllowed, &nodotsFault{Code: badRequest, Message: "want POST"})
				return
			}
			var q nodotsRequest
			body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
			if err == nil {
				err = json.Unmarshal(body, &q)
			}
			if err != nil {
				reply(w, http.StatusBadRequest, &nodotsFault{Code: badRequest, Message: "the body is not JSON of this protocol: " + oneLine(err)})
				return
			}
			answer, err := ask(r.Context(), &q)
			if err != nil {
				fault, status := faultOf(err)
				reply(w, status, fault)
				return
			}
			writeJSON(w, http.StatusOK, answer)
		})
	}
	mux.HandleFunc("/v1/health", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, nodotsHealth{Status: "ok", EngineName: "fibsbot", EngineVersion: x.Version, ProtocolVersion: nodotsVersion})
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		reply(w, http.StatusNotFound, &nodotsFault{Code: unsupported, Message: "no such address (use /v1/move, double, take, resign, health)"})
	})
	return mux
}

// faultOf returns the protocol's error for err and its HTTP status.
func faultOf(err error) (*nodotsFault, int) {
	var f *nodotsFault
	switch {
	case errors.As(err, &f):
		return f, http.StatusBadRequest
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return &nodotsFault{Code: timedOut, Message: "stopped before an answer was found"}, http.StatusGatewayTimeout
	case errors.Is(err, match.ErrScore), errors.Is(err, match.ErrBadSituation):
		return &nodotsFault{Code: badRequest, Message: oneLine(err)}, http.StatusBadRequest
	}
	return &nodotsFault{Code: internalFault, Message: oneLine(err)}, http.StatusInternalServerError
}

func reply(w http.ResponseWriter, status int, f *nodotsFault) {
	writeJSON(w, status, map[string]*nodotsFault{"error": f})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client has gone
}

func (x Player) nodotsMove(ctx context.Context, r *nodotsRequest) (any, error) {
	q, err := r.board()
	if err != nil {
		return nil, err
	}
	if q.Dice, err = r.roll(); err != nil {
		return nil, err
	}
	c, ok, err := x.Engine.BestPlay(ctx, q.Position, q.Dice, q.State, x.Preset)
	if err != nil || !ok {
		return nodotsMoves{Moves: []nodotsStep{}}, err
	}
	return nodotsMoves{Moves: nodotsSteps(q.Position, &c.Play, r.Colour)}, nil
}

func (x Player) nodotsDouble(ctx context.Context, r *nodotsRequest) (any, error) {
	q, err := r.board()
	if err != nil {
		return nil, err
	}
	double, d, err := x.Engine.Double(ctx, q.Position, q.State, x.Preset)
	action := "no-double"
	switch {
	case double && q.State.Owner == match.Mine:
		action = "redouble"
	case double:
		action = "double"
	case d.Action == cube.TooGoodTake || d.Action == cube.TooGoodPass:
		action = "too-good"
	}
	return nodotsAction{action}, err
}

// nodotsTake answers for the active player, whom the opponent has doubled.
func (x Player) nodotsTake(ctx context.Context, r *nodotsRequest) (any, error) {
	q, err := r.board()
	if err != nil {
		return nil, err
	}
	a, err := x.Engine.TakeDecision(ctx, q.Position.Swap(), q.State.Swap(), x.Preset)
	switch {
	case a.Beaver:
		return nodotsAction{"beaver"}, err
	case a.Take:
		return nodotsAction{"take"}, err
	}
	return nodotsAction{"drop"}, err
}

func (x Player) nodotsResign(ctx context.Context, r *nodotsRequest) (any, error) {
	q, err := r.board()
	if err != nil {
		return nil, err
	}
	level, err := x.Engine.ResignOffer(ctx, q, x.Preset)
	return nodotsAction{[...]string{"none", "single", "gammon", "backgammon"}[max(0, min(3, level))]}, err
}
