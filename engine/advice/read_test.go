package advice

import (
	"errors"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

func TestRead_formsThatPeoplePaste(t *testing.T) {
	const want = "4HPwATDgc/ABMA:cAmgAAAAAAAE"
	for name, text := range map[string]string{
		"ids":      "4HPwATDgc/ABMA:cAmgAAAAAAAE",
		"blank":    " 4HPwATDgc/ABMA cAmgAAAAAAAE\n",
		"two":      "4HPwATDgc/ABMA\ncAmgAAAAAAAE",
		"gnubg":    " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   : cAmgAAAAAAAE\n +13-14-15-16-17-18------19-20-21-22-23-24-+     O: gnubg\n",
		"gnubg id": "GNUbg ID: 4HPwATDgc/ABMA:cAmgAAAAAAAE",
	} {
		s, err := Read(text)
		if err != nil || s.String() != want {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
	s, err := Read("X to play 31\nXGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10 (from a forum)")
	if err != nil || s.Position != board.Start || s.State.Length != 7 || s.Dice != (board.Dice{A: 3, B: 1}) {
		t.Errorf("XGID in text: %+v, %v", s, err)
	}
}

func TestRead_refusesInOneLine(t *testing.T) {
	for _, text := range []string{"", "4HPwATDgc", "4HPwATDgc/ABMA:", "a b c", "Position ID:", "XGID=", strings.Repeat("x", maxText+1)} {
		_, err := Read(text)
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.20q: %v", text, err)
		}
		if !errors.Is(err, match.ErrBadSituation) && !errors.Is(err, board.ErrBadID) && !errors.Is(err, match.ErrScore) {
			t.Errorf("%.20q: %v wraps no sentinel", text, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("Position ID: 4HPwATDgc/ABMA\nMatch ID: cAmgAAAAAAAE")
	f.Add("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10")
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := Read(text); err == nil {
			if _, err := Read(s.String()); err != nil {
				t.Errorf("%q was read as %s, which is not read: %v", text, s, err)
			}
		}
	})
}
