package host

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/fibs"
	"fibsbot/bot/table"
	"fibsbot/config"
	"fibsbot/engine"
	"fibsbot/fibs/chaos"
	"fibsbot/fibs/client"
	"fibsbot/internal/testsize"
)

// patient is a configuration with the default waits.
func patient(t *testing.T, names ...string) *config.Config {
	c := config.Default()
	c.Server.Address = fibsAddress
	c.Archive.Dir, c.Archive.Analyse = filepath.Join(memoryDir(t), "archive"), "off"
	c.Logs.Dir = ""
	c.Strength.Preset = "expert"
	for _, n := range names {
		c.Accounts = append(c.Accounts, config.Account{Name: n, Password: "secret"})
	}
	return c
}

// hostIn starts a host in a world.
func (w *world) hostIn(c *config.Config, j *judge) *running {
	w.t.Helper()
	e, err := engine.Open(engine.Options{NoBearoff: true, Threads: 1, CacheMB: 4, Seed: 1})
	if err != nil {
		w.t.Fatal(err)
	}
	return startHost(w.t, c, func(o *Options) {
		o.Engine, o.Table = e, table.Options{}
		o.Protocols = onFIBS(fibs.Protocol{Connect: w.dial, Client: func(o *client.Options) {
			o.Transcript = j.listen(o.Name)
			j.dialled(o.Name, o.Pace)
		}})
	}, func(h *Host) { h.decided, h.loginGrace = j.decided, loginGrace })
}

// TestReconnect_within5s: within 5 s of the server's return the account is logged in and its
// match is resumed, however long the server was away and whether or not it announced that.
func TestReconnect_within5s(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	for _, tt := range []struct {
		away      time.Duration
		announced bool
	}{
		{0, false}, {time.Second, false}, {7 * time.Second, false}, {45 * time.Second, true}, {10 * time.Minute, false}, {3 * time.Hour, true},
	} {
		t.Run(fmt.Sprintf("%v, announced %v", tt.away, tt.announced), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				j := newJudge([]string{"host"})
				w := newWorld(t, 4, &chaos.Options{}, j)
				w.up()
				c := patient(t, "host")
				h := w.hostIn(c, j)
				_, leave := w.people("spar", []string{"host"}, []int{5}, time.Second)
				defer h.stop()
				defer leave()
				playing := func() bool { return h.Status().Accounts[0].State == "playing" }
				await(t, "no match", 5*time.Minute, playing)
				time.Sleep(time.Minute)
				if tt.announced {
					w.srv.Announce(true, time.Minute)
					time.Sleep(time.Minute)
				} else {
					w.proxy.CutAll()
				}
				w.down()
				time.Sleep(tt.away)
				w.up() // the other one is back within a second
				back := time.Now()
				await(t, "the loss was not noticed", time.Second, func() bool { return !h.Status().Accounts[0].Connected })
				await(t, "the match does not go on", time.Hour, func() bool {
					return h.Status().Accounts[0].Connected && playing()
				})
				took := time.Since(back)
				t.Logf("%v after the server's return", took.Round(time.Millisecond))
				if took > 5*time.Second {
					t.Errorf("the match goes on after %v", took)
				}
				time.Sleep(5 * time.Minute)
				if n, words := j.faults(); n > 0 {
					t.Errorf("%d faults: %v", n, words)
				}
			})
		})
	}
}

// await polls in the fake time of the test.
func await(t *testing.T, what string, limit time.Duration, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after %v: %s", limit, what)
		}
	}
}

