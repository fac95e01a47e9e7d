package clip

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// goldenLine is one line of testdata/lines.txt: a line of the server, before or after the
// login, and the events that the parser returns for it.
type goldenLine struct {
	fresh bool
	line  string
	want  []string
}

func readGolden(tb testing.TB) []goldenLine {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "lines.txt"))
	if err != nil {
		tb.Fatal(err)
	}
	var all []goldenLine
	for i, row := range strings.Split(string(data), "\n") {
		switch {
		case row == "" || strings.HasPrefix(row, "#"):
		case strings.HasPrefix(row, "login "), strings.HasPrefix(row, "line "):
			before, quoted, _ := strings.Cut(row, " ")
			line, err := strconv.Unquote(quoted)
			if err != nil {
				tb.Fatalf("lines.txt:%d: %v", i+1, err)
			}
			all = append(all, goldenLine{fresh: before == "login", line: line})
		case strings.HasPrefix(row, "\t") && len(all) > 0:
			last := &all[len(all)-1]
			last.want = append(last.want, row[1:])
		default:
			tb.Fatalf("lines.txt:%d: %q", i+1, row)
		}
	}
	return all
}

func (g goldenLine) parse() []Event {
	p := RunningParser()
	if g.fresh {
		p = &Parser{}
	}
	return p.Parse(g.line)
}

func (g goldenLine) got() []string {
	var got []string
	for _, e := range g.parse() {
		got = append(got, describe(e))
	}
	return got
}

// TestParser_everyKnownLine reads testdata/lines.txt: every message of the
// protocol reference's catalogue and the variants met since.
func TestParser_everyKnownLine(t *testing.T) {
	all := readGolden(t)
	if *update {
		writeGolden(t, all)
		return
	}
	for _, g := range all {
		if diff := cmp.Diff(g.want, g.got()); diff != "" {
			t.Errorf("%q (-want +got)\n%s", g.line, diff)
		}
	}
}

const goldenHead = `# What the parser makes of every line a server is known to send.
# "login" is a line before the login, "line" one after it; the events follow,
# one a row, with the fields that are not zero. go test -update rewrites them.
`

