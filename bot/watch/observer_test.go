package watch

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/engine/record"
	"fibsbot/internal/reference"
	"fibsbot/internal/testsize"
)

// transcript returns the lines of a recorded session, or skips the test without the reference data.
func transcript(t testing.TB, name string) []string {
	t.Helper()
	f, err := os.Open(reference.Path(t, "fibs", "transcripts", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines []string
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		lines = append(lines, sc.Text())
	}
	return lines
}

// told returns the server's lines of a session.
func told(session []string) (lines []string) {
	for _, l := range session {
		for _, mark := range []string{"S: ", "S~ "} {
			if text, ok := strings.CutPrefix(l, mark); ok {
				lines = append(lines, text)
			}
		}
	}
	return lines
}

// watchLines enters the lines and returns the matches with all their news.
func watchLines(player string, lines []string) (matches []*record.Match, news []Report) {
	o := newObserver(player, "test", protocol.Rules{})
	p := fibs.Protocol{}.Reader()
	take := func(list []Report) {
		for _, n := range list {
			if n.Topic == Began {
				matches = append(matches, n.Match)
			}
			news = append(news, n)
		}
	}
	for _, l := range lines {
		for _, ev := range p.FromServer(l) {
			take(o.Event(ev))
		}
	}
	take(o.Leave())
	return matches, news
}

// listing returns a record as a list of words, with illegal actions marked.
func listing(t testing.TB, m *record.Match) []string {
	t.Helper()
	out := []string{fmt.Sprintf("%s-%s %d", m.Players[0].Name, m.Players[1].Name, m.Length)}
	for i := range m.Games {
		g := &m.Games[i]
		out = append(out, fmt.Sprintf("game %d-%d crawford=%v cube=%d", g.Score[0], g.Score[1], g.Crawford, g.Cube))
		for turn := range m.Turns(g) {
			if !turn.Legal {
				t.Errorf("game %d action %d: %s", i+1, turn.Index, turn.Problem)
			}
			a := turn.Action
			switch a.Kind {
			case record.Move, record.Roll:
				d := a.Dice.Sorted()
				out = append(out, fmt.Sprintf("%d %v %d%d to %s", a.Player, a.Kind, d.A, d.B, turn.Play.Result.ID()))
			case record.SetUp:
				out = append(out, fmt.Sprintf("set-up %d %s", a.Player, turn.Position.ID()))
			default:
				out = append(out, fmt.Sprintf("%d %v", a.Player, a.Kind))
			}
		}
		if g.Result.Finished() {
			out = append(out, fmt.Sprintf("won by %d: %d resigned=%v", g.Result.Winner, g.Result.Points, g.Result.Resigned))
		}
	}
	return out
}

func count(m *record.Match, k record.Kind) (n int) {
	for _, g := range m.Games {
		for _, a := range g.Actions {
			if a.Kind == k {
				n++
			}
		}
	}
	return n
}

// asPlayed returns the listing of the same match by the bot's own table, from the lines of
// one of the players.
func asPlayed(t testing.TB, me, opponent string, length int, session []string) []string {
	t.Helper()
	s := sheet.New(opponent, length, true)
	p := fibs.Protocol{}.Reader()
	for _, l := range session {
		if sent, ok := strings.CutPrefix(l, "C: "); ok {
			if c, ok := p.FromUs(sent); ok {
				protocol.EnterSent(s, c)
			}
			continue
		}
		for _, text := range told([]string{l}) {
			for _, ev := range p.FromServer(text) {
				protocol.Enter(s, &ev, me)
			}
		}
	}
	m := &record.Match{Players: [2]record.Player{{Name: opponent}, {Name: me}}, Length: length}
	for i := range s.Games {
		g := &s.Games[i]
		rg := record.Game{Number: i, Score: g.Score, Crawford: g.Crawford, Cube: g.Cube}
		for _, a := range g.Acts {
			kinds := map[sheet.ActKind]record.Kind{sheet.ActPlayed: record.Move, sheet.ActRolled: record.Roll,
				sheet.ActDoubled: record.Double, sheet.ActTook: record.Take, sheet.ActDropped: record.Drop}
			k, ok := kinds[a.Kind]
			if !ok {
				continue
			}
			rg.Actions = append(rg.Actions, record.Action{Kind: k, Player: int(a.Side), Dice: a.Dice, Steps: a.Play.Steps[:a.Play.N]})
		}
		if g.Finished() {
			rg.Result = record.Result{Winner: int(g.Winner), Points: g.Points, Resigned: g.Resigned}
		}
		m.Games = append(m.Games, rg)
	}
	return listing(t, m)
}

func TestObserver_aSpectatorsSessionGivesThePlayersRecord(t *testing.T) {
	matches, news := watchLines("alice", told(transcript(t, "watch-carol.txt")))
	if len(matches) != 1 {
		t.Fatalf("%d matches, want 1", len(matches))
	}
	got := listing(t, matches[0])
	want := asPlayed(t, "alice", "bob", 3, transcript(t, "watch-alice.txt"))
	// Carol saw no board until alice's second turn: four turns are missing, and bob's next
	// one starts from a position set up.
	if !strings.HasPrefix(got[2], "set-up 0 ") {
		t.Fatalf("first action: %q", got[2])
	}
	got, want = append(got[:2:2], got[3:]...), append(want[:2:2], want[6:]...)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the record differs from the player's (-player +watcher):\n%s", diff)
	}
	var gaps, decided int
	for _, n := range news {
		switch n.Topic {
		case Missed:
			gaps++
		case Judged:
			decided++
		}
	}
	if gaps != 0 || decided < 150 {
		t.Errorf("%d gaps, %d decisions; the session has no hole after the first board", gaps, decided)
	}
	if last := news[len(news)-1]; last.Topic != MatchEnd {
		t.Errorf("the last news is %v, not the end of the match", last.Topic)
	}
}

