package server

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// patience is how long a test waits for what must come.
const patience = 2 * time.Minute

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start runs a server on the loopback until the test ends.
func start(t *testing.T, opts Options) *Server {
	t.Helper()
	s, stop := startStoppable(t, opts)
	t.Cleanup(stop)
	return s
}

func startStoppable(t *testing.T, opts Options) (*Server, func()) {
	t.Helper()
	if opts.Accounts == nil {
		opts.AutoAccounts = true
	}
	s, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, ln) }()
	s.Addr()
	stopped := false
	return s, func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; err != nil {
			t.Errorf("serve: %v", err)
		}
	}
}

// client is a raw connection that a test drives line by line.
type client struct {
	t    testing.TB
	sock net.Conn
	r    *bufio.Reader
	log  []string
	// breaks says that the line may break: a failed write is then left to
	// the next read to find.
	breaks bool
}

func dial(t testing.TB, s *Server) *client {
	t.Helper()
	sock, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sock.Close() })
	return newClient(t, sock)
}

func newClient(t testing.TB, sock net.Conn) *client {
	return &client{t: t, sock: sock, r: bufio.NewReaderSize(sock, 1<<16)}
}

// login opens a CLIP session with raw boards.
func login(t testing.TB, s *Server, name string) *client {
	t.Helper()
	c := dial(t, s)
	c.send("login tester 1008 %s secret", name)
	c.expect("^6$")
	c.send("set boardstyle 3")
	c.expect("^Value of 'boardstyle' set to 3")
	return c
}

func (c *client) send(format string, args ...any) {
	c.t.Helper()
	line := format
	if len(args) > 0 {
		line = fmt.Sprintf(format, args...)
	}
	c.log = append(c.log, "C: "+line)
	c.sock.SetWriteDeadline(time.Now().Add(patience))
	if _, err := c.sock.Write([]byte(line + "\r\n")); err != nil && !c.breaks {
		c.fail("send %q: %v", line, err)
	}
}

func (c *client) fail(format string, args ...any) {
	c.t.Helper()
	tail := c.log
	if len(tail) > 40 {
		tail = tail[len(tail)-40:]
	}
	c.t.Fatalf("%s\n%s", fmt.Sprintf(format, args...), strings.Join(tail, "\n"))
}

// next reads one line.
func (c *client) next() (string, error) {
	c.sock.SetReadDeadline(time.Now().Add(patience))
	line, err := c.r.ReadString('\n')
	line = strings.TrimRight(line, "\r\n")
	c.log = append(c.log, "S: "+line)
	return line, err
}

// expect reads until a line matches and returns it.
func (c *client) expect(pattern string) string {
	c.t.Helper()
	re := regexp.MustCompile(pattern)
	for {
		line, err := c.next()
		if re.MatchString(line) {
			return line
		}
		if err != nil {
			c.fail("waiting for %q: %v", pattern, err)
		}
	}
}

// ask sends a command and expects an answer.
func (c *client) ask(command, pattern string) string {
	c.t.Helper()
	c.send("%s", command)
	return c.expect(pattern)
}

// closed reads to the end of the connection.
func (c *client) closed() {
	c.t.Helper()
	for {
		if _, err := c.next(); err != nil {
			if ne, ok := err.(net.Error); ok && ne.Timeout() {
				c.fail("the connection stays open")
			}
			return
		}
	}
}

// begin makes two ready players start a match and returns both clients.
func begin(t testing.TB, s *Server, length string) (alice, bob *client) {
	t.Helper()
	alice, bob = login(t, s, "alice"), login(t, s, "bob")
	alice.ask("toggle ready", "now ready")
	bob.ask("toggle ready", "now ready")
	alice.ask("invite bob "+length, "You invited bob")
	bob.expect("Type 'join alice'")
	bob.ask("join alice", "You are now playing")
	alice.expect("has joined you")
	return alice, bob
}

// view is what a client reads out of a board line.
type view struct {
	me, turn  Colour
	mine      [2]int
	layout    Layout
	cube      int
	may       bool
	doubled   bool
	score     [2]int
	length    int
	bothFlags int
}

