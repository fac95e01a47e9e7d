package farm

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"fibsbot/internal/testsize"
)

// TestGate_readAgain: who comes while the list of users is read again is let in. The server
// looks at everyone when its own list changes, and turned away who had not said its key yet.
func TestGate_readAgain(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	s := testServer(t, ServerOptions{})
	submit, _ := s.KeyFiles()
	k, err := ReadKey(submit)
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if err := s.letIn(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
	for range 40 {
		c, err := Dial(s.URL(), k)
		if err != nil {
			t.Error(err)
			break
		}
		c.Close()
	}
	close(stop)
	wg.Wait()
}

// TestGate_change: a list without a key ends its connections, and only its; a key with
// another role comes back with the rights of that.
func TestGate_change(t *testing.T) {
	t.Parallel()
	s := testServer(t, ServerOptions{})
	path := filepath.Join(t.TempDir(), "second.key")
	if err := NewKey(s.dir, "second", RoleWork, path); err != nil {
		t.Fatal(err)
	}
	if err := s.letIn(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, first := s.KeyFiles()
	stays, goes := client(t, s.URL(), first), client(t, s.URL(), path)
	users := filepath.Join(s.dir, usersFile)
	text, err := os.ReadFile(users)
	if err != nil {
		t.Fatal(err)
	}
	rewrite := func(role Role) {
		t.Helper()
		var lines []string
		for line := range strings.Lines(string(text)) {
			if f := strings.Fields(line); len(f) == 3 && f[1] == "second" {
				if line = ""; role != "" {
					line = fmt.Sprintln(role, f[1], f[2])
				}
			}
			lines = append(lines, line)
		}
		if err := writeOwn(users, 0o600, []byte(strings.Join(lines, ""))); err != nil {
			t.Fatal(err)
		}
		if err := s.letIn(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	gone := func(c *Client) bool {
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if c.nc.Stats().Reconnects > 0 || c.nc.Status() != nats.CONNECTED {
				return true
			}
		}
		return false
	}
	rewrite(RoleSubmit)
	if !gone(goes) {
		t.Error("a key with another role keeps the rights it had")
	}
	again := client(t, s.URL(), path)
	if _, err := again.jobs(t.Context()); err != nil {
		t.Errorf("a submitter's rights: %v", err)
	}
	rewrite("")
	if !gone(again) {
		t.Error("a withdrawn key keeps its connection")
	}
	k, err := ReadKey(path)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := Dial(s.URL(), k); err == nil {
		c.Close()
		t.Error("a withdrawn key is let in")
	}
	if n := stays.nc.Stats().Reconnects; n != 0 || stays.nc.Status() != nats.CONNECTED {
		t.Errorf("who stays on the list: %d reconnects, %v", n, stays.nc.Status())
	}
}

// TestReadKey_certificateLikeAKey: a line of a certificate may begin with the letters of a key.
func TestReadKey_certificateLikeAKey(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "k.key")
	ca := "-----BEGIN CERTIFICATE-----\nSUdFUgo=\n-----END CERTIFICATE-----\n"
	public, err := writeKey("k", RoleWork, path, []byte(ca))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"after the key": string(text), "before it": ca + string(text)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if k, err := ReadKey(path); err != nil || k.public != public {
			t.Errorf("%s: %v, %v", name, k, err)
		}
	}
}

// TestGate_signature: a public key is not enough.
func TestGate_signature(t *testing.T) {
	t.Parallel()
	s := testServer(t, ServerOptions{})
	submit, work := s.KeyFiles()
	k, err := ReadKey(submit)
	if err != nil {
		t.Fatal(err)
	}
	other, err := ReadKey(work)
	if err != nil {
		t.Fatal(err)
	}
	for name, sign := range map[string]func([]byte) ([]byte, error){
		"its own":    k.pair.Sign,
		"another's":  other.pair.Sign,
		"of another": func([]byte) ([]byte, error) { return k.pair.Sign([]byte("something else")) },
		"none":       func([]byte) ([]byte, error) { return nil, nil },
	} {
		nc, err := nats.Connect(s.URL(), append(k.options(s.URL()), nats.Nkey(k.public, sign), nats.NoReconnect())...)
		if err == nil {
			nc.Close()
		}
		if (err == nil) != (name == "its own") {
			t.Errorf("signature %s: %v", name, err)
		}
	}
}
