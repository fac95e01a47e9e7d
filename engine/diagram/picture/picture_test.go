package picture

import (
	"bytes"
	"image/color"
	"image/png"
	"os"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/diagram"
	"fibsbot/engine/match"
)

func sample() diagram.Diagram {
	play := board.AppendPlays(nil, board.Start, board.Dice{A: 3, B: 1})[0]
	return diagram.Diagram{
		Situation: match.Situation{Position: board.Start, State: match.State{Length: 7, Score: [2]int{2, 4}, Cube: 2, Owner: match.Mine}, Dice: board.Dice{A: 3, B: 1}},
		Names:     [2]string{"Änna", "bert"}, Pips: true, Arrows: diagram.Steps(play), Dark: true,
	}
}

// The picture has the size asked for, and felt, checkers, arrows and ink of text in it.
func TestPNG_drawsWhatIsThere(t *testing.T) {
	var b bytes.Buffer
	d := sample()
	d.Width = 560
	if err := PNG(&b, d); err != nil {
		t.Fatal(err)
	}
	if keep := os.Getenv("FIBSBOT_TEST_KEEP"); keep != "" {
		if err := os.WriteFile(keep+"/board.png", b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	if img.Bounds().Dx() != 560 || img.Bounds().Dy() < 350 {
		t.Errorf("%v", img.Bounds())
	}
	count := map[color.Color]int{}
	for y := range img.Bounds().Dy() {
		for x := range 560 {
			c := img.At(x, y)
			count[color.RGBAModel.Convert(c)]++
		}
	}
	p := diagram.Plain
	for name, c := range map[string]string{"felt": p.Felt, "points": p.PointA, "light": p.Light, "dark": p.Dark, "text": p.Text} {
		if count[colour(c)] < 50 {
			t.Errorf("%s: %d pixels of %s", name, count[colour(c)], c)
		}
	}
}

func TestPNG_width(t *testing.T) {
	for _, width := range []int{-1, MaxWidth + 1} {
		d := sample()
		d.Width = width
		if err := PNG(&bytes.Buffer{}, d); err == nil {
			t.Errorf("a picture %d pixels wide", width)
		}
	}
}
