//go:build unix

package index

import (
	"net"
	"strings"
	"testing"

	"fibsbot/internal/postgrestest"
	"fibsbot/internal/testsize"
)

func TestIndex_PostgreSQL(t *testing.T) {
	testsize.Medium(t)
	dsn := postgrestest.New(t).DSN
	exercise(t, func(dir string) *DB { return open(t, dir, dsn) })
}

func TestOpen_hidesTheDSN(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	_, err = Open(t.Context(), t.TempDir(), "postgres://bot:correcthorse@"+addr+"/x")
	if err == nil || strings.Contains(err.Error(), "correcthorse") {
		t.Errorf("got %v", err)
	}
}

func TestOpen_indexOfBefore_PostgreSQL(t *testing.T) {
	testsize.Medium(t)
	indexOfBefore(t, postgrestest.New(t).DSN)
}
