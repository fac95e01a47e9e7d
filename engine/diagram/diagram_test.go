package diagram_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fibsbot/engine/board"
	"fibsbot/engine/diagram"
	"fibsbot/engine/match"
)

// count counts the elements of a class in a drawing, and fails when there are not
// well formed.
func count(t testing.TB, svg, class string) (n int) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return n
		}
		if err != nil {
			t.Fatalf("not well formed: %v\n%s", err, svg)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		for _, a := range start.Attr {
			if a.Name.Local == "class" && strings.Contains(" "+a.Value+" ", " "+class+" ") {
				n++
			}
		}
	}
}

func TestSVG_drawsEveryChecker(t *testing.T) {
	p := board.Position{Me: board.Checkers{0: 3, 5: 2, board.Bar: 1}, Opp: board.Checkers{2: 7, 20: 2}}
	d := diagram.Diagram{Situation: match.Situation{
		Position: p, State: match.State{Cube: 4, Owner: match.Mine, Length: 5}, Dice: board.Dice{A: 3, B: 1},
	}, Title: "t & t"}
	svg := d.SVG()
	// Stacks are drawn up to five high. Dice, too, are of the player on roll; nine of
	// his checkers and six of the opponent's are off.
	for class, want := range map[string]int{"bg-me": 6 + 2 + 9, "bg-opp": 5 + 2 + 6, "bg-off": 9 + 6, "bg-pip": 4, "bg-die": 2, "bg-cube": 1, "bg-point-a": 12, "bg-point-b": 12} {
		if n := count(t, svg, class); n != want {
			t.Errorf("%d of %s, want %d", n, class, want)
		}
	}
	for _, want := range []string{">7</text>", ">4</text>", "<title>t &amp; t</title>", ">0 of 5</text>"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s", want)
		}
	}
}

func TestSVG_trustsNoName(t *testing.T) {
	d := diagram.Diagram{Names: [2]string{`"><script>`, "\x00\x1b\xff" + strings.Repeat("ü", 99)}, Title: "</title><b>"}
	svg := d.SVG()
	if strings.Contains(svg, "<script") || strings.Contains(svg, "<b>") || count(t, svg, "bg-name") != 2 {
		t.Error(svg)
	}
}

// The arrows of two plays differ in colour, and a step of both is drawn once.
func TestSVG_twoPlays(t *testing.T) {
	d := diagram.Diagram{Situation: match.Situation{Position: board.Start, Dice: board.Dice{A: 3, B: 1}}, Theme: diagram.Plain,
		Arrows: []board.Step{{From: 12, To: 9}, {From: 5, To: 4}}, Better: []board.Step{{From: 7, To: 4}, {From: 5, To: 4}}}
	if svg := d.SVG(); count(t, svg, "bg-arrow") != 4 { // the step to the 5 point ends higher behind the other
		t.Errorf("%d arrows", count(t, svg, "bg-arrow"))
	}
	d.Better = []board.Step{{From: 12, To: 9}, {From: 9, To: 8}}
	svg := d.SVG()
	for name, colour := range map[string]string{"made": diagram.Plain.Made, "better": diagram.Plain.Better, "both": diagram.Plain.Both} {
		if n := strings.Count(svg, `stroke="`+colour+`"`); n != 1 {
			t.Errorf("%d arrows of %s, want 1\n%s", n, name, svg)
		}
	}
}