// TestObserver_survivesEveryLostLine loses each line in turn: apart from the hole the record
// must stay legal, continue, and end with the right result.
func TestObserver_survivesEveryLostLine(t *testing.T) {
	lines := told(transcript(t, "watch-carol.txt"))
	whole, _ := watchLines("alice", lines)
	want := whole[0].FinalScore()
	step := 7
	if testsize.Brief() {
		step = 41
	}
	for lost := 60; lost < len(lines); lost += step {
		cut := append(append([]string{}, lines[:lost]...), lines[lost+1:]...)
		matches, _ := watchLines("alice", cut)
		if len(matches) != 1 {
			t.Fatalf("without line %d %q: %d matches", lost, lines[lost], len(matches))
		}
		m := matches[0]
		for i := range m.Games {
			for turn := range m.Turns(&m.Games[i]) {
				if !turn.Legal && turn.Action.Kind != record.SetUp {
					t.Errorf("without line %d %q: game %d action %d (%v %v): %s", lost, lines[lost], i+1, turn.Index, turn.Action.Kind,
						turn.Action.Dice, turn.Problem)
				}
			}
		}
		if got := m.FinalScore(); got != want {
			t.Errorf("without line %d %q: final score %v, want %v", lost, lines[lost], got, want)
		}
		if a, b := count(m, record.Move), count(whole[0], record.Move); a < b-3 {
			t.Errorf("without line %d %q: %d moves left of %d", lost, lines[lost], a, b)
		}
	}
}

// TestObserver_joinsAnywhere starts at every part of the session: the record must be the tail
// of the whole one.
func TestObserver_joinsAnywhere(t *testing.T) {
	lines := told(transcript(t, "watch-carol.txt"))
	whole, _ := watchLines("alice", lines)
	want := moves(whole[0])
	for from := 60; from < len(lines)-40; from += 97 {
		matches, _ := watchLines("alice", lines[from:])
		if len(matches) != 1 {
			t.Fatalf("from line %d: %d matches", from, len(matches))
		}
		got := moves(matches[0])
		if len(got) == 0 || len(got) > len(want) {
			t.Fatalf("from line %d: %d moves, the whole match has %d", from, len(got), len(want))
		}
		if diff := cmp.Diff(want[len(want)-len(got):], got); diff != "" {
			t.Errorf("from line %d (-whole +tail):\n%s", from, diff)
		}
		listing(t, matches[0])
	}
}

func moves(m *record.Match) (out []string) {
	for _, g := range m.Games {
		for _, a := range g.Actions {
			if a.Kind == record.Move {
				out = append(out, fmt.Sprint(a.Player, a.Dice, a.Steps))
			}
		}
	}
	return out
}

// TestObserver_anyLines enters lines in any order and number: nothing may panic, and every
// record has been announced as opened.
func TestObserver_anyLines(t *testing.T) {
	lines := told(transcript(t, "watch-carol.txt"))
	lines = append(lines, told(transcript(t, "watch-bob.txt"))...)
	lines = append(lines, "alice wants to resign. bob will win 4 points.", "bob rejects. The game continues.",
		"bob accepts and wins 2 points.", "bob gives up. alice wins 1 point.", "alice accepts the double.", "alice doubles.",
		"alice logs out.. You're not watching anymore.", "8 alice alice logs out.", "Starting a new game with bob.",
		"alice rolled 6, bob rolled 2", "alice makes the first move.")
	rapid.Check(t, func(t *rapid.T) {
		pick := rapid.SliceOfN(rapid.IntRange(0, len(lines)-1), 0, 60).Draw(t, "lines")
		var some []string
		for _, i := range pick {
			// A few lines in their order, then a jump.
			some = append(some, lines[i:min(len(lines), i+1+i%5)]...)
		}
		matches, news := watchLines("alice", some)
		open := map[*record.Match]bool{}
		for _, n := range news {
			switch n.Topic {
			case Began:
				open[n.Match] = true
			case MatchEnd, BrokenOff:
				if !open[n.Match] {
					t.Fatal("a match ended that was not open")
				}
				delete(open, n.Match)
			default:
				if !open[n.Match] {
					t.Fatalf("news %v of a match that is not open", n.Topic)
				}
			}
		}
		if len(open) > 0 {
			t.Fatal("a match is still open after Leave")
		}
		for _, m := range matches {
			for i := range m.Games {
				for turn := range m.Turns(&m.Games[i]) {
					if turn.Action.Kind == record.Move && !turn.Legal && turn.Problem != "the game is over" {
						t.Fatalf("%v", turn.Problem)
					}
				}
			}
		}
	})
}
