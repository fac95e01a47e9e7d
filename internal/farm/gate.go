package farm

import (
	"encoding/base64"
	"fmt"
	"sync/atomic"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

// gate lets into the server who has a key of the list, which may change while others
// come. The server below has lists of keys of its own, but looks at everyone again when
// they change: who was about to say its key then has none yet, and was turned away.
type gate struct {
	list atomic.Pointer[map[string]Role] // roles by public key
}

// serverRole is the server's own, which may do all as a submitter may.
const serverRole Role = "server"

// leftOutRole is a worker's whose key is left out.
const leftOutRole Role = "left out"

// Check tells whether c, which has just said who it is, has a key of the list and has
// signed the server's challenge with it, and gives it its rights.
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

// change lets in those of list from now on, and out who is there and is not on it, or
// with another role.
func (g *gate) change(list map[string]Role, nats *server.Server) error {
	old := *g.list.Swap(&list)
	// Who was let in by the old list has said its key before it was looked up there, so it
	// is among the connections with that key now.
	there, err := nats.Connz(&server.ConnzOptions{Username: true, Limit: 1 << 20})
	if err != nil {
		return fmt.Errorf("connections: %w", err)
	}
	for _, c := range there.Conns {
		if key := c.AuthorizedUser; key != "" && list[key] != old[key] {
			_ = nats.DisconnectClientByID(c.Cid) // an error says that it has gone
		}
	}
	return nil
}