// TestSVG_golden compares with drawings that were inspected. FIBSBOT_UPDATE=1 writes them again.
func TestSVG_golden(t *testing.T) {
	dice := board.Dice{A: 6, B: 4}
	played := board.AppendPlays(nil, board.Start, dice)[1]
	for name, d := range map[string]diagram.Diagram{
		"play": {Situation: match.Situation{Position: board.Start, Dice: dice,
			State: match.State{Cube: 2, Owner: match.Theirs, Length: 7, Score: [2]int{2, 4}}},
			Names: [2]string{"Robo", "bob"}, Pips: true, Arrows: diagram.Steps(played), Title: "Robo to play 64"},
		"double": {Situation: match.Situation{Position: board.Position{Me: board.Checkers{0: 3, 5: 2, board.Bar: 1},
			Opp: board.Checkers{2: 7, 20: 2, 24: 3}}, State: match.State{Cube: 4, Owner: match.Mine}, Doubled: true},
			Turned: true, HomeLeft: true, Dark: true, Theme: diagram.Night, Width: 700},
		"empty": {},
	} {
		file, got := filepath.Join("testdata", name+".svg"), d.SVG()
		if os.Getenv("FIBSBOT_UPDATE") != "" {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || got != string(want) {
			t.Errorf("%s is drawn in another way: look at it, then FIBSBOT_UPDATE=1 (%v)", name, err)
		}
	}
}

// Whatever the position, the drawing is well formed, has all checkers and lies
// within its frame.
func TestSVG_anyPosition(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var d diagram.Diagram
		p := &d.Situation.Position
		left := 15
		for n := range p.Me {
			if rapid.Bool().Draw(r, "there") {
				k := rapid.IntRange(0, left).Draw(r, "checkers")
				p.Me[n], left = uint8(k), left-k
			}
		}
		d.Turned, d.HomeLeft, d.Dark = rapid.Bool().Draw(r, "turned"), rapid.Bool().Draw(r, "left"), rapid.Bool().Draw(r, "dark")
		d.Situation.State.Cube = 1 << rapid.IntRange(0, 12).Draw(r, "cube")
		d.Situation.Doubled = rapid.Bool().Draw(r, "doubled")
		for range rapid.IntRange(0, 4).Draw(r, "arrows") {
			d.Arrows = append(d.Arrows, board.Step{From: int8(rapid.IntRange(-3, 30).Draw(r, "from")), To: int8(rapid.IntRange(-3, 30).Draw(r, "to"))})
		}
		want := 0
		for _, n := range p.Me {
			want += min(int(n), 5)
		}
		svg := d.SVG()
		if got := strings.Count(svg, "<circle class="); got != want {
			r.Fatalf("%d checkers, want %d", got, want)
		}
		var x, y int
		for _, part := range strings.Split(svg, `cx="`)[1:] {
			if _, err := fmt.Sscanf(part, `%d" cy="%d"`, &x, &y); err != nil || x < 0 || x > 700 || y < 0 || y > 600 {
				r.Fatalf("a circle at %d, %d: %v", x, y, err)
			}
		}
		count(t, svg, "")
	})
}

func TestThemes_areWhole(t *testing.T) {
	for _, theme := range []diagram.Theme{diagram.Plain, diagram.Night, diagram.Variables} {
		d := diagram.Diagram{Situation: match.Situation{Position: board.Start, State: match.State{Cube: 1}}, Theme: theme}
		if svg := d.SVG(); strings.Contains(svg, `fill=""`) || strings.Contains(svg, `stroke=""`) {
			t.Errorf("a colour is missing: %+v", theme)
		}
	}
	d := diagram.Diagram{Theme: diagram.Plain}
	if strings.Contains(d.SVG(), "var(") {
		t.Error("a file needs a page")
	}
}

func ExampleDiagram() {
	d := diagram.Diagram{
		Situation: match.Situation{Position: board.Start, State: match.State{Cube: 1, Length: 7}},
		Names:     [2]string{"Robo", "bob"},
		Theme:     diagram.Plain,
	}
	svg := d.SVG()
	fmt.Println(svg[:4], strings.Count(svg, "<circle class="), "checkers")
	// Output: <svg 30 checkers
}

// Of two checkers a side none are off at the start.
func TestSVG_fewerCheckers(t *testing.T) {
	p := board.Position{Me: board.Checkers{22: 1, 23: 1}, Opp: board.Checkers{22: 1, 23: 1}}
	for checkers, want := range map[uint8]int{0: 26, 2: 0} {
		d := diagram.Diagram{Situation: match.Situation{Position: p, State: match.State{Cube: 1}}, Rules: board.Rules{Checkers: checkers}}
		if got := strings.Count(d.SVG(), "bg-off "); got != want {
			t.Errorf("of %d checkers %d are off, want %d", checkers, got, want)
		}
	}
}
