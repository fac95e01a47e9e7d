package detect

import (
	"errors"
	"strings"
	"testing"

	"fibsbot/engine/record"
)

// A set-up position with a cube or score that no game can have is refused; as one of several
// games it is named.
func TestRead_impossibleSetUp(t *testing.T) {
	game := func(length int, score, rule, cube string) string {
		return "(;FF[4]GM[6]MI[length:" + string(rune('0'+length)) + "][game:0]" + score + "PW[a]PB[b]RU[" + rule + "];AE[a:y]AW[a][e][c]AB[x][u][v]PL[W]" + cube + "DI[31])\n"
	}
	sound := game(7, "[ws:0][bs:0]", "Crawford", "CV[2]CP[w]")
	for _, c := range []struct{ name, game, want string }{
		{"a turned cube", sound, ""},
		{"a centred cube of money play", game(0, "[ws:0][bs:0]", "Jacoby", "CV[2]CP[c]"), ""},
		{"a centred cube", game(7, "[ws:0][bs:0]", "Crawford", "CV[2]CP[c]"), "a cube of 2 in the centre"},
		{"the Crawford game", game(7, "[ws:6][bs:2]", "Crawford:CrawfordGame", "CV[2]CP[w]"), "turned in the Crawford game"},
		{"the score", game(7, "[ws:8][bs:2]", "Crawford", ""), "score 8-2 is beyond the match of 7 points"},
	} {
		_, _, ws, err := Read(strings.NewReader(c.game))
		var bad *record.SyntaxError
		if (c.want == "") != (err == nil) || err != nil && (!errors.As(err, &bad) || !strings.Contains(err.Error(), "impossible position: ") || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, %v; want %q", c.name, ws, err, c.want)
		}
		if c.want == "" || c.name == "the score" {
			continue
		}
		all, _, ws, err := Read(strings.NewReader(sound + strings.Replace(c.game, "[game:0]", "[game:1]", 1)))
		if err != nil || len(all) != 1 || len(all[0].Games) != 2 || len(ws) == 0 || !strings.Contains(ws[len(ws)-1].Text, "game 2 begins with an impossible position: ") {
			t.Errorf("%s after a sound game: %d matches, %v, %v", c.name, len(all), ws, err)
		}
	}
}
