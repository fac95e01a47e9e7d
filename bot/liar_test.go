package bot

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
	"fibsbot/internal/testsize"
)

// lie returns false lines to follow a line of the match, given our last board.
type lie func(board string) []string

// lyingLink is a link that adds lines to those of the server.
type lyingLink struct {
	Link
	events chan protocol.Event
	acts   func() // called when an act of the match is sent
}

func newLyingLink(l Link, acts func(), tell func(*protocol.Event) []string) *lyingLink {
	out := &lyingLink{Link: l, acts: acts, events: make(chan protocol.Event, 64)}
	go func() {
		defer close(out.events)
		for ev := range l.Events() {
			out.events <- ev
			for _, text := range tell(&ev) {
				for _, more := range (fibs.Protocol{}).Reader().FromServer(text) {
					out.events <- more
				}
			}
		}
	}()
	return out
}

func (l *lyingLink) Events() <-chan protocol.Event { return l.events }

func (l *lyingLink) Send(c protocol.Command, valid func() bool) error {
	if protocol.Dated(c) {
		l.acts()
	}
	return l.Link.Send(c, valid)
}

func (l *lyingLink) Close() error {
	err := l.Link.Close()
	for range l.events {
	}
	return err
}

func says(text string) lie { return func(string) []string { return []string{text} } }

// field replaces a field of a board.
func field(board string, at int, with string) string {
	f := strings.Split(board, ":")
	f[at] = with
	return strings.Join(f, ":")
}

// boards changes the fields of the last board, counted from 0 for "board".
func boards(change map[int]string) lie {
	return func(board string) []string {
		if board == "" {
			return nil
		}
		for at, v := range change {
			board = field(board, at, v)
		}
		return []string{board}
	}
}

// theLies are the lies by name, in a fixed order.
func theLies() (names []string, lies map[string]lie) {
	lies = map[string]lie{}
	for _, text := range []string{
		"** Player bert has left the game. The game was saved.", "bert drops connection. The game was saved.",
		"You win the 5 point match 5-2 .", "bert wins the 5 point match 5-2 .", "You win the 3 point match 3-2 .", "bert wins the 3 point match 3-1 .",
		"You win the game and get 1 point. Congratulations!", "bert wins the game and gets 1 point. Sorry.", "bert wins the game and gets 2 points. Sorry.",
		"bert gives up. You win 1 point.", "You give up. bert wins 1 point.", "bert gives up. You win 3 points.", "You accept and win 1 point.", "bert accepts and wins 1 point.",
		"** You're not playing.", "score in 3 point match: anna-0 bert-1", "score in 3 point match: anna-2 bert-2",
		"Starting a new game with bert.", "Type 'join' if you want to play the next game, type 'leave' if you don't.",
		"bert rejects. The game continues.", "** There is no one called bert.", "bert has joined you. Your running match was loaded.",
		"** Player bert has joined you for a 5 point match.", "You are now playing a 7 point match with bert", "bert wants to resume a saved match with you.",
		"board:You:bert:3:0:0:rubbish",
	} {
		lies[text] = says(text)
	}
	for name, change := range map[string]map[int]string{
		"board at 0-0": {4: "0", 5: "0"}, "board at 1-0": {4: "1", 5: "0"}, "board at 0-2": {4: "0", 5: "2"}, "board of 5 points": {3: "5"}, "board with carl": {2: "carl"},
		"board with cube 4": {37: "4"}, "board with a checker too many": {13: "15"},
	} {
		lies[name] = boards(change)
	}
	start := func(score string) lie {
		return says("board:You:bert:3:" + score + ":0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0")
	}
	lies["start at 0:0"], lies["start at 1:0"], lies["start at 0:2"] = start("0:0"), start("1:0"), start("0:2")
	return slices.Sorted(maps.Keys(lies)), lies
}

