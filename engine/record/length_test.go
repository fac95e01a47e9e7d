package record_test

import (
	"fmt"
	"strings"
	"testing"

	"fibsbot/engine/record/detect"
)

// A match of 99 points is read in every format, one of 100 is refused by its length.
func TestLength_oneLimit(t *testing.T) {
	for name, text := range map[string]string{
		"sgf":        "(;FF[4]GM[6]MI[length:%d][game:0][ws:0][bs:0]PW[a]PB[b];W[31hefe])",
		"mat":        " %d point match\n\n Game 1\n a : 0      b : 0\n  1) 31: 8/5 6/5\n",
		"oldmoves":   "Score is 0-0 in a %d point match.\na is X - b is O\nX: (3 1) 8-5 6-5\n",
		"gnubg text": "The score (after 0 games) is: a 0, b 0 (match to %d points)\n\nMove number 1:  a to play 31\n\n* a moves 8/5 6/5\n",
		"XGID":       "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:%d:10\n",
		"OGID":       "OGID=11ccccchhhjjjjj:66666888dddddoo:N0N:31:W:R:0:0:%d:0\n",
	} {
		all, _, _, err := detect.Read(strings.NewReader(fmt.Sprintf(text, 99)))
		if err != nil || all[0].Length != 99 {
			t.Errorf("%s: %v", name, err)
		}
		_, _, _, err = detect.Read(strings.NewReader(fmt.Sprintf(text, 100)))
		if err == nil || !strings.Contains(err.Error(), "a match of 100 points: the longest") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
