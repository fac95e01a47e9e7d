package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/fibs"
	"fibsbot/bot/host"
	"fibsbot/bot/policy"
	"fibsbot/bot/protocol"
	"fibsbot/config"
	"fibsbot/engine"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/fibs/client"
	"fibsbot/fibs/server"
)

var keysEngine = sync.OnceValues(func() (*engine.Engine, error) {
	return engine.Open(engine.Options{NoBearoff: true, Threads: 1, CacheMB: 4, Seed: 1})
})

// quickly fills in what a test needs and no key under test has set: an account,
// a server, no pauses, files of its own.
func quickly(t *testing.T, c *config.Config, addr string) string {
	t.Helper()
	def, root := config.Default(), t.TempDir()
	if c.Server.Address == def.Server.Address {
		c.Server.Address = addr
	}
	if len(c.Accounts) == 0 {
		c.Accounts = []config.Account{{}}
	}
	if a := &c.Accounts[0]; a.Name == "" {
		a.Name = "robbie"
	}
	if a := &c.Accounts[0]; a.PasswordCommand == "" && a.PasswordEnv == "" && a.PasswordFile == "" && a.Password == "" {
		a.Password = "secret"
	}
	if c.Server.Rate == def.Server.Rate {
		c.Server.Rate = config.Rate{Every: config.Duration(time.Millisecond), Burst: 20}
	}
	if c.Server.Reconnect.Min == def.Server.Reconnect.Min {
		c.Server.Reconnect.Min = config.Duration(20 * time.Millisecond)
	}
	dir := "archive"
	if c.Archive.Dir != def.Archive.Dir {
		dir = c.Archive.Dir
	}
	c.Archive.Dir = filepath.Join(root, dir)
	if c.Logs.Dir = filepath.Join(root, "logs"); !c.Logs.Transcript {
		c.Logs.Dir = ""
	}
	c.Pacing.By = "none"
	return root
}

// sitting is a host with a server under a test.
type sitting struct {
	t    *testing.T
	addr string
	h    *host.Host
	log  *logBook
	done chan struct{}
	err  error
	stop func()
}

// logBook keeps the entries of a log.
type logBook struct {
	mu      sync.Mutex
	entries []logrus.Fields
}

func (b *logBook) Levels() []logrus.Level { return logrus.AllLevels }

func (b *logBook) Fire(e *logrus.Entry) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := logrus.Fields{"msg": e.Message}
	for k, v := range e.Data {
		f[k] = v
	}
	b.entries = append(b.entries, f)
	return nil
}

