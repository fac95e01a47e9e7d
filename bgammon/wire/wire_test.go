package wire

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fibsbot/internal/reference"
)

const start = `"Board":[0,-2,0,0,0,0,5,0,3,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,2,0,0,0]`

// boardLine is a board of the real server with one part replaced.
func boardLine(old, new string) string {
	line := `{"Type":"board","Player":"","Started":1795349328,"Ended":0,` +
		`"Player1":{"Number":1,"Name":"BOT_alpha","Rating":0,"Points":2,"Entered":true,"Inactive":7,"Icon":0},` +
		`"Player2":{"Number":2,"Name":"Guest_beta","Rating":1500,"Points":1,"Entered":true,"Inactive":0,"Icon":0},` +
		`"Variant":0,` + start + `,"Turn":2,"Roll1":1,"Roll2":3,"Roll3":0,"Moves":[[19,22]],"Winner":0,"Points":7,"Crawford":0,` +
		`"DoubleValue":2,"DoublePlayer":1,"DoubleOffered":false,"Reroll":false,"PlayerNumber":1,"Available":[[19,20],[26,24]],"Forced":false,"Spectating":false}`
	return strings.Replace(line, old, new, 1)
}

func TestParse(t *testing.T) {
	tests := []struct {
		line string
		want Event
	}{
		{"hello Welcome to bgammon.org!", hello{"Welcome to bgammon.org!"}},
		{`{"Type":"welcome","Player":"","PlayerName":"Guest_human","Clients":2,"Games":1}`, Welcome{"Guest_human", 2, 1}},
		{`{"Type":"settings","Player":"","AutoPlay":true,"Highlight":true,"Pips":true}`, Settings{AutoPlay: true}},
		{`{"Type":"list","Player":"","Games":null}`, List{}},
		{`{"Type":"list","Player":"","Games":[{"ID":1,"Password":true,"Points":3,"Players":1,"Rating":0,"Name":"a probe"}]}`,
			List{[]Listing{{ID: 1, Password: true, Points: 3, Players: 1, Name: "a probe"}}}},
		{`{"Type":"notice","Player":"","Message":"Resigned."}`, Notice{"Resigned."}},
		{"{\"Type\":\"notice\",\"Player\":\"\",\"Message\":\"a\\u001b]0;b\\u202ec\"}", Notice{"a]0;bc"}},
		{`{"Type":"joined","Player":"BOT_alpha","GameID":4,"PlayerNumber":2}`, Joined{"BOT_alpha", 4, 2}},
		{`{"Type":"left","Player":"BOT_alpha"}`, Left{"BOT_alpha"}},
		{`{"Type":"left","Player":"../\u001b[31mx y"}`, Left{"..31mxy"}},
		{`{"Type":"failedroll","Player":"","Reason":"It is not your turn to roll."}`, Refusal{Command: "roll", Reason: "It is not your turn to roll."}},
		{`{"Type":"failedjoin","Player":"","Reason":"No."}`, Refusal{Command: "join", Reason: "No."}},
		{`{"Type":"failedcreate","Player":"","Reason":"No."}`, Refusal{Command: "create", Reason: "No."}},
		{`{"Type":"failedleave","Player":"","Reason":"No."}`, Refusal{Command: "leave", Reason: "No."}},
		{`{"Type":"failedok","Player":"","Reason":"A legal move is left."}`, Refusal{Command: "ok", Reason: "A legal move is left."}},
		{`{"Type":"failedmove","Player":"","From":8,"To":2,"Reason":"Illegal move."}`, Refusal{"move", "Illegal move.", Hop{8, 2}}},
		{`{"Type":"rolled","Player":"BOT_alpha","Roll1":0,"Roll2":4,"Roll3":0,"Selected":false}`, Rolled{"BOT_alpha", 0, 4}},
		{`{"Type":"moved","Player":"Guest_beta","Moves":[[27,1],[1,2]]}`, Moved{"Guest_beta", []Hop{{27, 1}, {1, 2}}}},
		{`{"Type":"win","Player":"BOT_alpha","Points":3,"Rating":0,"Resigned":"Guest_beta"}`, Win{"BOT_alpha", 3, 0, "Guest_beta"}},
		{`{"Type":"say","Player":"Guest_beta","Message":"thank you"}`, Say{"Guest_beta", "thank you"}},
		{`{"Type":"history","Player":"","Page":1,"Matches":[{"ID":7}]}`, Page{"history"}},
		{`{"Type":"replay","Player":"","ID":7,"Content":"Zmlic2JvdA=="}`, Page{"replay"}},
		{`{"Type":"achievements","Player":"","Achievements":null}`, Page{"achievements"}},
		{`{"Type":"ping","Player":"","Message":"1234"}`, Ping{"1234"}},
		{boardLine("", ""), Board{
			Own: Seat{Name: "BOT_alpha", Points: 2, Inactive: 7}, Opponent: Seat{Name: "Guest_beta", Points: 1, Rating: 1500},
			Points:   7,
			Checkers: [Places]int{0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0, 0, 0},
			Turn:     2, Die1: 1, Die2: 3, Hops: []Hop{{19, 22}}, Available: []Hop{{19, 20}, {26, 24}},
			Cube: 2, CubeOwner: 1, Started: 1795349328,
		}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, Parse(tt.line)); diff != "" {
			t.Errorf("Parse(%.80s)\n%s", tt.line, diff)
		}
	}
}

