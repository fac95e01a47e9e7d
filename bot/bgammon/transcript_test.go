package bgammon

import (
	"bufio"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fibsbot/bgammon/wire"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/internal/reference"
)

var line = regexp.MustCompile(`^\s*[\d.]+ (\w+)\s+([<>]) (.*)$`)

// follower reads what one side of a recorded session was told, as the table and the
// journal do.
type follower struct {
	reader reader
	s      *sheet.Sheet
	boards int
	wins   int
}

// Every board of the recorded sessions with the real server leads to the position, the
// dice, the cube and the score that it shows; no game has a hole, and no board is taken
// for an old one.
func TestTranscripts_sheetsFollowTheBoards(t *testing.T) {
	boards, games := 0, 0
	for _, file := range append(reference.Glob(t, "bgammon", "*.txt"), reference.Glob(t, "bgammon", "*.txt.gz")...) {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		var r io.Reader = f
		if strings.HasSuffix(file, ".gz") {
			if r, err = gzip.NewReader(f); err != nil {
				t.Fatal(err)
			}
		}
		sides := map[string]*follower{}
		for in := bufio.NewScanner(r); in.Scan(); {
			m := line.FindStringSubmatch(in.Text())
			if m == nil || m[2] != "<" {
				continue
			}
			who := sides[m[1]]
			if who == nil {
				who = &follower{reader: reader{live: true}}
				sides[m[1]] = who
			}
			who.said(t, filepath.Base(file)+" "+m[1], m[3])
		}
		for _, who := range sides {
			boards += who.boards
			games += who.wins
		}
		f.Close()
	}
	if boards < 500 || games < 8 {
		t.Errorf("%d boards and %d games followed", boards, games)
	}
	t.Logf("%d boards, %d games", boards, games)
}

func (f *follower) said(t *testing.T, where, raw string) {
	t.Helper()
	events := f.reader.FromServer(raw)
	if _, ok := wire.Parse(raw).(wire.Board); ok && f.reader.line != raw {
		t.Errorf("%s: taken for an old board: %s", where, raw)
	}
	for _, ev := range events {
		switch ev.Kind {
		case protocol.MatchBegins:
			f.s = sheet.New(ev.Name, ev.Length, true)
		case protocol.MatchResumes:
			f.s = sheet.New(ev.Name, ev.Length, false)
		case protocol.GameOver:
			f.wins++
		}
		if f.s == nil || !ev.Keep {
			continue
		}
		protocol.Enter(f.s, &ev, "nobody")
		if ev.Kind != protocol.BoardLine || f.s.Over {
			continue
		}
		f.boards++
		b, ok := wire.Parse(raw).(wire.Board)
		if !ok {
			t.Fatalf("%s: no board: %s", where, raw)
		}
		if f.s.Score != [2]int{sheet.Us: b.Own.Points, sheet.Them: b.Opponent.Points} {
			t.Errorf("%s: score %v: %s", where, f.s.Score, raw)
		}
		if b.Turn == wire.TurnNobody {
			continue
		}
		want := *ev.Board
		if p, known := f.s.Position(); !known || p != want.Position {
			t.Errorf("%s: position %s, the board has %s: %s", where, p.ID(), want.Position.ID(), raw)
		}
		if f.s.Cube() != b.Cube || f.s.Dice().Sorted() != want.Dice.Sorted() || f.s.Turn() != want.Turn {
			t.Errorf("%s: cube %d, dice %v, turn %v: %s", where, f.s.Cube(), f.s.Dice(), f.s.Turn(), raw)
		}
		if g := f.s.Current(); g == nil || g.Torn && f.s.SeenFromStart {
			t.Errorf("%s: a hole: %s", where, raw)
		}
	}
}
