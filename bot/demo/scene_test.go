package demo

import (
	"strings"
	"testing"
	"unicode/utf8"

	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

func TestScene_fitsWhatTheStageAsksFor(t *testing.T) {
	s := scene{
		Snapshot: sheet.Snapshot{Score: [2]int{sheet.Them: 12, sheet.Us: 13}, State: match.State{Length: 15}, Game: 12, Crawford: true,
			Standing: sheet.Standing{Position: board.Start, Cube: 64, Owner: match.Mine}, Dice: board.Dice{A: 6, B: 5}},
		Captions: []string{"one", "two", "three", "four", "five"},
	}
	picture := s.draw(palette{})
	if rows := strings.Count(picture, "\n") + 1; rows != sceneRows {
		t.Errorf("%d rows, sceneRows is %d", rows, sceneRows)
	}
	widest := 0
	for line := range strings.Lines(picture) {
		widest = max(widest, utf8.RuneCountInString(strings.TrimRight(line, "\n")))
	}
	if widest != sceneColumns {
		t.Errorf("%d columns, sceneColumns is %d", widest, sceneColumns)
	}
}

func TestColours_noColor(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	if colours() == (palette{}) {
		t.Error("an empty NO_COLOR took the colours")
	}
	t.Setenv("NO_COLOR", "1")
	if colours() != (palette{}) {
		t.Error("NO_COLOR left colours")
	}
}