func TestParse_whatIsNotUnderstoodKeepsItsLine(t *testing.T) {
	tests := []struct{ line, typ, problem string }{
		{"", "", "not a JSON"},
		{"Connection closed", "", "not a JSON"},
		{"{", "", "unexpected end"},
		{`{"Type":7}`, "", "cannot unmarshal"},
		{`{"Type":"weather","Player":""}`, "weather", ""},
		{`{"Type":"rolled","Player":"x","Roll1":7,"Roll2":1}`, "rolled", "rolled 7 1"},
		{`{"Type":"rolled","Player":"x","Roll1":"6"}`, "rolled", "cannot unmarshal"},
		{`{"Type":"moved","Player":"x","Moves":[[28,2]]}`, "moved", "hop 28/2"},
		{`{"Type":"joined","Player":"x","PlayerNumber":3}`, "joined", "PlayerNumber = 3"},
		{`{"Type":"win","Player":"x","Points":-1}`, "win", "Points = -1"},
		{`{"Type":"welcome"}`, "welcome", "PlayerName"},
		{boardLine(start, `"Board":[1,2]`), "board", "28"},
		{boardLine(start, strings.Replace(start, "-5,5,", "-5,16,", 1)), "board", "Board[13] = 16"},
		{boardLine(start, strings.Replace(start, "-5,5,", "-5,6,", 1)), "board", "checkers = 16"},
		{boardLine(start, strings.Replace(start, "[0,-2", "[-1,-1", 1)), "board", "wrong home"},
		{boardLine(`"Turn":2`, `"Turn":3`), "board", "Turn = 3"},
		{boardLine(`"DoubleValue":2`, `"DoubleValue":3`), "board", "power of two"},
		{boardLine(`"DoubleValue":2`, `"DoubleValue":0`), "board", "DoubleValue = 0"},
		{boardLine(`"Points":7`, `"Points":128`), "board", "Points = 128"},
		{boardLine(`[19,20]`, `[19,-1]`), "board", "Available"},
	}
	for _, tt := range tests {
		u, ok := Parse(tt.line).(Unknown)
		switch {
		case !ok:
			t.Errorf("Parse(%.80s) = %+v, want Unknown", tt.line, Parse(tt.line))
		case u.Type != tt.typ || u.Line != tt.line || !strings.Contains(u.Problem, tt.problem) || (tt.problem == "") != (u.Problem == ""):
			t.Errorf("Parse(%.80s) = %q, %q; want type %q, problem %q", tt.line, u.Type, u.Problem, tt.typ, tt.problem)
		}
	}
	if u, ok := Parse(`{"Type":"notice","Message":"` + strings.Repeat("x", MaxLine) + `"}`).(Unknown); !ok || len(u.Line) > maxText {
		t.Error("a line above the bound was read")
	}
}

func TestCommand_lines(t *testing.T) {
	tests := []struct {
		command Command
		want    string
	}{
		{Login{Client: "fibsbot-2", Language: "en", Name: "BOT_x"}, "lj fibsbot-2/en BOT_x"},
		{Login{Client: "fibsbot-2", Language: "en", Name: "BOT_x", Password: "a b"}, "lj fibsbot-2/en BOT_x a_b"},
		{Create{Points: 3}, "create public 3 0"},
		{Create{Points: 127, Title: "come in\n, play"}, "create public 127 0 come in, play"},
		{Create{Points: 5, Password: "pw"}, "create private pw 5 0"},
		{Move{{8, 5}, {6, 5}}, "move 8/5 6/5"},
		{Move{{OwnBar, 20}, {4, OwnHome}}, "move bar/20 4/off"},
		{Roll, "roll"}, {OK, "ok"}, {Double, "double"}, {Resign, "resign"}, {Rematch, "rematch"},
		{Chat("good\r\nluck\x1b"), "say goodluck"},
		{JoinBot("BOT_x"), "join BOT_x"}, {Join("mira"), "join mira"}, {Join("BOT_x"), "join BOT_x"},
		{Pong("17"), "pong 17"}, {Pong(""), "pong"},
	}
	for _, tt := range tests {
		if got, err := tt.command.Line(); err != nil || got != tt.want {
			t.Errorf("%#v: %q, %v; want %q", tt.command, got, err, tt.want)
		}
	}
}

