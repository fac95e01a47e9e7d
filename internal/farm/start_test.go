package farm

import (
	"errors"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fibsbot/internal/freeport"
	"fibsbot/internal/testsize"
)

// TestServe_askedWhileItStarts: who asks before the farm has its streams is not let in to
// make them as well. The server ended then, in one of a hundred starts under load, because
// each found the room reserved by the other.
func TestServe_askedWhileItStarts(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	for range 10 {
		dir, at := t.TempDir(), freeport.On(t, "127.0.0.1")
		for _, r := range []Role{RoleSubmit, RoleWork} {
			if err := NewKey(dir, string(r), r, filepath.Join(dir, string(r)+".key")); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := serverCertificate(dir); err != nil { // the keys name it
			t.Fatal(err)
		}
		k, err := ReadKey(filepath.Join(dir, "submit.key"))
		if err != nil {
			t.Fatal(err)
		}
		var asking sync.WaitGroup
		for range 4 {
			asking.Go(func() {
				for {
					c, err := Dial("tls://"+at, k)
					if err != nil {
						time.Sleep(time.Millisecond) // not yet
						continue
					}
					defer c.Close()
					if _, err := c.Status(t.Context()); err != nil {
						t.Error(err)
					}
					return
				}
			})
		}
		s, err := Serve(t.Context(), ServerOptions{Listen: at, Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		asking.Wait()
		s.Close()
	}
}

// TestClient_manyMakeTheStreams: submitters that connect at once to a cluster without a farm
// all continue.
func TestClient_manyMakeTheStreams(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	s := testServer(t, ServerOptions{})
	submitKey, _ := s.KeyFiles()
	for range 5 {
		c := client(t, s.URL(), submitKey)
		for _, name := range []string{taskStream, resultStream, blobStream, "KV_" + jobBucket, "KV_" + beatBucket} {
			if err := c.js.DeleteStream(t.Context(), name); err != nil {
				t.Fatal(err)
			}
		}
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				if err := client(t, s.URL(), submitKey).ready(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
}

// TestServe_addressTaken is told at once, before a word about the disk and without keys made
// for another farm's folder being touched.
func TestServe_addressTaken(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	said := ""
	_, err = Serve(t.Context(), ServerOptions{Listen: l.Addr().String(), Dir: t.TempDir(), Log: func(text string) { said += text },
		free: func(string) int64 { return 1 << 30 }})
	if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), l.Addr().String()) || said != "" {
		t.Errorf("%v, said %q", err, said)
	}
}