// find waits for entries with a message and returns a field of the first n.
func (b *logBook) find(t *testing.T, msg, field string, n int) (out []string) {
	t.Helper()
	limit := time.Now().Add(patience)
	for time.Now().Before(limit) {
		out = nil
		b.mu.Lock()
		for _, e := range b.entries {
			if e["msg"] == msg && len(out) < n {
				out = append(out, fmt.Sprint(e[field]))
			}
		}
		b.mu.Unlock()
		if len(out) == n {
			return out
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("%q is logged %d times, want %d", msg, len(out), n)
	return nil
}

// begin runs a host on addr.
func begin(t *testing.T, c *config.Config, addr string, edit func(*host.Options)) *sitting {
	t.Helper()
	e, err := keysEngine()
	if err != nil {
		t.Fatal(err)
	}
	s := &sitting{t: t, addr: addr, log: &logBook{}, done: make(chan struct{})}
	log := logrus.New()
	log.SetOutput(&bytes.Buffer{})
	log.AddHook(s.log)
	opt := host.Options{Config: func() *config.Config { return c }, Engine: e, Log: log, Version: "v9", NoSync: true, Seed: 1, Protocols: protocols}
	if edit != nil {
		edit(&opt)
	}
	if s.h, err = host.New(opt); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.stop = cancel
	go func() {
		defer close(s.done)
		s.err = s.h.Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-s.done
	})
	return s
}

// live runs a host against a server of its own until it is logged in.
func live(t *testing.T, c *config.Config) *sitting {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv, err := server.New(server.Options{Seed: 7, AutoAccounts: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ctx, ln) }()
	t.Cleanup(func() {
		cancel()
		if err := <-served; err != nil {
			t.Errorf("server: %v", err)
		}
	})
	quickly(t, c, ln.Addr().String())
	s := begin(t, c, ln.Addr().String(), nil)
	s.log.find(t, "logged in", "account", 1)
	return s
}

// visitor types at a terminal.
type visitor struct {
	t     *testing.T
	conn  net.Conn
	lines chan string
}

// visitor logs in a player who is ready to play.
func (s *sitting) visitor(name string) *visitor {
	s.t.Helper()
	p := s.login(name)
	p.send("toggle ready")
	if !p.hears("You're now ready", patience) {
		s.t.Fatalf("%s is not ready", name)
	}
	return p
}

func (s *sitting) login(name string) *visitor {
	s.t.Helper()
	conn, err := net.Dial("tcp", s.addr)
	if err != nil {
		s.t.Fatal(err)
	}
	p := &visitor{t: s.t, conn: conn, lines: make(chan string, 10000)}
	go func() {
		defer close(p.lines)
		for sc := bufio.NewScanner(conn); sc.Scan(); {
			p.lines <- sc.Text()
		}
	}()
	s.t.Cleanup(func() { conn.Close() })
	p.send("login test 1008 " + name + " secret")
	if !p.hears("5 "+name+" ", patience) {
		s.t.Fatalf("%s is not logged in", name)
	}
	return p
}

func (p *visitor) send(line string) {
	p.t.Helper()
	if _, err := fmt.Fprintf(p.conn, "%s\r\n", line); err != nil {
		p.t.Fatal(err)
	}
}

// hears reports whether a line with part arrives within the time.
func (p *visitor) hears(part string, within time.Duration) bool {
	limit := time.After(within)
	for {
		select {
		case l, ok := <-p.lines:
			if !ok {
				return false
			}
			if strings.Contains(l, part) {
				return true
			}
		case <-limit:
			return false
		}
	}
}

// hear returns the next thing name tells us.
func (p *visitor) hear(name string) string {
	p.t.Helper()
	limit := time.After(patience)
	for {
		select {
		case l, ok := <-p.lines:
			if text, says := strings.CutPrefix(l, "12 "+name+" "); says {
				return text
			}
			if !ok {
				p.t.Fatal("logged out")
			}
		case <-limit:
			p.t.Fatalf("%s says nothing", name)
		}
	}
}

// dialled shows the options an account connects with.
func dialled(show func(client.Options) string) func(*testing.T, *config.Config) string {
	return func(t *testing.T, c *config.Config) string {
		file := filepath.Join(t.TempDir(), "pw")
		if err := os.WriteFile(file, []byte("fromfile\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		for i := range c.Accounts {
			if c.Accounts[i].PasswordFile != "" {
				c.Accounts[i].PasswordFile = file
			}
		}
		rate := c.Server.Rate
		quickly(t, c, "127.0.0.1:1") // no server listens there
		c.Server.Rate = rate
		seen := make(chan string, 1)
		s := begin(t, c, "", func(o *host.Options) {
			o.Protocols = []protocol.Protocol{fibs.Protocol{Client: func(o *client.Options) {
				select {
				case seen <- show(*o):
				default:
				}
			}}}
		})
		select {
		case text := <-seen:
			return text
		case <-s.done:
			return s.err.Error()
		}
	}
}

// waits shows the first three waits between attempts to connect in vain, without
// jitter unless the key is about it.
func waits(t *testing.T, c *config.Config) string {
	quickly(t, c, "127.0.0.1:1")
	return lines(begin(t, c, "", nil).log.find(t, "connection ended", "wait", 3))
}

// kicked returns whether the bot waits long after another login takes its name.
func kicked(t *testing.T, c *config.Config) string {
	l := live(t, c)
	l.login("robbie")
	wait, err := time.ParseDuration(l.log.find(t, "connection ended", "wait", 1)[0])
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint("waits over an hour: ", wait > time.Hour)
}

func connectionKeys() []keyTest {
	still := "server: {reconnect: {jitter: 0, min: 10ms}}"
	name := func(o client.Options) string { return o.Name + " " + o.Password.Reveal() }
	return []keyTest{
		{key: "server.address", value: "127.0.0.1:2", see: dialled(func(o client.Options) string { return o.Address }), want: "127.0.0.1:2"},
		{key: "server.protocol", value: "elsewhere", with: "accounts: [{name: robbie}]", see: func(_ *testing.T, c *config.Config) string {
			_, err := host.New(host.Options{Config: func() *config.Config { return c }, Protocols: protocols})
			return fmt.Sprint(err)
		}, want: `server.protocol: unknown protocol "elsewhere" (use fibs, bgammon)`},
		{key: "server.client_name", value: "Robo2", see: dialled(func(o client.Options) string { return o.Program }), want: "Robo2"},
		{key: "server.connect_timeout", value: "7s", see: dialled(func(o client.Options) string { return o.Telnet.Connect.String() }), want: "7s"},
		{key: "server.keepalive", value: "3m", see: dialled(func(o client.Options) string { return o.Keepalive.String() }), want: "3m0s"},
		{key: "server.silence", value: "9m", see: dialled(func(o client.Options) string { return o.Telnet.Idle.String() }), want: "9m0s"},
		{key: "server.rate.every", value: "2s", see: dialled(func(o client.Options) string { return o.Pace.ChatGap.String() }), want: "2s"},
		{key: "server.rate.burst", value: "5", see: dialled(func(o client.Options) string { return lines(o.Pace.Burst, o.Pace.Every) }), want: "5 1.5s"},
		{key: "server.reconnect.min", value: "30ms", with: "server: {reconnect: {jitter: 0}}", see: waits, want: "[30ms 60ms 120ms]"},
		{key: "server.reconnect.max", value: "15ms", with: still, see: waits, want: "[10ms 15ms 15ms]"},
		{key: "server.reconnect.jitter", value: "0", with: "server: {reconnect: {min: 100ms}}", see: waits, want: "[100ms 200ms 400ms]"},
		{key: "server.reconnect.kicked", value: "10h", see: kicked, want: "waits over an hour: true"},
		{key: "accounts[].name", value: "Other", see: dialled(name), want: "Other secret"},
		{key: "accounts[].password", value: "literal", see: dialled(name), want: "robbie literal"},
		{key: "accounts[].password_env", value: "PW_KEYS", see: dialled(name), want: "robbie fromenv"},
		{key: "accounts[].password_file", value: "FILE", see: dialled(name), want: "robbie fromfile"},
		{key: "accounts[].password_command", value: "echo fromcommand", see: dialled(name), want: "robbie fromcommand"},
		{key: "accounts[].address", value: "127.0.0.1:3", see: dialled(func(o client.Options) string { return o.Address }), want: "127.0.0.1:3"},
		{key: "accounts[].protocol", value: "elsewhere", with: "accounts: [{name: robbie}]", see: func(_ *testing.T, c *config.Config) string {
			_, err := host.New(host.Options{Config: func() *config.Config { return c }, Protocols: protocols})
			return fmt.Sprint(err)
		}, want: `server.protocol: unknown protocol "elsewhere" (use fibs, bgammon)`},
		{key: "accounts[].preset", value: "casual", see: told("strength"), want: "I play as casual"},
		{key: "accounts[].engine", value: "friend", with: "engines: [{name: friend, protocol: ubgi, command: none}]", see: told("strength"), want: "I play as friend"},
		{key: "engines[].name", elsewhere: "bot/host TestOutside", word: `Name: "friend"`},
		{key: "engines[].protocol", elsewhere: "bot/host TestOutside", word: "Protocol:"},
		{key: "engines[].command", elsewhere: "bot/host TestOutside_drains", word: "Command:"},
		{key: "engines[].address", elsewhere: "bot/host TestOutside", word: "Address:"},
		{key: "engines[].within", elsewhere: "bot/host TestOutside", word: "Within:"},
		{key: "engines[].on_failure", elsewhere: "bot/host TestOutside_drains", word: "OnFailure:"},
		{key: "engines[].fallback", elsewhere: "bot/host TestOutside", word: "Fallback:"},
		{key: "accounts[].disabled", value: "true", with: "accounts: [{name: robbie}]", see: func(t *testing.T, c *config.Config) string {
			_, err := host.New(host.Options{Config: func() *config.Config { return c }})
			return lines(errors.Is(err, host.ErrNoAccount))
		}, want: "true"},
	}
}

// told is the bot's answer to a tell.
func told(text string) func(*testing.T, *config.Config) string {
	return func(t *testing.T, c *config.Config) string {
		p := live(t, c).visitor("human")
		p.send("tell robbie " + text)
		return p.hear("robbie")
	}
}

// answer is what the rules make of a text said often already.
func answer(from, text string, answered int) func(*testing.T, *config.Config) string {
	return func(_ *testing.T, c *config.Config) string {
		r := policy.Answer(c, policy.Told{From: from, Text: text, Answered: answered, Rating: "My rating.", Level: func() string { return "I play as expert against you." },
			Values: map[string]string{"me": "robbie", "opponent": from, "preset": "expert", "version": "v9"}})
		return fmt.Sprintf("%q %s", r.Say, r.Order)
	}
}

// met is the n-th thing the bot says when a match begins.
func met(t *testing.T, c *config.Config) string {
	p := live(t, c).visitor("human")
	p.send("invite robbie 5")
	return p.hear("robbie")
}

// soon is how long a test waits for what must come when the key is set, and must
// not come, for minutes, when it has its default.
func soon(key, otherwise config.Duration) time.Duration {
	if key == otherwise {
		return 2 * time.Second
	}
	return patience
}

// left returns whether the bot leaves a match in which nothing happens.
func left(t *testing.T, c *config.Config) string {
	p := live(t, c).visitor("human")
	p.send("invite robbie 5")
	if p.hears("The game was saved", soon(c.Idle.Leave, config.Default().Idle.Leave)) {
		return "left"
	}
	return "stayed"
}

// playedAt shows the rating and style that are asked of the measured table.
func playedAt(t *testing.T, c *config.Config) string {
	a := newArena(t, 1, 0)
	quickly(t, c, a.addr)
	asked := ""
	s := begin(t, c, a.addr, func(o *host.Options) {
		o.MaxMatches = 1
		o.AtRating = func(r float64, _ int, style, character string) (preset.Preset, bool) {
			asked = strings.TrimSpace(fmt.Sprintf("at %.0f %s %s", r, style, character))
			p, err := preset.ByName("beginner")
			return p, err == nil
		}
	})
	select {
	case <-s.done:
	case <-time.After(patience):
		t.Fatal("no match was played")
	}
	return asked
}

func talkKeys() []keyTest {
	idle := "idle: {ask: 100ms}, manners: {greeting: []}"
	return []keyTest{
		{key: "manners.language", elsewhere: "config TestLanguage", word: "language: xx"},
		{key: "manners.greeting", value: "['Moin {opponent}, {me} hier, {version}']", see: met, want: "Moin human, robbie hier, v9"},
		{key: "manners.resume", value: "['Weiter, {opponent}']", with: "manners: {greeting: []}", see: func(t *testing.T, c *config.Config) string {
			p := live(t, c).visitor("human")
			p.send("invite robbie 5")
			p.hears("Starting a new game", patience)
			p.send("leave")
			p.hears("The game was saved", patience)
			p.send("invite robbie")
			return p.hear("robbie")
		}, want: "Weiter, human"},
		{key: "manners.farewell", value: "['Tschuess, {opponent}']", with: "strength: {preset: beginner}", see: played, want: "Tschuess, anna"},
		{key: "manners.thanks", value: "'Gern, {opponent}'", see: answer("bob", "thanks", 0), want: "Gern, bob"},
		{key: "manners.refuse", value: "'Nein {opponent}: {reason}'", with: "saved: {only: true}", see: invite(5), want: "Nein bob: I am only"},
		{key: "manners.busy", value: "Spaeter", see: invite(5, func(f *policy.Facts) { f.Playing = true }), want: "Spaeter"},
		{key: "manners.draining", value: "Feierabend", see: invite(5, func(f *policy.Facts) { f.Draining = true }), want: "Feierabend"},
		{key: "manners.unlimited", value: "'Genug, {opponent}'", with: "invitations: {unlimited: true, unlimited_games: 1}, manners: {greeting: []}",
			see: func(t *testing.T, c *config.Config) string {
				p := live(t, c).visitor("human")
				p.send("invite robbie unlimited")
				p.hears("Starting a new game", patience)
				p.send("resign n")
				return p.hear("robbie")
			}, want: "Genug, human"},
		{key: "manners.about", value: "'{me} plays {preset}'", see: answer("bob", "about", 0), want: "robbie plays expert"},
		{key: "manners.answers", value: "false", see: answer("bob", "rating", 0), want: `""`},
		{key: "manners.per_minute", value: "2", see: answer("bob", "rating", 3), want: `""`},
		{key: "manners.level_on_request", value: "[casual]", see: answer("bob", "level casual", 0), want: "next new match as casual"},
		{key: "manners.owners", value: "['b?b']", see: answer("bob", "pause", 0), want: "pause"},
		{key: "manners.after_match", elsewhere: "bot/host TestAnalysis_inTheBackground", word: "AfterMatch = true"},
		{key: "idle.ask", value: "100ms", with: "manners: {greeting: [hello]}", see: func(t *testing.T, c *config.Config) string {
			p := live(t, c).visitor("human")
			p.send("invite robbie 5")
			p.hear("robbie")
			return fmt.Sprint("asked: ", p.hears("Are you there", soon(c.Idle.Ask, config.Default().Idle.Ask)))
		}, want: "asked: true"},
		{key: "idle.leave", value: "300ms", with: idle, see: left, want: "left"},
		{key: "idle.say", value: "'Hallo {opponent}?'", with: idle, see: met, want: "Hallo human?"},
	}
}

// keysDSN names a database that is not there.
const keysDSN = "postgres://nobody@127.0.0.1:1/none"

// played plays a match to its end and shows what the bot said and which files
// there are then.
func played(t *testing.T, c *config.Config) string {
	if c.Archive.DSNFile != "" {
		c.Archive.DSNFile = filepath.Join(t.TempDir(), c.Archive.DSNFile)
		if err := os.WriteFile(c.Archive.DSNFile, []byte(keysDSN+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a := newArena(t, 1, 0)
	root := quickly(t, c, a.addr)
	s := begin(t, c, a.addr, func(o *host.Options) { o.MaxMatches = 1 })
	select {
	case <-s.done:
	case <-time.After(patience):
		t.Fatal("no match was played")
	}
	if s.err != nil {
		return s.err.Error()
	}
	var out []string
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			rel, _ := filepath.Rel(root, path)
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-a.gone: // whatever he said last was heard before
	case <-time.After(patience):
		t.Fatal("robbie does not log out")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return strings.Join(append(append(out, a.heard...), s.h.Status().IndexError), "\n")
}

// logged is what a log holds after two entries.
func logged(t *testing.T, c *config.Config) string {
	if c.Logs.Dir != config.Default().Logs.Dir {
		c.Logs.Dir = filepath.Join(t.TempDir(), c.Logs.Dir)
	} else {
		c.Logs.Dir = ""
	}
	var out bytes.Buffer
	log, done, err := host.OpenLog(c, false, &out, false)
	if err != nil {
		t.Fatal(err)
	}
	log.Info("hello")
	log.Debug("detail")
	done()
	if c.Logs.Dir != "" {
		file, err := os.ReadFile(filepath.Join(c.Logs.Dir, "fibsbot.log"))
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Base(c.Logs.Dir) + " holds " + string(file)
	}
	return out.String()
}

func fileKeys() []keyTest {
	fast := "strength: {preset: beginner}, archive: {analyse: 'off'}"
	rotated := func(_ *testing.T, c *config.Config) string {
		return lines(host.LogFile(c).MaxSize, host.LogFile(c).MaxBackups)
	}
	opened := func(_ *testing.T, c *config.Config) string {
		o, err := engineOptions(c, 1, nil)
		return fmt.Sprintf("%+v woolsey %v %v", o, o.Table.Equity(3, 5, false) == match.WoolseyTable().Equity(3, 5, false), err)
	}
	return []keyTest{
		{key: "archive.dir", value: "kept", with: fast, see: played, want: "kept/state/robbie"},
		{key: "archive.formats", value: "[sgf, mat]", with: fast, see: played, want: ".mat"},
		{key: "archive.group", value: "opponent", with: fast, see: played, want: "archive/anna/"},
		{key: "archive.dsn", value: "'postgres://nobody@127.0.0.1:1/none'", with: fast, see: played, want: "127.0.0.1:1"},
		{key: "archive.dsn_env", value: "DSN_KEYS", with: fast, see: played, want: "127.0.0.1:1"},
		{key: "archive.dsn_file", value: "dsn.txt", with: fast, see: played, want: "127.0.0.1:1"},
		{key: "notify.command", elsewhere: "bot/notify TestDeliver_command", word: "Command:"},
		{key: "notify.webhook", elsewhere: "bot/notify TestDeliver_webhookIsSigned", word: "Webhook:"},
		{key: "notify.webhook_secret_env", elsewhere: "bot/notify TestDeliver_webhookIsSigned", word: "WebhookSecretEnv:"},
		{key: "notify.webhook_secret_file", elsewhere: "config TestNotify_secret", word: "WebhookSecretFile:"},
		{key: "notify.events", elsewhere: "bot/notify TestAdd_limitsAndChoice", word: "Events:"},
		{key: "notify.quiet", elsewhere: "bot/notify TestDeliver_quietHours", word: "Quiet:"},
		{key: "notify.urgent", elsewhere: "bot/notify TestDeliver_quietHoursOfTheUrgent", word: "Urgent:"},
		{key: "notify.limits", elsewhere: "bot/notify TestAdd_limitsByKind", word: "Limits:"},
		{key: "notify.per_hour", elsewhere: "bot/notify TestAdd_limitsAndChoice", word: "PerHour:"},
		{key: "notify.disconnected_after", elsewhere: "bot/host TestNotify_offLineForLong", word: "DisconnectedAfter:"},
		{key: "notify.heartbeat", elsewhere: "bot/host TestNotify_heartbeat", word: "Heartbeat:"},
		{key: "notify.heartbeat_url", elsewhere: "bot/host TestNotify_heartbeat", word: "HeartbeatURL:"},
		{key: "notify.rating_below", elsewhere: "bot/host TestNotify_whatAnOperatorHears", word: "RatingBelow:"},
		{key: "notify.rating_above", elsewhere: "bot/host TestNotify_ratingAbove", word: "RatingAbove:"},
		{key: "notify.complaints", elsewhere: "bot/host TestNotify_whatAnOperatorHears", word: "Complaints:"},
		{key: "archive.analyse", elsewhere: "bot/host TestAnalysis_inTheBackground", word: `Archive.Analyse = "fast"`},
		{key: "archive.me", elsewhere: "cmd/fibsbot TestArchive_me", word: "me: [ali*]"},
		{key: "archive.chat", elsewhere: "bot/host TestTalk_keptWithTheMatch", word: "Archive.Chat"},
		{key: "engine.threads", value: "3", see: func(_ *testing.T, c *config.Config) string {
			return fmt.Sprint("threads ", host.EngineThreads(c), runsOf(c))
		}, want: "threads 3"},
		{key: "engine.cache_mb", value: "17", see: opened, want: "CacheMB:17"},
		{key: "engine.weights", value: "w.gz", see: opened, want: "Weights:w.gz"},
		{key: "engine.met", value: "woolsey", see: opened, want: "woolsey true"},
		{key: "engine.bearoff_dir", value: "/big", see: opened, want: "BearoffDir:/big"},
		{key: "logs.dir", value: "elsewhere", see: logged, want: `elsewhere holds {"level":"info","msg":"hello"`},
		{key: "logs.level", value: "debug", see: logged, want: "detail"},
		{key: "logs.format", value: "text", see: logged, want: "level=info msg=hello"},
		{key: "logs.max_size_mb", value: "7", see: rotated, want: "7 10"},
		{key: "logs.keep", value: "3", see: rotated, want: "20 3"},
		{key: "logs.transcript", value: "true", with: "logs: {transcript: false}, " + fast, see: played, want: "logs/transcript-robbie.log"},
		{key: "operations.drain", elsewhere: "cmd/fibsbot TestSignals_drain", word: "drain: %s"},
		{key: "operations.drain_limit", elsewhere: "cmd/fibsbot TestSignals_drain", word: "drain_limit: %s"},
		{key: "dashboard.listen", elsewhere: "cmd/fibsbot TestRun_statusAndStop", word: "dashboard: {listen:"},
		{key: "dashboard.hosts", elsewhere: "cmd/fibsbot TestRun_statusAndStop", word: "hosts: ["},
		{key: "operations.listen", elsewhere: "cmd/fibsbot TestRun_statusAndStop", word: "operations: {listen:"},
	}
}

// runsOf tells that 0 threads are all of them.
func runsOf(c *config.Config) string {
	if c.Engine.Threads == 0 {
		return " of all"
	}
	return ""
}

func watchKeys() []keyTest {
	rules := "bot/watch TestCommentator_rules"
	return []keyTest{
		{key: "watch.enabled", elsewhere: "bot/host TestSpectate_untilAMatchOfOurOwn", word: "c.Watch.Enabled"},
		{key: "watch.players", elsewhere: "bot/watch TestWatcher_goesFromMatchToMatch", word: "wanted("},
		{key: "watch.channel", elsewhere: rules, word: "w.Channel = ChannelNone"},
		{key: "watch.only", elsewhere: rules, word: "w.Only = onlyCube"},
		{key: "watch.min_loss", elsewhere: rules, word: "w.MinLoss = 0.12"},
		{key: "watch.summary", elsewhere: "bot/watch TestCommentator_summaries", word: "w.Summary = false"},
		{key: "watch.per_game", elsewhere: "bot/watch TestCommentator_noMoreThanPerGame", word: "w.PerGame = 2"},
		{key: "watch.preset", elsewhere: "cmd/fibsbot TestWatch_presetOfTheConfiguration", word: "watch: {preset:"},
		{key: "watch.never", elsewhere: rules, word: "w.Never"},
		{key: "watch.archive", elsewhere: "bot/watch TestWatcher_archiveOffAndOwnStopText", word: "cfg.Archive"},
		{key: "watch.texts.error", elsewhere: rules, word: "w.Texts.Error ="},
		{key: "watch.texts.small", elsewhere: rules, word: "w.Texts.Small ="},
		{key: "watch.texts.right", elsewhere: rules, word: "w.Texts.Right ="},
		{key: "watch.texts.game", elsewhere: "bot/watch TestCommentator_summaries", word: "w.Texts.Game"},
		{key: "watch.texts.match", elsewhere: "bot/watch TestCommentator_summaries", word: "w.Texts.Match"},
		{key: "watch.texts.stop", elsewhere: "bot/watch TestWatcher_archiveOffAndOwnStopText", word: "cfg.Texts.Stop"},
		{key: "watch.texts.words", elsewhere: rules, word: "rules(german)"},
	}
}
