package host

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sirupsen/logrus"
	logtest "github.com/sirupsen/logrus/hooks/test"

	"fibsbot/bot"
	"fibsbot/bot/archive/archivetest"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/fibs"
	"fibsbot/bot/ops"
	"fibsbot/fibs/server"
)

// moving is a connection to one server, and after move to another one without its data.
type moving struct {
	mu   sync.Mutex
	to   string
	open []net.Conn
}

func (m *moving) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c, err := new(net.Dialer).DialContext(ctx, network, m.to)
	if err == nil {
		m.open = append(m.open, c)
	}
	return c, err
}

func (m *moving) move(to string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.to = to
	for _, c := range m.open {
		c.Close()
	}
}

// TestMatch_serverHasItNoMore: a match that the server has lost is filed at once, with all files
// of a finished match, and the log says why.
func TestMatch_serverHasItNoMore(t *testing.T) {
	_, addr := startServer(t, server.Options{Seed: 5})
	_, other := startServer(t, server.Options{Seed: 6})
	c := testConfig(t, addr, "robbie")
	c.Archive.Formats = []string{"sgf", "oldmoves", "mat"}
	line := &moving{to: addr}
	log, hook := logtest.NewNullLogger()
	log.SetLevel(logrus.InfoLevel)
	h := startHost(t, c, func(o *Options) {
		o.Log, o.Protocols = log, onFIBS(fibs.Protocol{Connect: line.dial})
	})
	var once sync.Once
	played := make(chan struct{})
	spar(t, addr, "human", "robbie", 9, 0, func(m bot.Observation) {
		if m.Table != nil && len(m.Table.Snapshot().Acts) > 8 {
			once.Do(func() { close(played) })
		}
	})
	select {
	case <-played:
	case <-time.After(patience):
		t.Fatal("no match")
	}
	line.move(other)
	h.until("not filed", func(ops.Status) bool { // its row may be in the index before its files are whole
		metas, _ := filepath.Glob(filepath.Join(c.Archive.Dir, "*.json"))
		return len(metas) == 1 && indexRows(t, c.Archive.Dir) == 1
	})
	files, err := filepath.Glob(filepath.Join(c.Archive.Dir, "*.sgf"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	for _, ext := range []string{".fibs", ".mat", ".json"} {
		if found, err := filepath.Glob(strings.TrimSuffix(files[0], ".sgf") + ext); err != nil || len(found) != 1 {
			t.Errorf("%s: %q, %v", ext, found, err)
		}
	}
	if meta, err := index.ReadMeta(files[0]); err != nil || meta.Account != "robbie" || meta.Preset != "beginner" || meta.Finished.IsZero() {
		t.Errorf("%+v, %v", meta, err)
	}
	// Any of these files may contain private messages.
	err = filepath.WalkDir(c.Archive.Dir, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // the folder of a change, which ends
		}
		if err != nil {
			return err
		}
		if info, err := e.Info(); err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is open to others: %v", path, info.Mode())
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	for _, e := range hook.AllEntries() {
		if e.Message == "match filed without an end" && e.Data["opponent"] == "human" &&
			e.Data["reason"] == "the server no longer has the match" {
			archivetest.Sound(t, c.Archive.Dir, fibs.Protocol{})
			return
		}
	}
	t.Error("the log does not say why the match was filed")
}
