package bgammon_test

import (
	"context"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"fibsbot/bgammon/client"
	"fibsbot/bgammon/server"
	"fibsbot/bot"
	"fibsbot/bot/bgammon"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
)

// quickAccount is one of the two bots of the test, patient enough for a loopback server
// only.
func quickAccount(name, joins, addr, dir string, pace time.Duration) *bot.Account {
	p := bgammon.Protocol{Client: func(o *client.Options) { o.Goodbye = 100 * time.Millisecond }}
	a := account(p, name, joins, dir, 3, 0)
	a.Dial = bot.Dialer(p, func() (protocol.Login, error) {
		return protocol.Login{Address: addr, Name: name, Gap: -1, ChatGap: -1, Plays: true}, nil
	})
	a.Archive.Server = addr
	a.Conduct.(*bot.Plain).Backoff = bot.Backoff{Min: 20 * time.Millisecond, Max: 100 * time.Millisecond}
	a.Table = table.Options{Patience: 250 * time.Millisecond, Idle: 500 * time.Millisecond, Parting: 200 * time.Millisecond}
	a.Pace = func(table.Situation, table.Answer) time.Duration { return pace }
	return a
}

// TestKilledChild is the process that TestKill kills; alone it does nothing.
func TestKilledChild(t *testing.T) {
	addr, dir := os.Getenv("FIBSBOT_CHILD_ADDR"), os.Getenv("FIBSBOT_CHILD_DIR")
	if addr == "" {
		t.Skip("skipped: only as a child of TestKill")
	}
	if err := quickAccount("BOT_alpha", "", addr, dir, 0).Run(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// TestKill_archiveSurvivesKillMinusNine kills a playing bot at many moments. The server
// keeps its seat, and each restart resumes the same match. In the end both archives equal the
// server's record: nothing is lost or doubled, and a hole is only where the server did not
// report a turn. Of three processes two are killed after some acts of the match and one within
// 0.3 s, so that matches end however slow the machine is. FIBSBOT_KILLS sets the number of matches.
func TestKill_archiveSurvivesKillMinusNine(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: kills processes for several seconds")
	}
	t.Parallel()
	matches := 2
	if n, err := strconv.Atoi(os.Getenv("FIBSBOT_KILLS")); err == nil && n > 0 {
		matches = n
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr, srv, dirs := l.Addr().String(), server.New(server.Options{Seed: 5, First: 1000}), [2]string{t.TempDir(), t.TempDir()}
	if k := os.Getenv("FIBSBOT_TEST_KEEP"); k != "" {
		dirs = [2]string{k + "/a", k + "/b"}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(matches)*time.Minute+6*time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	defer wg.Wait()
	serving, closeServer := context.WithCancel(context.Background())
	defer closeServer()
	wg.Go(func() { _ = srv.Serve(serving, l) })
	beta := quickAccount("BOT_beta", "BOT_alpha", addr, dirs[1], 4*time.Millisecond)
	betaDone := make(chan error, 1)
	go func() { betaDone <- beta.Run(ctx) }()
	played := func() (over, acts int) {
		for _, m := range srv.Matches() {
			if m.Over {
				over++
			}
			for _, g := range m.Games {
				acts += len(g.Acts)
			}
		}
		return over, acts
	}

	rng := rand.New(rand.NewPCG(1, 2))
	kills, ended := 0, 0
	for ; ended < matches && ctx.Err() == nil; kills++ {
		c := exec.Command(os.Args[0], "-test.run=^TestKilledChild$")
		c.Env = append(os.Environ(), "FIBSBOT_CHILD_ADDR="+addr, "FIBSBOT_CHILD_DIR="+dirs[0])
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- c.Wait() }()
		_, before := played()
		acts, life := before+1+rng.IntN(25), time.Duration(rng.IntN(300))*time.Millisecond
		for began, now := time.Now(), before; ended < matches && ctx.Err() == nil; ended, now = played() {
			if kills%3 < 2 && now >= acts || kills%3 == 2 && time.Since(began) >= life {
				break
			}
			select {
			case <-time.After(2 * time.Millisecond):
			case err := <-done:
				t.Fatalf("the bot ended by itself: %v", err)
			}
		}
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		<-done
	}
	if ended < matches {
		t.Errorf("only %d of %d matches ended over %d kills", ended, matches, kills)
	}

	// One quiet start files what the last kill interrupted.
	last := quickAccount("BOT_alpha", "", addr, dirs[0], 0)
	last.Conduct = &bot.Plain{Backoff: bot.Backoff{Min: 20 * time.Millisecond, Max: 100 * time.Millisecond}} // opens nothing more
	lastCtx, lastCancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer lastCancel()
	lastDone := make(chan error, 1)
	go func() { lastDone <- last.Run(lastCtx) }()
	for lastCtx.Err() == nil {
		files, err := filepath.Glob(filepath.Join(dirs[0], "*.sgf"))
		if err != nil {
			t.Fatal(err)
		}
		open, err := filepath.Glob(filepath.Join(dirs[0], "open", "*.journal"))
		if err != nil {
			t.Fatal(err)
		}
		if ended, _ = played(); len(files) >= ended && len(open) == 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	lastCancel()
	if err := <-lastDone; err != nil {
		t.Error(err)
	}
	cancel()
	if err := <-betaDone; err != nil {
		t.Error(err)
	}
	torn, cut := compare(t, srv, dirs)
	t.Logf("%d matches, %d kills; %d games have a marked hole, %d matches no end", ended, kills, torn, cut)
}