func readView(t testing.TB, line string) view {
	f := strings.Split(line, ":")
	if len(f) != 53 {
		t.Fatalf("board with %d fields: %s", len(f), line)
	}
	n := make([]int, 53)
	for i := 3; i < 53; i++ {
		v, err := strconv.Atoi(f[i])
		if err != nil {
			t.Fatalf("field %d of %s", i, line)
		}
		n[i] = v
	}
	v := view{me: Colour(n[41]), turn: Colour(n[32]), mine: [2]int{n[33], n[34]}, cube: n[37],
		may: n[38] == 1, doubled: n[40] == 1, score: [2]int{n[4], n[5]}, length: n[3], bothFlags: 2*n[38] + n[39]}
	for i := range 26 {
		v.layout.Points[i] = int8(n[6+i])
	}
	mine, theirs := int8(n[45]), int8(n[46])
	if v.me == O {
		v.layout.OffO, v.layout.OffX = mine, theirs
	} else {
		v.layout.OffX, v.layout.OffO = mine, theirs
	}
	if !v.layout.sound() {
		t.Fatalf("unsound board %s", line)
	}
	return v
}

// bot plays random legal moves until its match is over. It trusts boards
// only, like a good client.
type bot struct {
	*client
	rng    *rand.Rand
	double float64 // chance to double
	resign float64
	last   string
}

var (
	reOver   = regexp.MustCompile(`wins? the \d+ point match`)
	reAsk    = regexp.MustCompile(`can't move\.$|accepts the double|^You accept the double|The game continues|doubles\. Type|Your running match was loaded|roll or double$`)
	reResign = regexp.MustCompile(`wants to resign\. You will win`)
	reBoard  = regexp.MustCompile(`^board:You:`)
	reLate   = regexp.MustCompile(`^\*\* (You|It's not|The game|Please don't|Invalid)|^Please move \d pieces?\.$`)
	reStray  = regexp.MustCompile(`^\*\* (You did already|It's not your turn|You can only double|Please wait until)`)
)

// play runs the bot to the end of the match; it returns false when the
// connection ended first.
func (b *bot) play() bool {
	for {
		line, err := b.next()
		if err != nil {
			return false
		}
		switch {
		case reOver.MatchString(line):
			return true
		case strings.HasPrefix(line, "Type 'join' if"):
			b.send("join")
		case reResign.MatchString(line):
			if b.rng.IntN(2) == 0 {
				b.send("accept")
			} else {
				b.send("reject")
			}
		case b.breaks && (strings.HasPrefix(line, "** You're not playing") || strings.HasPrefix(line, "** Error: Join who") || strings.HasPrefix(line, "** You are already playing")):
			b.last = ""
		case b.breaks && reLate.MatchString(line):
			// What was sent for a board of before the break arrived after it:
			// the server is right to refuse, and the present board decides.
			b.last = ""
			b.send("board")
		case strings.HasSuffix(line, "Your running match was loaded."):
			b.last = "" // what was sent for the old board may be lost
			b.send("board")
		case reAsk.MatchString(line), reStray.MatchString(line):
			b.send("board")
		case reBoard.MatchString(line):
			b.decide(line)
		case strings.HasPrefix(line, "** ") && !strings.Contains(line, "Player") && !strings.Contains(line, "Please wait for") && !strings.Contains(line, "** You are now playing"):
			b.fail("server refused: %s", line)
		}
	}
}

func (b *bot) decide(line string) {
	v := readView(b.t, line)
	if line == b.last {
		return
	}
	b.last = line
	switch {
	case v.doubled:
		if b.rng.IntN(3) > 0 {
			b.send("accept")
		} else {
			b.send("reject")
		}
	case v.turn != v.me || v.bothFlags == 0:
	case v.mine[0] != 0:
		all := v.layout.plays(v.me, v.mine, 60)
		if len(all) == 0 {
			b.last = ""
			return
		}
		b.send("move %s", formatSteps(v.me, all[b.rng.IntN(len(all))].steps))
	case v.may && v.cube < 4 && v.length != 1 && b.rng.Float64() < b.double:
		b.send("double")
	case v.may && b.rng.Float64() < b.resign:
		b.send("resign n")
		b.last = ""
	case v.may:
		b.send("roll")
	}
}
