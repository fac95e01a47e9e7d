package bot

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"
	"time"

	"fibsbot/bot/archive"
	"fibsbot/bot/fibs"
	"fibsbot/bot/table"
	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
)

// quickTable is patient enough for a loopback server only.
func quickTable() table.Options {
	return table.Options{Patience: 250 * time.Millisecond, AutoRoll: 150 * time.Millisecond, Idle: 500 * time.Millisecond, Mend: true}
}

func quickAccount(name, addr, dir string) *Account {
	return &Account{Protocol: fibs.Protocol{},
		Name: name,
		Dial: fibs.Dialer(client.Options{Address: addr, Name: name, Password: clip.NewSecret("secret"),
			Pace: client.Pace{Gap: -1, ChatGap: -1, Burst: -1}, Goodbye: 100 * time.Millisecond}),
		Conduct: &Plain{Min: 1, Max: 99, Every: 10 * time.Millisecond, Backoff: Backoff{Min: 20 * time.Millisecond, Max: 100 * time.Millisecond}},
		Table:   quickTable(),
		Archive: archive.Options{Dir: dir, Server: addr},
	}
}

// TestKilledChild is the process that TestKill kills; alone it does nothing.
func TestKilledChild(t *testing.T) {
	addr, dir := os.Getenv("FIBSBOT_CHILD_ADDR"), os.Getenv("FIBSBOT_CHILD_DIR")
	if addr == "" {
		t.Skip("skipped: only as a child of TestKill")
	}
	a := quickAccount("bert", addr, dir)
	a.Log = testLog(t)
	if err := a.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// TestKill_archiveSurvivesKillMinusNine kills a playing bot at many moments. Each restart
// continues the same match, and at the end the archive equals the server's record: nothing
// is lost or doubled. Of three processes two are killed after some of their lines and one within
// 0.3 s, so that matches end however slow the machine is.
func TestKill_archiveSurvivesKillMinusNine(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("skipped: kills processes for several seconds")
	}
	var lines atomic.Int64 // of bert
	srv, addr := startServer(t, server.Options{Seed: 5, AutoAccounts: true, OnLine: func(_ context.Context, user, _ string, _ int) server.Fate {
		if user == "bert" {
			lines.Add(1)
		}
		return server.Carry
	}})
	dirAnna, dirBert := testDir(t, "anna"), testDir(t, "bert")
	ctx, cancel := context.WithTimeout(context.Background(), 9*time.Minute)
	defer cancel()

	const matches, setUp = 3, 6 // setUp lines are sent before a match
	over := make(chan struct{}, 100)
	anna := quickAccount("anna", addr, dirAnna)
	plain := anna.Conduct.(*Plain)
	plain.Invite, plain.Length = "bert", 3
	anna.Pace = func(table.Situation, table.Answer) time.Duration { return 4 * time.Millisecond }
	anna.Log = testLog(t)
	plain.Seen = func(m Observation) {
		if m.Over != nil {
			over <- struct{}{}
		}
	}
	annaDone := make(chan error, 1)
	go func() { annaDone <- anna.Run(ctx) }()

	rng := rand.New(rand.NewPCG(1, 2))
	start := func() (*exec.Cmd, chan error) {
		c := exec.Command(os.Args[0], "-test.run=^TestKilledChild$")
		c.Env = append(os.Environ(), "FIBSBOT_CHILD_ADDR="+addr, "FIBSBOT_CHILD_DIR="+dirBert)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- c.Wait() }()
		return c, done
	}
	ended, kills := 0, 0
	for ended < matches && ctx.Err() == nil {
		c, done := start()
		last, life := lines.Load()+setUp+1+rng.Int64N(25), time.Duration(rng.IntN(300))*time.Millisecond
		for began := time.Now(); ended < matches && ctx.Err() == nil; {
			if kills%3 < 2 && lines.Load() >= last || kills%3 == 2 && time.Since(began) >= life {
				break
			}
			select {
			case <-over:
				ended++
			case <-time.After(2 * time.Millisecond):
			case err := <-done:
				t.Fatalf("the bot ended by itself: %v", err)
			}
		}
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		<-done
		kills++
	}
	if ended < matches {
		t.Errorf("only %d of %d matches ended over %d kills", ended, matches, kills)
	}
	cancel()
	if err := <-annaDone; err != nil {
		t.Error(err)
	}
	t.Logf("%d matches, %d kills", ended, kills)

	// One quiet start files what the last kill interrupted.
	last := quickAccount("bert", addr, dirBert)
	last.Log = testLog(t)
	lastCtx, lastCancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer lastCancel()
	lastDone := make(chan error, 1)
	go func() { lastDone <- last.Run(lastCtx) }()
	finished := 0
	for _, r := range srv.Matches() {
		if r.Finished() {
			finished++
		}
	}
	for len(sgfFiles(t, dirBert)) < finished && lastCtx.Err() == nil {
		select {
		case <-lastCtx.Done():
		case <-time.After(20 * time.Millisecond):
		}
	}
	lastCancel()
	if err := <-lastDone; err != nil {
		t.Error(err)
	}
	compareArchive(t, srv, dirBert, "bert")
	compareArchive(t, srv, dirAnna, "anna")
}
