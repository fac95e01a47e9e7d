package index

import (
	"context"
	"errors"
)

// errNoServer means that a browser cannot reach a database server.
var errNoServer = errors.New("open index: a browser reaches no database server (leave the DSN empty)")

// openRows returns rows in memory, see Open.
func openRows(_ context.Context, _, dsn string) (rows, error) {
	if dsn != "" {
		return nil, errNoServer
	}
	return newMemory(), nil
}

// readRows returns the error: memory can be written.
func readRows(_ context.Context, _ string, why error) (rows, error) { return nil, why }

// damagedFile returns false: the index has no file.
func damagedFile(error) bool { return false }
