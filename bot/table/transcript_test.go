package table

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
	"fibsbot/fibs/clip"
	"fibsbot/internal/reference"
)

// script replays one recorded session: the server's lines go into the table,
// and each command of the recorded player must be one that the table found due.
type script struct {
	t      *testing.T
	table  *Table
	parser clip.Parser
	now    time.Time
	ask    *Situation
	sent   []string // commands of the table since the last recorded command
	over   []*sheet.Sheet
	notes  []Note
	asks   map[Question]int
}

func (s *script) due(d Due) {
	s.notes = append(s.notes, d.Notes...)
	for _, c := range d.Send {
		text, err := encode(c)
		if err != nil {
			s.t.Fatalf("table sends what cannot be written: %v", err)
		}
		s.sent = append(s.sent, text)
	}
	if d.Ask != nil {
		s.ask = d.Ask
		s.asks[d.Ask.Ask]++
		if err := d.Ask.Position.Validate(); err != nil {
			s.t.Errorf("asked about an impossible position: %v", err)
		}
	}
	if d.Over != nil {
		s.over = append(s.over, d.Over)
	}
	for _, inv := range d.Invitations {
		s.due(s.table.Accept(inv, s.now))
	}
}

func (s *script) server(line string) {
	for _, ev := range s.parser.Parse(line) {
		if ev.Kind == clip.MotdEnd {
			s.due(s.table.Ready(s.now))
		}
		s.due(s.table.Event(fibs.Event(&ev), s.now))
		s.now = s.now.Add(10 * time.Millisecond)
	}
}

func (s *script) hasSent(prefix string) bool {
	for _, c := range s.sent {
		if strings.HasPrefix(c, prefix) {
			return true
		}
	}
	return false
}

func (s *script) complain(format string, args ...any) { s.t.Helper(); s.t.Errorf(format, args...) }

func (s *script) answer(line string, want Question, d Answer) {
	s.t.Helper()
	if s.ask == nil || s.ask.Ask != want || s.ask.Generation != s.table.Generation() {
		s.complain("recorded player says %q, but the table does not ask to %v (ask %+v, generation %d, sent %q)", line, want, s.ask, s.table.Generation(), s.sent)
		return
	}
	s.due(s.table.Decided(s.ask.Generation, d, s.now))
	if !s.hasSent(strings.Fields(line)[0]) {
		s.complain("the decision %v for %q was not sent: %q", d.Action, line, s.sent)
	}
	s.ask = nil
}

// client checks one command of the recorded player.
func (s *script) client(line string) {
	s.t.Helper()
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "move", "m":
		steps, ok := stepsOfMove(line)
		if !ok {
			s.t.Fatalf("recorded move %q not read", line)
		}
		pos, _ := s.table.Sheet().Position()
		p, ok := sheet.PlaySteps(pos, steps)
		if !ok {
			s.complain("recorded move %q does not fit the position", line)
			return
		}
		s.answer(line, AskPlay, Answer{Action: Play, Play: p})
		want, err := encode(protocol.Move{Steps: orderSteps(p), Down: s.table.view.Down})
		if err != nil || !s.hasSent(want) {
			s.complain("sent %q, want %s (%v)", s.sent, want, err)
		}
	case "roll", "r":
		if s.ask == nil && (s.hasSent("roll") || !s.table.decision.rollAt.IsZero()) {
			break
		}
		s.answer(line, AskRoll, Answer{Action: Roll})
	case "double":
		if s.ask == nil && s.table.Sheet() != nil && !mayDouble(s.table.Sheet()) {
			break // the recorded player turned a dead cube; ours rolls
		}
		s.answer(line, AskRoll, Answer{Action: Double})
	case "accept":
		if s.ask != nil && s.ask.Ask == AskResign {
			s.answer(line, AskResign, Answer{Action: AcceptResign})
		} else {
			s.answer(line, AskTake, Answer{Action: Take})
		}
	case "reject":
		if s.ask != nil && s.ask.Ask == AskResign {
			s.answer(line, AskResign, Answer{Action: RejectResign})
		} else {
			s.answer(line, AskTake, Answer{Action: Drop})
		}
	case "join":
		if rest == "" && !s.hasSent("join") {
			s.complain("recorded player joins the next game, the table does not: %q", s.sent)
		}
	}
	s.sent = nil
}

