package watch_test

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fibsbot/bot"
	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
	"fibsbot/bot/watch"
	"fibsbot/engine"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/fibs/server"
	"fibsbot/internal/testsize"
)

// doubler doubles whenever possible and takes every double.
type doubler struct{ table.Simple }

// Decide implements table.Decider.
func (d doubler) Decide(ctx context.Context, s table.Situation) (table.Answer, error) {
	switch {
	case s.Ask == table.AskRoll && s.MayDouble && s.State.Cube < 4:
		return table.Answer{Action: table.Double}, nil
	case s.Ask == table.AskTake:
		return table.Answer{Action: table.Take}, nil
	}
	return d.Simple.Decide(ctx, s)
}

// animals answers a double with a beaver, raccoon and so on, as often as the server allows.
type animals struct {
	bot.Link
	events chan protocol.Event
	mu     sync.Mutex
	may    bool
}

// beaverer makes a connection on which every double becomes a beaver.
func beaverer(l bot.Link) bot.Link {
	a := &animals{Link: l, events: make(chan protocol.Event)}
	go func() {
		defer close(a.events)
		for ev := range l.Events() {
			if ev.Kind == protocol.Doubles || ev.Kind == protocol.Redoubles {
				a.mu.Lock()
				a.may = ev.MayBeaver
				a.mu.Unlock()
			}
			a.events <- ev
		}
	}()
	return a
}

func (a *animals) Events() <-chan protocol.Event { return a.events }

func (a *animals) Close() error {
	err := a.Link.Close()
	for range a.events { // the reader has gone; let the goroutine end
	}
	return err
}

func (a *animals) Send(c protocol.Command, valid func() bool) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, take := c.(protocol.Take); take && a.may {
		a.may = false
		return a.Link.Send(protocol.Beaver{}, valid)
	}
	return a.Link.Send(c, valid)
}

// TestRun_beaversAndRaccoons watches an unlimited match in which every double is
// beavered and every beaver raccooned, and compares the record with the server's.
func TestRun_beaversAndRaccoons(t *testing.T) {
	testsize.Medium(t)
	start := make(chan struct{})
	st := play(t, 0, server.Quirks{}, start, nil)
	link := st.spectator(t)
	e, err := engine.Open(engine.Options{Threads: 1, NoBearoff: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	pr, err := preset.ByName("beginner")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var once sync.Once
	var seen *record.Match
	games, kinds, wrong := 0, map[watch.Kind]int{}, 0
	const enough = 4
	err = watch.Run(ctx, link, watch.Options{Protocol: fibs.Protocol{},
		Me: "carla", Server: st.addr, Config: watchConfig("anna"), Dir: dir, Judge: watch.NewJudge(e, pr, nil), Waiting: 20000,
		Settle: time.Millisecond,
		Report: func(r watch.Report) {
			switch r.Topic {
			case watch.Watching:
				once.Do(func() { close(start) })
			case watch.Judged:
				kinds[r.Judgement.Kind]++
				if r.Judgement.Err != nil {
					t.Errorf("%s %s: %v", r.Judgement.Name(), r.Judgement.Did, r.Judgement.Err)
				}
				if r.Judgement.Kind == watch.Beaver && r.Judgement.Loss > 0 {
					wrong++
				}
			case watch.Missed:
				t.Errorf("a gap in game %d", r.Game+1)
			case watch.GameEnd:
				seen = r.Match
				if games++; games == enough {
					cancel()
				}
			}
		},
	}, 0)
	if err != nil {
		t.Fatal(err)
	}
	st.stop()
	if games < enough {
		t.Fatalf("%d games seen", games)
	}
	want := turns(t, ofServer(st.srv.Matches()[0]))[:enough]
	if diff := cmp.Diff(want, turns(t, seen)[:enough]); diff != "" {
		t.Errorf("the record differs from the server's (-server +watcher):\n%s", diff)
	}
	if kinds[watch.Beaver] < 2*kinds[watch.Double]-2 || kinds[watch.Double] < enough {
		t.Errorf("decisions %v: a beaver and a raccoon follow each double but the last", kinds)
	}
	if wrong == 0 {
		t.Error("no beaver was wrong, though they beavered whatever came")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.sgf"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v %v", files, err)
	}
	m, _ := readFiles(t, dir)
	if diff := cmp.Diff(want, turns(t, m)[:enough]); diff != "" {
		t.Errorf("the .sgf differs (-server +file):\n%s", diff)
	}
}