func TestCommand_whatNoLineCanHold(t *testing.T) {
	for _, c := range []Command{
		Create{Points: 0}, Create{Points: 128}, Create{Points: 1, Password: "a b"},
		Move{}, Move{{0, 5}}, Move{{TheirBar, 5}}, Move{{5, OwnBar}}, Move{{1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}},
		JoinBot("1"), JoinBot("mira"), Join(""), Join("1"), Join("mi ra"), JoinBot("BOT_ x"), JoinBot("BOT_x 1"),
		Chat("\n"), Simple("a b"), Simple(""),
		Login{Client: "a b", Language: "en", Name: "x"}, Login{Client: "a", Language: "en", Name: "x\ny"},
	} {
		if line, err := c.Line(); !errors.Is(err, ErrCommand) {
			t.Errorf("%#v: %q, %v; want ErrCommand", c, line, err)
		}
	}
	secret := "hush\x00hush"
	_, err := Login{Client: "a", Language: "en", Name: "x", Password: secret}.Line()
	if err == nil || strings.Contains(err.Error(), "hush") {
		t.Errorf("a password in an error: %v", err)
	}
	if got := (Login{Client: "a", Language: "en", Name: "x", Password: "hush"}).Masked(); strings.Contains(got, "hush") {
		t.Errorf("Masked = %q", got)
	}
}

func TestCheckBotName(t *testing.T) {
	for name, ok := range map[string]bool{"BOT_a": true, "BOT_fibs_bot_12345": true, "BOT_fibs_bot_123456": false, "BOT_": false,
		"bot_a": false, "fibsbot": false, "BOT_a b": false, "BOT_ä": false, "": false} {
		if err := CheckBotName(name); (err == nil) != ok {
			t.Errorf("CheckBotName(%q) = %v", name, err)
		}
	}
}

// TestCheckPersonName: a person's account may not look like a program's.
func TestCheckPersonName(t *testing.T) {
	for name, ok := range map[string]bool{"mira": true, "Guest_mira": true, "m4": true, "BOT_mira": false, "": false, "42": false,
		"mi ra": false, "mira1234567890123456": false} {
		if err := CheckPersonName(name); (err == nil) != ok {
			t.Errorf("CheckPersonName(%q) = %v", name, err)
		}
	}
}

// transcriptLine is one line of a recorded session: time, who, direction, text.
var transcriptLine = regexp.MustCompile(`^\s*[\d.]+ \w+\s+([<>]) (.*)$`)

// transcripts calls f with each line of the recorded sessions.
func transcripts(t *testing.T, f func(file string, sent bool, line string)) {
	t.Helper()
	for _, file := range append(reference.Glob(t, "bgammon", "*.txt"), reference.Glob(t, "bgammon", "*.txt.gz")...) {
		in, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		var r io.Reader = in
		if strings.HasSuffix(file, ".gz") {
			if r, err = gzip.NewReader(in); err != nil {
				t.Fatal(err)
			}
		}
		for s := bufio.NewScanner(r); s.Scan(); {
			if m := transcriptLine.FindStringSubmatch(s.Text()); m != nil {
				f(filepath.Base(file), m[1] == ">", m[2])
			}
		}
		in.Close()
	}
}

func TestTranscripts_everyLineIsUnderstood(t *testing.T) {
	kinds, boards := map[string]int{}, 0
	transcripts(t, func(file string, sent bool, line string) {
		if sent {
			return
		}
		ev := Parse(line)
		if u, ok := ev.(Unknown); ok {
			t.Errorf("%s: %q: %s", file, line, u.Problem)
		}
		if b, ok := ev.(Board); ok {
			boards++
			n := 0
			for _, c := range b.Checkers {
				n += c
			}
			// Both sides have 15 checkers in backgammon; those borne off are in the homes.
			if n != 0 && !t.Failed() && b.Checkers[OwnHome] == 0 && b.Checkers[TheirHome] == 0 {
				t.Errorf("%s: %d checkers more on one side: %s", file, n, line)
			}
		}
		kinds[strings.TrimPrefix(strings.SplitN(line, ",", 2)[0], `{"Type":`)]++
	})
	if boards < 1900 {
		t.Errorf("%d boards in the transcripts: %v", boards, kinds)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("hello")
	f.Add(boardLine("", ""))
	f.Add(boardLine(start, `"Board":[`+strings.Repeat("9,", 27)+`9]`))
	f.Add(`{"Type":"list","Games":[{"ID":-1}]}`)
	f.Add(`{"Type":"win","Points":1e99}`)
	f.Add(`{"Type":"moved","Moves":[[1,2,3],[4]]}`)
	f.Fuzz(func(t *testing.T, line string) {
		switch ev := Parse(line).(type) {
		case Board:
			if err := ev.check(); err != nil {
				t.Fatal(err)
			}
		case Notice:
			if strings.ContainsAny(ev.Text, "\x1b\n\r\x00") {
				t.Fatalf("control characters in %q", ev.Text)
			}
		case Unknown:
			if len(ev.Line) > MaxLine {
				t.Fatal("a line above the bound is kept")
			}
		case nil:
			t.Fatal("no event")
		}
	})
}

func TestNotice_mayLeave(t *testing.T) {
	for text, want := range map[string]bool{
		"Your opponent has been inactive for more than ten minutes. You may continue playing or leave the match at any time and receive a win.": true,
		"You have been inactive for more than ten minutes. If your opponent leaves the match they will receive a win.":                          false,
		"Left completed match.": false,
		"":                      false,
	} {
		if got := (Notice{text}).MayLeave(); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
