package record_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/detect"
	"fibsbot/engine/record/internal/recordtest"
	"fibsbot/engine/record/mat"

	"pgregory.net/rapid"
)

// A dialect writes the rows of .mat as one of the programs does. It is written apart
// from package mat, from the descriptions of real files.
type dialect struct {
	name   string
	before string // above the length
	length string // of the match, %d
	row    string // number of a row
	column int    // where the right cell begins
	play   func(t *record.Turn) string
	double string
	drop   string
	loser  bool // the loser's cell states the result too
	crlf   bool
	gnubg  bool // gnubg reads it
}

// single writes one step a die, numbers only, no stars.
func single(t *record.Turn) string {
	var parts []string
	for _, s := range t.Play.Steps[:t.Play.N] {
		parts = append(parts, fmt.Sprintf("%d/%d", s.From+1, s.To+1))
	}
	return strings.Join(parts, " ")
}

// joined writes as players do: bar, off, stars, (2), one checker's steps in one.
func joined(t *record.Turn) string {
	if t.Play.N == 0 {
		return "Cannot Move"
	}
	return board.FormatPlay(t.Position, t.Play)
}

var dialects = []dialect{
	{name: "galaxy", before: "; [Site \"Somewhere\"]\n; [Player 1 Elo \"3,00/0\"]\n", length: "%d point match", row: "%3d) ", column: 33, play: single, double: " Doubles => %d", drop: " Drops", gnubg: true},
	{name: "galaxy-losses", length: "%d point match", row: "%3d) ", column: 33, play: single, double: " Doubles => %d", drop: " Drops", loser: true},
	{name: "studio", before: "; [Site \"Backgammon Studio\"]\n\n", length: "%d Point match", row: "  %d) ", column: 40, play: joined, double: "Doubles => %d", drop: "Drops", gnubg: true},
	{name: "xg", before: "\ufeff; [Transcriber \"x\"]\n", length: "%d point match", row: "%3d) ", column: 32, play: single, double: " Doubles => %d", drop: " Drops", crlf: true, gnubg: true},
	{name: "choue", length: "%d point match", row: "%d) ", column: 36, play: joined, double: "Doubles ==> %d", drop: "Drops", gnubg: true},
	{name: "tabs", length: "%d points match", row: "%d)\t", column: -1, play: joined, double: "Redoubles => %d", drop: "Passes"},
}

func (d *dialect) write(m *record.Match) string {
	var b strings.Builder
	b.WriteString(d.before)
	fmt.Fprintf(&b, " "+d.length+"\n\n", m.Length)
	for i := range m.Games {
		g := &m.Games[i]
		fmt.Fprintf(&b, " Game %d\n %-*s%s : %d\n", i+1, max(d.column-1, 30), fmt.Sprintf("%s : %d", m.Players[0].Name, g.Score[0]), m.Players[1].Name, g.Score[1])
		d.rows(&b, m, g)
		b.WriteString("\n")
	}
	if d.crlf {
		return strings.ReplaceAll(b.String(), "\n", "\r\n")
	}
	return b.String()
}

func (d *dialect) rows(b *strings.Builder, m *record.Match, g *record.Game) {
	n, left := 0, ""
	open := false
	pad := func(s string) string {
		if d.column < 0 {
			return s + "\t"
		}
		return fmt.Sprintf("%-*s ", d.column-1, s)
	}
	flush := func() {
		if open {
			b.WriteString(strings.TrimRight(left, " ") + "\n")
			open = false
		}
	}
	put := func(player int, cell string) {
		if player == 0 || !open {
			flush()
			n++
			left, open = fmt.Sprintf(d.row, n), true
		}
		if player == 0 {
			left += cell
			return
		}
		b.WriteString(pad(left) + cell + "\n")
		open = false
	}
	dropped := false
	for t := range m.Turns(g) {
		switch a := t.Action; a.Kind {
		case record.Move:
			put(t.Player, fmt.Sprintf("%d%d: %s", a.Dice.A, a.Dice.B, d.play(&t)))
		case record.Double:
			put(t.Player, fmt.Sprintf(d.double, 2*t.State.Cube))
		case record.Take:
			put(t.Player, " Takes")
		case record.Drop:
			put(t.Player, d.drop)
			dropped = true
		}
	}
	r := g.Result
	if !r.Finished() {
		flush()
		return
	}
	wins := fmt.Sprintf("Wins %d point", r.Points)
	if d.loser && !dropped {
		// The loser's cell of the last row, or a row of its own.
		put(1-r.Winner, fmt.Sprintf("Losses %d point", r.Points))
	}
	switch {
	case r.Winner == 1 && open && (dropped || d.loser):
		b.WriteString(pad(left) + wins + "\n")
		open = false
	case r.Winner == 1 && d.column < 0:
		flush()
		b.WriteString("\t\t" + wins + "\n")
	case r.Winner == 1:
		flush()
		b.WriteString(pad(strings.Repeat(" ", 2)) + wins + "\n")
	default:
		flush()
		b.WriteString("      " + wins + "\n")
	}
}