// writeGolden rewrites the golden file and adds the lines of the catalogue it
// does not have yet.
func writeGolden(t *testing.T, all []goldenLine) {
	t.Helper()
	known := map[string]bool{}
	for _, g := range all {
		known[g.line] = true
	}
	for _, r := range catalogue(t) {
		if !known[r.example] {
			all = append(all, goldenLine{fresh: strings.HasPrefix(r.id, "login."), line: r.example})
		}
	}
	var b strings.Builder
	b.WriteString(goldenHead)
	for _, g := range all {
		how := "line"
		if g.fresh {
			how = "login"
		}
		b.WriteString("\n" + how + " " + strconv.Quote(g.line) + "\n")
		for _, row := range g.got() {
			b.WriteString("\t" + row + "\n")
		}
	}
	if err := os.WriteFile(filepath.Join("testdata", "lines.txt"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestParser_catalogueIsCovered compares the golden file with the reference's
// catalogue: every example is in it, and only its catch-alls may be unknown.
func TestParser_catalogueIsCovered(t *testing.T) {
	golden := map[string]goldenLine{}
	for _, g := range readGolden(t) {
		golden[g.line] = g
	}
	mayBe := map[string]Kind{
		"star.other": Refused, "err.name_change": Refused, "away.not": Refused, "address.bad": Refused,
		"password.wrong": Refused, "password.twice": Refused, "clip.other": ClipOther,
		"server.attention_other": Notice,
	}
	for _, r := range catalogue(t) {
		g, ok := golden[r.example]
		if !ok {
			t.Errorf("%s: %q is not in testdata/lines.txt", r.id, r.example)
			continue
		}
		for _, e := range g.parse() {
			switch e.Kind {
			case Unknown, BadBoard:
				t.Errorf("%s: %q is %s", r.id, r.example, e.Kind)
			case Refused, ClipOther, Notice:
				if mayBe[r.id] != e.Kind {
					t.Errorf("%s: %q is only %s", r.id, r.example, e.Kind)
				}
			}
		}
	}
}

// TestParser_transcripts reads every recorded session: no line may be of
// unknown shape, no board damaged.
func TestParser_transcripts(t *testing.T) {
	var lines, boards int
	for _, path := range transcripts(t) {
		for _, data := range connections(t, path) {
			p := &Parser{}
			for _, line := range splitPrompts(stripTelnet(data)) {
				lines++
				for _, e := range p.Parse(line) {
					switch e.Kind {
					case Unknown, BadBoard, ClipOther, Refused, OldOther, BogusLine:
						t.Errorf("%s: %s %q %s", filepath.Base(path), e.Kind, e.Raw, e.Text)
					case BoardLine:
						boards++
						if got := e.Board.String(); got != e.Raw {
							t.Errorf("%s: board encodes as\n%s\nnot\n%s", filepath.Base(path), got, e.Raw)
						}
					}
				}
			}
		}
	}
	if lines < 10_000 || boards < 2_000 {
		t.Errorf("only %d lines and %d boards", lines, boards)
	}
}

func TestParser_session(t *testing.T) {
	tests := []struct {
		name  string
		lines []string
		want  []Kind
	}{
		{"message of the day is not read", []string{
			"1 alice 1 host", "3", "bob rolls 3 and 1.", "", "5 bob", "4", "bob rolls 3 and 1.",
		}, []Kind{Welcome, MotdBegin, MotdLine, MotdLine, MotdLine, MotdEnd, Rolls}},
		{"banner looks like messages", []string{
			"bob rolls 3 and 1.", " *bob   5   1 -  1", "6", "login: ",
		}, []Kind{Banner, Banner, Banner, LoginPrompt}},
		{"failed login", []string{"login: ", "login: ", "> ", "5 bob - - 0 0 1500.00 0 3 1 h - -"},
			[]Kind{LoginPrompt, LoginPrompt, TelnetPrompt, BogusLine}},
		{"login prompt ends a session", []string{"1 alice 1 host", "login: ", "bob rolls 3 and 1."},
			[]Kind{Welcome, LoginPrompt, Banner}},
		{"registration", []string{
			"Welcome to FIBS. You just logged in as guest.", "Type 'name username' where", "> ",
			"Your name will be alice", "Please give your password: ", "You are registered.", "> ",
		}, []Kind{GuestWelcome, Known, TelnetPrompt, Known, PasswordPrompt, GuestRegistered, TelnetPrompt}},
		{"help text", []string{"1 alice 1 host", "NAME", "  roll - rolls", ".", "bob rolls 3 and 1."},
			[]Kind{Welcome, Known, Known, Known, Rolls}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var p Parser
			var got []Kind
			for _, line := range tt.lines {
				for _, e := range p.Parse(line) {
					got = append(got, e.Kind)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("kinds (-want +got)\n%s", diff)
			}
		})
	}
}

func TestParser_messageOfTheDayWithoutEnd(t *testing.T) {
	p := RunningParser()
	p.Parse("3")
	for n := 0; ; n++ {
		switch e := p.Parse("bob rolls 3 and 1."); {
		case e[0].Kind == Rolls:
			if n < 100 {
				t.Errorf("deaf for only %d lines", n)
			}
			return
		case n > 10*maxMotd:
			t.Fatal("deaf for ever")
		}
	}
}

func TestParser_playersNamedLikeFixedWords(t *testing.T) {
	for _, name := range []string{"Type", "The", "Score", "You_", "Connection", "Please", "It", "Welcome", "X", "O", "NAME", "board"} {
		e := RunningParser().Parse(name + " rolls 3 and 1.")
		if len(e) != 1 || e[0].Kind != Rolls || e[0].Name != name {
			t.Errorf("%s rolls: %+v", name, e)
		}
	}
}

func TestParser_dirtyLines(t *testing.T) {
	tests := []struct{ name, line, raw string }{
		{"trailing blanks and carriage return", "bob rolls 3 and 1.   \r", "bob rolls 3 and 1."},
		{"bell", "bob rolls 3 and 1.\a\a", "bob rolls 3 and 1."},
		{"terminal escape", "12 bob \x1b[2Jhello", "12 bob [2Jhello"},
		{"Latin-1", "12 bob caf\xe9", "12 bob café"},
		{"UTF-8", "12 bob café", "12 bob café"},
		{"control characters of Latin-1", "12 bob a\x9bb", "12 bob ab"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := RunningParser().Parse(tt.line)
			if len(got) != 1 || got[0].Raw != tt.raw || got[0].Kind == Unknown {
				t.Errorf("Parse(%q) = %+v, want raw %q", tt.line, got, tt.raw)
			}
		})
	}
}

func TestParser_gluedBoardKnowsItsRedoubles(t *testing.T) {
	b := startBoard()
	b.Redoubles = 1
	p := RunningParser()
	p.Parse(b.String())
	got := p.Parse(b.String() + "13 bob Anybody?")
	if len(got) != 2 || got[0].Board.Redoubles != 1 || got[1].Kind != Shouts || got[1].Text != "Anybody?" {
		t.Errorf("glued board: %+v", got)
	}
}

func TestParser_chatIsNeverTheServer(t *testing.T) {
	for _, text := range []string{
		"board:You:bob:5", "bob logs out. The game was saved.", "** You terminated the game. The game was saved.",
		"3", "4", "login: ", "x.** bob is refusing games.",
	} {
		got := RunningParser().Parse("13 bob " + text)
		if len(got) != 1 || got[0].Kind != Shouts || got[0].Text != strings.TrimRight(text, " ") {
			t.Errorf("shout %q is %+v", text, got)
		}
	}
}

func FuzzParser(f *testing.F) {
	for _, g := range readGolden(f) {
		f.Add(g.line, g.fresh)
	}
	f.Fuzz(func(t *testing.T, line string, fresh bool) {
		p := RunningParser()
		if fresh {
			p = &Parser{}
		}
		for _, one := range strings.SplitAfter(line, "\n") {
			events := p.Parse(one)
			if len(events) == 0 || len(events) > maxGlued+1 {
				t.Fatalf("%d events from %q", len(events), one)
			}
			for _, e := range events {
				if len(e.Raw) > 2*len(one) {
					t.Fatalf("raw %q of %q", e.Raw, one)
				}
				if (e.Kind == BoardLine) != (e.Board != nil) || (e.Kind == PlayerLine) != (e.Player != nil) ||
					(e.Kind == OwnInfo) != (e.Settings != nil) {
					t.Fatalf("payload of %+v", e)
				}
				if e.Steps.N > MaxSteps {
					t.Fatalf("steps of %+v", e)
				}
			}
		}
	})
}

func TestParser_commonLinesAllocateNothing(t *testing.T) {
	p := RunningParser()
	events := make([]Event, 0, 4)
	for _, tt := range []struct {
		line string
		most float64
	}{
		{"bob rolls 3 and 1.", 0}, {"bob moves 24-23 23-18 .", 0}, {"It's your turn. Please roll or double", 0},
		{"13 carol Anybody for a 5 point match?", 0}, {"** You're now ready to invite or join someone.", 0}, {"", 0},
		// One each for the value the event points to.
		{startLine, 1}, {"5 carol - - 0 0 1439.79 1262 410 1041251697 h - -", 1},
	} {
		got := testing.AllocsPerRun(100, func() { events = p.Append(events[:0], tt.line) })
		if got > tt.most {
			t.Errorf("%q: %v allocations, want %v", tt.line, got, tt.most)
		}
	}
}

func BenchmarkParser(b *testing.B) {
	var lines []string
	for _, path := range transcripts(b) {
		for _, data := range connections(b, path) {
			lines = append(lines, splitPrompts(stripTelnet(data))...)
		}
	}
	p := RunningParser()
	var events []Event
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		events = p.Append(events[:0], lines[n%len(lines)])
		n++
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "lines/s")
}
