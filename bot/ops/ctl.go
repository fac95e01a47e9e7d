//go:build !js

package ops

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/user"
	"strconv"

	"fibsbot/internal/connlimit"
)

// maxOrder bounds the request of an order.
const maxOrder = 16 << 10

// onSocket adds the orders to the routes of the status socket. They have no other address.
func (s *Server) onSocket(next http.Handler) http.Handler {
	if s.Control == nil {
		return next
	}
	mux := http.NewServeMux()
	mux.Handle("/", next)
	mux.HandleFunc("POST /ctl", func(w http.ResponseWriter, r *http.Request) {
		var o Order
		dec := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxOrder))
		var reply Reply
		by, err := whoAsks(r)
		switch {
		case err != nil:
			reply = Reply{Order: o.Order, Answer: err.Error()}
		case dec.Decode(&o) != nil:
			reply = Misuse(&o, fmt.Errorf("not an order, or one of more than %d bytes", maxOrder))
		default:
			o.By = by
			reply = s.Control(r.Context(), o)
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(reply) // an error means that the client has gone
	})
	return mux
}

// whoAsks names the user at the other end of the socket, or returns an error for one who may not
// give orders. Only root and the user of this process may, whatever the mode of the file.
func whoAsks(r *http.Request) (string, error) {
	uid, pid, ok := peerOf(connlimit.Conn(r))
	if !ok {
		return "the status socket", nil
	}
	if uid != 0 && uid != os.Geteuid() {
		return "", errors.New("only root and the user of the bot may give orders")
	}
	name := "uid " + strconv.Itoa(uid)
	if u, err := user.LookupId(strconv.Itoa(uid)); err == nil {
		name = u.Username
	}
	return fmt.Sprintf("%s (process %d)", name, pid), nil
}

// Give sends an order to the process that listens on a socket file, and returns its answer.
func Give(ctx context.Context, socket string, o Order) (Reply, error) {
	var r Reply
	err := request(ctx, socket, http.MethodPost, "/ctl", o, &r)
	return r, err
}