// TestReconnect_limitsByCause: after a refusal of the server the account does not reconnect at
// once.
func TestReconnect_limitsByCause(t *testing.T) {
	testsize.Medium(t)
	synctest.Test(t, func(t *testing.T) {
		j := newJudge([]string{"host"})
		w := newWorld(t, 4, nil, j)
		w.up()
		c := patient(t, "host")
		h := w.hostIn(c, j)
		defer h.stop()
		up := func() bool { return h.Status().Accounts[0].Connected }
		await(t, "not logged in", time.Minute, up)

		// Another client logs in under our name.
		w.intrude("host", time.Minute)
		kicked := time.Now()
		await(t, "never came back", 2*time.Hour, up)
		least := c.Server.Reconnect.Kicked.Std()
		if d := time.Since(kicked) + time.Minute; d < least {
			t.Errorf("back %v after it was thrown out, at least %v wanted", d, least)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		j := newJudge([]string{"host"})
		w := newWorld(t, 4, nil, j)
		w.opt.Accounts = map[string]string{"host": "another"}
		w.up()
		h := w.hostIn(patient(t, "host"), j)
		defer h.stop()
		began := time.Now()
		await(t, "the status does not warn", time.Minute, func() bool {
			return strings.Contains(h.Status().Accounts[0].Waiting, "wrong name or password for host")
		})
		select {
		case <-h.done:
			if !errors.Is(h.err, bot.ErrBadLogin) {
				t.Errorf("ended with %v", h.err)
			}
			if d := time.Since(began); d < loginGrace || d > loginGrace+10*time.Minute {
				t.Errorf("given up after %v", d)
			}
		case <-time.After(24 * time.Hour):
			t.Error("a password that never worked is tried for ever")
		}
	})
}

// TestReconnect_refusedAfterALogin: while the server refuses a password that has worked, the
// account goes on trying, and so does the next process.
func TestReconnect_refusedAfterALogin(t *testing.T) {
	testsize.Medium(t)
	synctest.Test(t, func(t *testing.T) {
		j := newJudge([]string{"host"})
		w := newWorld(t, 4, nil, j)
		serve := func(password string) {
			w.opt.Data, w.opt.Accounts = filepath.Join(memoryDir(t), password), map[string]string{"host": password}
			w.up()
		}
		serve("secret")
		h := w.hostIn(patient(t, "host"), j)
		defer h.stop()
		up := func() bool { return h.Status().Accounts[0].Connected }
		await(t, "not logged in", time.Minute, up)
		time.Sleep(time.Hour)
		w.down()
		serve("another")
		for range 10 {
			if time.Sleep(time.Minute); up() {
				t.Fatal("logged in with a wrong password")
			}
		}
		w.down()
		serve("secret")
		await(t, "not back", 10*time.Minute, up)
		w.down()
		serve("another")
		time.Sleep(time.Hour)
		h.stop()
		<-h.done
		again := w.hostIn(h.conf.Load(), j)
		defer again.stop()
		for range 6 {
			time.Sleep(10 * time.Minute)
			if a := again.Status().Accounts[0]; a.State == stopped || !strings.Contains(a.Waiting, "the password worked on") && a.State != "connecting" {
				t.Fatalf("after the restart: %+v", a)
			}
		}
		w.down()
		serve("secret")
		await(t, "not back after the restart", 10*time.Minute, func() bool { return again.Status().Accounts[0].Connected })
	})
}

// TestReach_knocksOnceForAll: while twenty accounts wait for one server, it is tried once every
// two seconds, and all accounts log in when it answers.
func TestReach_knocksOnceForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r reach
		var knocks atomic.Int32
		var open atomic.Bool
		dial := func(context.Context) error {
			knocks.Add(1)
			if !open.Load() {
				return errors.New("refused")
			}
			return nil
		}
		told := make(chan bool, 21)
		for range 20 {
			go func() { told <- r.wait(context.Background(), "fibs:1", dial) }()
		}
		impatient, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if r.wait(impatient, "fibs:1", dial) {
			t.Error("a return reported while the server is away")
		}
		time.Sleep(59 * time.Minute)
		if n := knocks.Load(); n < 1790 || n > 1800 {
			t.Errorf("%d knocks in an hour", n)
		}
		open.Store(true)
		for range 20 {
			if !<-told {
				t.Error("return not reported")
			}
		}
		if len(r.away) != 0 {
			t.Error("the absence is remembered")
		}
	})
}

// TestReach_knocksEndWithRun: a stopped host does not try the server.
func TestReach_knocksEndWithRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var dials, over atomic.Int32
		c := patient(t, "host")
		c.Server.Reconnect.Min = c.Server.Reconnect.Max
		h := startHost(t, c, func(o *Options) {
			o.Protocols = onFIBS(fibs.Protocol{Connect: func(ctx context.Context, _, _ string) (net.Conn, error) {
				if dials.Add(1) > 1 { // the login is the first one
					<-ctx.Done()
					time.Sleep(time.Second)
					over.Add(1)
				}
				return nil, errors.New("refused")
			}})
		})
		time.Sleep(knockEvery + time.Second)
		h.stop()
		<-h.done
		if knocks := dials.Load() - 1; knocks < 1 || over.Load() != knocks {
			t.Errorf("%d knocks, of which %d have ended", knocks, over.Load())
		}
	})
}