// liedTo plays a match with a lie after some lines of anna's, and after every line for a while
// then. It returns the number of lines, anna's longest pause between two acts, and how many games
// are marked as possibly incomplete.
func liedTo(t *testing.T, what lie, after []int, during time.Duration) (lines int, pause time.Duration, marked int) {
	synctest.Test(t, func(t *testing.T) {
		p := pair{length: 3, limit: 10 * time.Minute, pace: 500 * time.Millisecond}
		p.server.Seed = 1
		var mu sync.Mutex
		var until, acted time.Time
		last, asked := "", 0
		p.link = func(name string, l Link) Link {
			if name != "anna" {
				return l
			}
			acts := func() {
				mu.Lock()
				defer mu.Unlock()
				if now := time.Now(); acted.IsZero() {
					acted = now
				} else {
					pause, acted = max(pause, now.Sub(acted)), now
				}
			}
			return newLyingLink(l, acts, func(ev *protocol.Event) []string {
				mu.Lock()
				defer mu.Unlock()
				if ev.Kind == protocol.BoardLine && ev.Keep {
					last = ev.Raw
					asked++
				}
				lines++
				begins := slices.Contains(after, lines)
				if begins {
					until = time.Now().Add(during)
				}
				if !begins && !time.Now().Before(until) {
					return nil
				}
				return what(last)
			})
		}
		srv, dirs := p.play(t)
		for i, me := range [2]string{"anna", "bert"} {
			if n := len(sgfFiles(t, dirs[i])); n != len(srv.Matches()) {
				t.Errorf("%s: %d files for %d matches", me, n, len(srv.Matches()))
			}
			extra := 0
			if during > 0 {
				extra = 1 // a false end and what follows it, marked
			}
			marked += compareButFor(t, srv, dirs[i], me, extra)
		}
		if asked > 1000 {
			t.Errorf("%d boards", asked)
		}
	})
	return lines, pause, marked
}

// TestLies: false lines anywhere in a match (an end, a score, another match, another or an
// impossible board) cost neither the match nor a game: play continues within 30 s, and the
// archive equals the server's record. A match is told the same lie several times, far apart;
// FIBSBOT_SOAK=1 tells each lie after every line, once a match.
func TestLies(t *testing.T) {
	testsize.Medium(t)
	lines, _, _ := liedTo(t, nil, nil, 0)
	names, lies := theLies()
	for n, name := range names {
		test := func(t *testing.T, after ...int) {
			_, pause, marked := liedTo(t, lies[name], after, 0)
			if pause > 35*time.Second {
				t.Errorf("paused for %v", pause)
			}
			if marked > 0 {
				t.Errorf("%d games are incomplete", marked)
			}
		}
		t.Run(name, func(t *testing.T) {
			if os.Getenv("FIBSBOT_SOAK") != "" {
				for k := 20; k < lines-4; k++ {
					t.Run(fmt.Sprint(k), func(t *testing.T) { test(t, k) })
				}
				return
			}
			const stride = 97
			var after []int
			for k := 20 + 13*n%stride; k < lines-4; k += stride {
				after = append(after, k)
			}
			t.Logf("after lines %v", after)
			test(t, after...)
		})
	}
}

// TestLies_forAWhile: with a lie after every line for 15 s a match still gets one file, in
// which differences from the server's record are marked, and play continues after the lies.
// A false score after every line is left out, because nothing true remains then.
func TestLies_forAWhile(t *testing.T) {
	stride := 131
	if testsize.Sample(t) {
		stride *= 2
	}
	if os.Getenv("FIBSBOT_SOAK") != "" {
		stride = 7
	}
	lines, _, _ := liedTo(t, nil, nil, 0)
	names, lies := theLies()
	for n, name := range names {
		what, first := lies[name], 17*n
		if strings.HasPrefix(name, "score ") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			for k := 24 + first%stride; k < lines/2; k += stride {
				t.Run(fmt.Sprint(k), func(t *testing.T) {
					if _, pause, _ := liedTo(t, what, []int{k}, 15*time.Second); pause > 90*time.Second {
						t.Errorf("paused for %v", pause)
					}
				})
			}
		})
	}
}
