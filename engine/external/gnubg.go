package external

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/preset"
	"fibsbot/internal/connlimit"
)

// maxGuests bounds the connections served at a time. One more connection closes another:
// first one that has sent no board, then one of the address with the most connections,
// then the one that has been silent longest. A guest whose board is being decided stays.
const maxGuests = 16

// writeLimit is how long a guest may take to read an answer.
const writeLimit = 10 * time.Second

// guest is one connection of Serve.
type guest struct {
	net.Conn
	came  int          // how many guests came before
	site  string       // what its address counts as
	asked atomic.Int64 // when its last board came, in nanoseconds since 1970; 0 never
	busy  atomic.Bool  // the board is being decided
}

// Serve answers the programs that connect to ln until ctx ends, then closes all connections
// and waits for them.
func (x Player) Serve(ctx context.Context, ln net.Listener) error {
	if x.Engine == nil {
		return errNoEngine
	}
	stop := context.AfterFunc(ctx, func() { ln.Close() })
	defer stop()
	var work sync.WaitGroup
	defer work.Wait()
	var mu sync.Mutex
	guests := map[*guest]bool{}
	for n := 0; ; n++ {
		conn, err := ln.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("accept: %w", err)
		}
		g := &guest{Conn: conn, came: n, site: connlimit.Site(conn.RemoteAddr())}
		mu.Lock()
		if len(guests) >= maxGuests {
			old := leastNeeded(guests)
			if old == nil {
				old = g
			}
			delete(guests, old)
			old.Close()
		}
		guests[g] = true // also one that was just closed: its conversation ends at once
		mu.Unlock()
		work.Go(func() {
			defer func() {
				g.Close()
				mu.Lock()
				delete(guests, g)
				mu.Unlock()
			}()
			unhook := context.AfterFunc(ctx, func() { g.Close() })
			defer unhook()
			x.converse(ctx, g)
		})
	}
}

// leastNeeded returns the guest to close for a new one, or nil if all are busy.
func leastNeeded(guests map[*guest]bool) *guest {
	sites := map[string]int{}
	for g := range guests {
		sites[g.site]++
	}
	var first *guest
	for g := range guests {
		if g.busy.Load() {
			continue
		}
		if first == nil || cmp.Or(
			cmp.Compare(min(g.asked.Load(), 1), min(first.asked.Load(), 1)),
			cmp.Compare(sites[first.site], sites[g.site]),
			cmp.Compare(g.asked.Load(), first.asked.Load()),
			cmp.Compare(g.came, first.came),
		) < 0 {
			first = g
		}
	}
	return first
}

// Player answers the requests of a gnubg that plays against it.
type Player struct {
	Engine *engine.Engine // must be set
	Preset preset.Preset
	Jacoby bool // the Jacoby rule holds in money sessions
	// Version is the answer to the command version.
	Version string
}

// converse answers one connection. gnubg ends each request with a line feed and a
// NUL byte.
func (x Player) converse(ctx context.Context, conn *guest) {
	sc := bufio.NewScanner(conn)
	sc.Buffer(make([]byte, 0, maxRequest), maxRequest)
	s := session{Player: x}
	for sc.Scan() {
		line := strings.TrimSpace(strings.Trim(sc.Text(), "\x00"))
		if line == "" {
			continue
		}
		if strings.Contains(line, "board:") { // version and help are not part of a game
			conn.busy.Store(true)
			conn.asked.Store(time.Now().UnixNano())
		}
		answer, err := s.command(ctx, line)
		conn.busy.Store(false)
		if ctx.Err() != nil || s.over {
			return
		}
		if err != nil {
			answer = "Error: " + oneLine(err)
		}
		if s.debug {
			answer = "DBG: " + strconv.QuoteToASCII(line) + "\n" + answer
		}
		if err := conn.SetWriteDeadline(time.Now().Add(writeLimit)); err != nil {
			return
		}
		if _, err := conn.Write([]byte(answer + "\n")); err != nil {
			return
		}
	}
}

// answer handles one board line. A request of a game in which a resignation was offered
// means that it was declined. Only a higher one is offered then: gnubg stops the match when
// it receives one that it has declined in the same turn.
func (s *session) answer(ctx context.Context, line string) (string, error) {
	q, err := ParseBoard(line)
	if err != nil {
		return "", err
	}
	q.State.Jacoby = s.Jacoby && q.State.Length == 0
	if err := q.Validate(); err != nil {
		return "", err
	}
	if q.Doubled {
		return s.decide(ctx, q)
	}
	const score = 6 // the words up to the score, which each finished game changes
	game := strings.Join(strings.SplitN(line, ":", score+1)[:score], ":")
	if game != s.game || q.Position.Me == board.Start.Me {
		s.game, s.offered = game, 0
	}
	level, err := s.Engine.ResignOffer(ctx, q, s.Preset)
	if err != nil {
		return "", err
	}
	if level > s.offered {
		s.offered = level
		return "resign " + strconv.Itoa(level), nil
	}
	return s.decide(ctx, q)
}

// decide answers with a play, roll or double, or the answer to a double.
func (x Player) decide(ctx context.Context, q Board) (string, error) {
	if q.Doubled {
		a, err := x.Engine.TakeDecision(ctx, q.Position, q.State, x.Preset)
		if a.Beaver {
			return "beaver", err
		}
		return either(a.Take, "take", "drop", err)
	}
	if !q.Dice.Valid() {
		double, _, err := x.Engine.Double(ctx, q.Position, q.State, x.Preset)
		return either(double, "double", "roll", err)
	}
	c, ok, err := x.Engine.BestPlay(ctx, q.Position, q.Dice, q.State, x.Preset)
	if err != nil || !ok {
		return "", err
	}
	return playSteps(c.Play), nil
}

// either is the word for a decision, or none after an error.
func either(is bool, yes, no string, err error) (string, error) {
	switch {
	case err != nil:
		return "", err
	case is:
		return yes, nil
	}
	return no, nil
}

// playSteps writes a play step by step, as pairs of points: the plainest of the
// forms that gnubg reads.
func playSteps(p board.Play) string {
	var words []string
	for _, s := range p.Steps[:p.N] {
		from, to := strconv.Itoa(int(s.From)+1), strconv.Itoa(int(s.To)+1)
		if s.From == board.Bar {
			from = "bar"
		}
		if s.To == board.Off {
			to = "off"
		}
		words = append(words, from+"/"+to)
	}
	return strings.Join(words, " ")
}