// replay runs a recorded session.
func replayFile(t *testing.T, path, name string, check bool) *script {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := &script{t: t, table: newTable(Options{Name: name}), now: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC), asks: map[Question]int{}}
	open := ""
	for _, line := range strings.Split(string(data), "\n") {
		switch {
		case strings.HasPrefix(line, "S:"):
			s.server(open + unescape(strings.TrimPrefix(strings.TrimPrefix(line, "S:"), " ")))
			open = ""
		case strings.HasPrefix(line, "S~ "):
			open += unescape(line[3:])
		case strings.HasPrefix(line, "C"):
			if open != "" {
				s.server(open)
				open = ""
			}
			if check && len(line) > 3 && s.table.stage != offline {
				s.client(line[3:])
			}
		case strings.HasPrefix(line, "# client dropped"), strings.HasPrefix(line, "# connection cut"), strings.HasPrefix(line, "# server closed"):
			s.due(s.table.Lost())
		}
	}
	return s
}

func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) && s[i+1] == 'x' {
			var v byte
			for _, c := range []byte(s[i+2 : i+4]) {
				v <<= 4
				switch {
				case c >= '0' && c <= '9':
					v |= c - '0'
				case c >= 'a' && c <= 'f':
					v |= c - 'a' + 10
				}
			}
			b.WriteByte(v)
			i += 3
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// TestReplay_decisionsOfRecordedMatches: whatever the recorded player did in the
// game, the table had asked for at that moment, and the sheet at the end is the
// match that was played.
func TestReplay_decisionsOfRecordedMatches(t *testing.T) {
	dir := filepath.Join(reference.Path(t), "fibs", "transcripts")
	tests := []struct {
		file, name string
		winner     sheet.Side
		score      [2]int // them, us
		games      int
	}{
		{"match1-alice", "alice", 0, [2]int{}, 1},
		{"match1-bob", "bob", 0, [2]int{}, 1},
		{"match3_cube-alice", "alice", sheet.Us, [2]int{0, 3}, 2},
		{"match3_cube-bob", "bob", sheet.Them, [2]int{3, 0}, 2},
		{"match3_backgammon-alice", "alice", 0, [2]int{}, 1},
		{"match3_backgammon-bob", "bob", 0, [2]int{}, 1},
		{"match3_gammon_crawford-alice", "alice", 0, [2]int{}, 3},
		{"match3_gammon_crawford-bob", "bob", 0, [2]int{}, 3},
		{"match5-alice", "alice", 0, [2]int{}, 0},
		{"match5-bob", "bob", 0, [2]int{}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			s := replayFile(t, filepath.Join(dir, tt.file+".txt"), tt.name, true)
			if len(s.over) != 1 {
				t.Fatalf("%d matches ended, want 1", len(s.over))
			}
			sh := s.over[0]
			if tt.score != [2]int{} && (sh.Score != tt.score || sh.Winner != tt.winner) {
				t.Errorf("ended %v for side %d, want %v for %d", sh.Score, sh.Winner, tt.score, tt.winner)
			}
			if tt.games > 0 && len(sh.Games) != tt.games {
				t.Errorf("%d games, want %d", len(sh.Games), tt.games)
			}
			for i, g := range sh.Games {
				if g.Torn {
					t.Errorf("game %d has a hole", i+1)
				}
				if !g.Legal() {
					t.Errorf("game %d is not legal from its start", i+1)
				}
			}
		})
	}
}

// TestReplay_everyTranscript: nothing recorded, however odd, makes the table
// panic, ask about an impossible position or send what cannot be written.
func TestReplay_everyTranscript(t *testing.T) {
	dir := filepath.Join(reference.Path(t), "fibs", "transcripts")
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	quirks, err := filepath.Glob(filepath.Join(dir, "quirks", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(files, quirks...) {
		base := strings.TrimSuffix(filepath.Base(f), ".txt")
		name := base[strings.LastIndex(base, "-")+1:]
		name = strings.TrimSuffix(strings.TrimSuffix(name, "_again"), "_second")
		t.Run(base, func(t *testing.T) { replayFile(t, f, name, false) })
	}
}

// newTable is a table on FIBS.
func newTable(opt Options) *Table {
	opt.Protocol = fibs.Protocol{}
	return New(opt)
}

// encode returns the line of a command on FIBS.
func encode(c protocol.Command) (string, error) {
	lines, err := fibs.Protocol{}.Encode(c)
	return strings.Join(lines, "; "), err
}

// stepsOfMove are the steps of a move command.
func stepsOfMove(line string) ([]board.Step, bool) {
	c, ok := fibs.Protocol{}.Reader().FromUs(line)
	m, move := c.(protocol.Move)
	return m.Steps, ok && move
}
