package server

import (
	"net"
	"testing"
	"time"
)

// nowhere is a connection that swallows everything.
type nowhere struct{ net.Conn }

func (nowhere) Write(b []byte) (int, error)      { return len(b), nil }
func (nowhere) Close() error                     { return nil }
func (nowhere) SetReadDeadline(time.Time) error  { return nil }
func (nowhere) SetWriteDeadline(time.Time) error { return nil }
func (nowhere) RemoteAddr() net.Addr             { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

// offline makes a world of two players in a match and a watcher, without
// goroutines or sockets.
func offline(t testing.TB) (*Server, []*user) {
	t.Helper()
	s, err := New(Options{Seed: 1, Now: func() time.Time { return time.Unix(1700000000, 0) }})
	if err != nil {
		t.Fatal(err)
	}
	var users []*user
	s.mu.Lock()
	for i, name := range []string{"alice", "bob", "carol"} {
		a := &account{Name: name, Rating: 1500, Settings: standard}
		s.register(a)
		c := newConn(s, nowhere{})
		c.clip, c.secret = i != 2, "tester"
		s.conns[c] = true
		s.enter(c, a)
		c.user.set.Toggles.set("ready", true)
		c.user.set.BoardStyle = int32(i + 1)
		users = append(users, c.user)
	}
	m := s.newMatch(users[0], users[1], 5)
	s.seatPlayers(m)
	s.startGame(m)
	s.deliver(nil)
	s.release()
	s.handle(t.Context(), users[2].conn, "watch alice")
	return s, users
}

// drain empties the queues as a writer would.
func drain(users []*user) {
	for _, u := range users {
		u.conn.mu.Lock()
		u.conn.queue = u.conn.queue[:0]
		u.conn.mu.Unlock()
	}
}

// BenchmarkMove measures one roll and one move of a running match, with all
// texts and boards, as the server does it for two fast bots and a watcher.
func BenchmarkMove(b *testing.B) {
	s, users := offline(b)
	ctx := b.Context()
	b.ReportAllocs()
	for b.Loop() {
		m := users[0].match
		if m == nil {
			s.mu.Lock()
			m = s.newMatch(users[0], users[1], 99)
			s.seatPlayers(m)
			s.startGame(m)
			s.deliver(nil)
			s.release()
		}
		if m.Between {
			s.handle(ctx, users[0].conn, "join")
			s.handle(ctx, users[1].conn, "join")
			continue
		}
		u := m.onRoll()
		if m.Roll[0] == 0 {
			s.handle(ctx, u.conn, "roll")
		} else {
			all := m.Layout.plays(m.Turn, m.Roll, 1)
			s.handle(ctx, u.conn, "move "+formatSteps(m.Turn, all[0].steps))
		}
		drain(users)
	}
}