// Matches in the dialects of many programs are read as what was written, and where
// gnubg imports the file, as gnubg does, play by play.
func TestDialects_equalPlies(t *testing.T) {
	dir := t.TempDir()
	commands := "set confirm new off\nset confirm save off\n"
	type job struct {
		name, out string
		got       *record.Match
	}
	var jobs []job
	for i := range 6 {
		var m *record.Match
		for k := 0; m == nil || m.Length == 0; k++ {
			m = rapid.Custom(randomMatch).Example(100*i + k)
		}
		m.Players[0].Name, m.Players[1].Name = "van der Meer", "B-2 x"
		for k := range dialects {
			d := &dialects[k]
			text := d.write(m)
			all, f, ws, err := detect.Read(strings.NewReader(text))
			if err != nil || f != "mat" || len(all) != 1 || len(ws) > 0 {
				t.Errorf("%s %d: %s %v %v\n%s", d.name, i, f, err, ws, text)
				continue
			}
			equalPlay(t, d.name, m, all[0])
			if t.Failed() {
				t.Fatalf("%s", text)
			}
			if !d.gnubg {
				continue
			}
			in := filepath.Join(dir, fmt.Sprintf("%s%d.mat", d.name, i))
			if err := os.WriteFile(in, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			commands += fmt.Sprintf("import mat %s\nexport match mat %s.out\n", in, in)
			jobs = append(jobs, job{fmt.Sprintf("%s %d", d.name, i), in + ".out", all[0]})
		}
	}
	recordtest.RunGnubg(t, commands)
	for _, j := range jobs {
		text, err := os.ReadFile(j.out)
		if err != nil {
			t.Errorf("%s: %v", j.name, err)
			continue
		}
		want, _, err := mat.Read(bytes.NewReader(text))
		if err != nil {
			t.Errorf("%s: %v", j.name, err)
			continue
		}
		equalPlay(t, j.name+" against gnubg", want, j.got)
	}
}

var (
	rollToken = regexp.MustCompile(`[1-6][1-6]:`)
	rowStart  = regexp.MustCompile(`^\s*\d+\)`)
)

// rollsIn counts the rolls in the rows of a file.
func rollsIn(text []byte) (n int) {
	for line := range bytes.Lines(text) {
		if rowStart.Match(line) {
			n += len(rollToken.FindAll(line, -1))
		}
	}
	return n
}

// Whatever is damaged in a file: a roll in it that is not in the match gave a warning.
func TestDialects_noRollIsLostInSilence(t *testing.T) {
	lost := 0
	rapid.Check(t, func(t *rapid.T) {
		m := randomMatch(t)
		d := &dialects[rapid.IntRange(0, len(dialects)-1).Draw(t, "dialect")]
		text := []byte(d.write(m))
		for range rapid.IntRange(1, 3).Draw(t, "damages") {
			at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
			switch rapid.IntRange(0, 3).Draw(t, "damage") {
			case 0:
				text = append(text[:at:at], text[at+1:]...)
			case 1:
				text[at] = rapid.SampledFrom([]byte("x ?:/*9\t\n)(")).Draw(t, "byte")
			case 2:
				text = append(text[:at:at], append([]byte(rapid.SampledFrom([]string{" ???? ", "  Wins 2 point ", "\n", " Losses 1 point", "  Doubles", " 61: "}).Draw(t, "words")), text[at:]...)...)
			default:
				end := bytes.IndexByte(text[at:], '\n')
				if end > 0 {
					text = append(text[:at:at], text[at+end:]...)
				}
			}
			if len(text) == 0 {
				return
			}
		}
		all, _, ws, err := detect.Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		rolls := 0
		for _, m := range all {
			for i := range m.Games {
				for k := range m.Games[i].Actions {
					if m.Games[i].Actions[k].Dice.Valid() {
						rolls++
					}
				}
			}
		}
		if n := rollsIn(text); n > rolls {
			lost++
			if len(ws) == 0 {
				t.Fatalf("%d rolls in the file, %d in the match, and no warning:\n%s", n, rolls, text)
			}
		}
	})
	if lost == 0 {
		t.Log("nothing was lost at all")
	}
}
