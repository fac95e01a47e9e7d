package bot

import (
	"context"
	"net"
	"os"
	"testing"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/archive"
	"fibsbot/bot/fibs"
	"fibsbot/bot/table"
	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
	"fibsbot/fibs/telnet"
	"fibsbot/internal/memnet"
)

// pair is two accounts, anna and bert, that play matches with the table's usual waits and
// the real client. It runs in a synctest bubble, so the waits take no time.
type pair struct {
	server  server.Options
	length  int
	matches int // 1 when 0
	// dial and link change the connections and links of an account; nil changes nothing.
	dial func(name string, c net.Conn) net.Conn
	link func(name string, l Link) Link
	// pace is how long each of them seems to think.
	pace time.Duration
	// seen receives the accounts' observations.
	seen func(Observation)
	log  logrus.FieldLogger // silent by default
	// limit bounds the matches, two hours by default. After their end both stay for a while.
	limit time.Duration
}

// memoryDir is a temporary folder, in memory where the system has one.
func memoryDir(t testing.TB) string {
	dir, err := os.MkdirTemp("/dev/shm", "fibsbot-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// play returns the server after the last match and the archives of anna and bert.
func (p pair) play(t *testing.T) (*server.Server, [2]string) {
	t.Helper()
	const address = "fibs:4321"
	network := &memnet.Network{Latency: 5 * time.Millisecond}
	ln, err := network.Listen(address)
	if err != nil {
		t.Fatal(err)
	}
	p.server.AutoAccounts, p.server.CheapPasswords = true, true
	srv, err := server.New(p.server)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	running := make(chan error, 3)
	go func() { running <- srv.Serve(ctx, ln) }()

	names, dirs := [2]string{"anna", "bert"}, [2]string{}
	over := make(chan string, 100)
	playing, stop := context.WithCancel(ctx)
	for i, name := range names {
		if dirs[i] = memoryDir(t); os.Getenv("FIBSBOT_TEST_KEEP") != "" {
			dirs[i] = testDir(t, name)
		}
		plain := &Plain{Min: 1, Max: 99, Length: p.length, Every: 5 * time.Second, Backoff: Backoff{Min: time.Second, Max: 3 * time.Second}}
		if i == 0 {
			plain.Invite, plain.Matches = names[1], max(1, p.matches)
		}
		plain.Seen = func(m Observation) {
			if p.seen != nil {
				p.seen(m)
			}
			if m.Over != nil {
				over <- name
			}
		}
		dial := fibs.Dialer(client.Options{Address: address, Name: name, Password: clip.NewSecret("secret"),
			Pace: client.Pace{Gap: -1, ChatGap: -1, Burst: -1},
			Telnet: telnet.Options{Dial: func(ctx context.Context, network_, addr string) (net.Conn, error) {
				c, err := network.Dial(ctx, network_, addr)
				if err == nil && p.dial != nil {
					c = p.dial(name, c)
				}
				return c, err
			}}})
		a := &Account{Protocol: fibs.Protocol{}, Name: name, Conduct: plain, Decider: thumbs{}, Table: table.Options{Mend: true}, Log: p.log,
			Pace:    func(table.Situation, table.Answer) time.Duration { return p.pace },
			Archive: archive.Options{Dir: dirs[i], Server: address, NoSync: true},
			Dial: func(ctx context.Context) (Link, error) {
				l, err := dial(ctx)
				if err == nil && p.link != nil {
					l = p.link(name, l)
				}
				return l, err
			}}
		go func() { running <- a.Run(playing) }()
	}
	if p.limit == 0 {
		p.limit = 2 * time.Hour
	}
	limit := time.After(p.limit)
	ended := map[string]int{}
wait:
	for ended[names[0]] < max(1, p.matches) || ended[names[1]] < max(1, p.matches) {
		select {
		case name := <-over:
			ended[name]++
		case <-limit:
			t.Errorf("matches that ended: %v", ended)
			break wait
		}
	}
	time.Sleep(2 * time.Minute)
	stop()
	for range names {
		if err := <-running; err != nil {
			t.Error(err)
		}
	}
	cancel()
	if err := <-running; err != nil {
		t.Error(err)
	}
	return srv, dirs
}
