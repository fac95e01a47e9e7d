package watch_test

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fibsbot/bot"
	"fibsbot/bot/archive/archivetest"
	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
	"fibsbot/bot/watch"
	"fibsbot/engine/record/sgf"
	"fibsbot/fibs/server"
	"fibsbot/internal/testsize"
)

// eager doubles before its first roll of each game but the first.
type eager struct {
	bot.Link
	may bool
}

// Send implements bot.Link.
func (e *eager) Send(c protocol.Command, valid func() bool) error {
	switch c.(type) {
	case protocol.Roll:
		if e.may {
			e.may, c = false, protocol.Double{}
		}
	case protocol.Next:
		e.may = true
	}
	return e.Link.Send(c, valid)
}

// Two clients may agree to play without the Crawford rule: a double in what would be its game
// shows it. The archives of the players and of a spectator are sound.
func TestRun_withoutCrawford(t *testing.T) {
	testsize.Medium(t)
	start := make(chan struct{})
	st := play(t, 7, server.Quirks{}, start, nil)
	link := st.spectator(t)
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var once sync.Once
	if err := watch.Run(ctx, link, watch.Options{Protocol: fibs.Protocol{},
		Me: "carla", Server: st.addr, Config: watchConfig("anna"), Dir: dir, Waiting: 2000, Settle: time.Millisecond,
		Report: func(r watch.Report) {
			if r.Topic == watch.Watching {
				once.Do(func() { close(start) })
			}
		},
	}, 1); err != nil {
		t.Fatal(err)
	}
	st.stop()
	want := turns(t, ofServer(st.srv.Matches()[0]))
	for _, dir := range append(st.dirs[:], dir) {
		notes := archivetest.Sound(t, dir, fibs.Protocol{})
		if len(notes) != 1 || notes[0].Problem != "played without the Crawford rule" {
			t.Errorf("notes: %v", notes)
		}
		files, _ := filepath.Glob(filepath.Join(dir, "*.sgf"))
		m, _, err := sgf.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, turns(t, m)); diff != "" {
			t.Errorf("%s differs (-server +file):\n%s", files[0], diff)
		}
	}
}
