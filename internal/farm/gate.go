package farm

import (
	"encoding/base64"
	"fmt"
	"sync/atomic"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

// gate admits clients with a key of the list, which may change at any time. The NATS server has
// key lists of its own, but checks all clients again when they change, and then rejects those
// that have not sent their key yet.
type gate struct {
	list atomic.Pointer[map[string]Role] // roles by public key
}

// serverRole is the server's own role, with the rights of a submitter.
const serverRole Role = "server"

// leftOutRole is the role of a worker whose key is left out.
const leftOutRole Role = "left out"

// Check reports whether the new client c has a key of the list and signed the server's challenge
// with it, and gives it its rights.
func (g *gate) Check(c server.ClientAuthentication) bool {
	said := c.GetOpts()
	role, known := (*g.list.Load())[said.Nkey]
	if !known {
		return false
	}
	signed, err := base64.RawURLEncoding.DecodeString(said.Sig)
	if err != nil {
		return false
	}
	key, err := nkeys.FromPublicKey(said.Nkey)
	if err != nil || key.Verify(c.GetNonce(), signed) != nil {
		return false
	}
	u := &server.User{}
	switch role {
	case RoleWork:
		u.Permissions = workerRights(said.Nkey)
	case leftOutRole:
		u.Permissions = leftOutRights(said.Nkey)
	}
	c.RegisterUser(u)
	return true
}

// change sets the list. It disconnects clients that are not on it or have another role there.
func (g *gate) change(list map[string]Role, nats *server.Server) error {
	old := *g.list.Swap(&list)
	// A client that the old list admitted had sent its key before, so it is among the
	// connections with that key now.
	there, err := nats.Connz(&server.ConnzOptions{Username: true, Limit: 1 << 20})
	if err != nil {
		return fmt.Errorf("connections: %w", err)
	}
	for _, c := range there.Conns {
		if key := c.AuthorizedUser; key != "" && list[key] != old[key] {
			_ = nats.DisconnectClientByID(c.Cid) // an error means that it has gone
		}
	}
	return nil
}
