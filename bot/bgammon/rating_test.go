package bgammon

import (
	"fmt"
	"strings"
	"testing"

	"fibsbot/bot/protocol"
)

// TestReader_ratingsAfterAMatch: after a pass or a resignation the last board has the old
// ratings, and the winner's gain gives the new ones; after a bear-off the board has the new
// ones. Guests have no rating.
func TestReader_ratingsAfterAMatch(t *testing.T) {
	rated := func(line string, us, them, score int) string {
		line = strings.Replace(line, `"Player1":{"Name":"BOT_us"}`, fmt.Sprintf(`"Player1":{"Name":"BOT_us","Rating":%d,"Points":%d}`, us, max(0, score)), 1)
		return strings.Replace(line, `"Player2":{"Name":"bob"}`, fmt.Sprintf(`"Player2":{"Name":"bob","Rating":%d,"Points":%d}`, them, max(0, -score)), 1)
	}
	playing, over := at(opening, 1, 0, 0, nil, nil, "bob"), at(opening, 0, 0, 0, nil, nil, "bob")
	for _, tt := range []struct {
		name              string
		us, them          int // before
		win               string
		afterUs, afterBob int // on the last board
		score             int
		want              string
	}{
		{"our drop", 1500, 1480, `{"Type":"win","Player":"bob","Points":3,"Rating":9,"Resigned":"BOT_us"}`, 1500, 1480, -3, "BOT_us 1491 bob 1489"},
		{"their resignation", 1500, 1480, `{"Type":"win","Player":"BOT_us","Points":3,"Rating":7,"Resigned":"bob"}`, 1500, 1480, 3, "BOT_us 1507 bob 1473"},
		{"a last checker", 1500, 1480, `{"Type":"win","Player":"BOT_us","Points":3,"Rating":7}`, 1508, 1472, 3, "BOT_us 1508 bob 1472"},
		{"a guest", 1500, 0, `{"Type":"win","Player":"BOT_us","Points":3,"Rating":0,"Resigned":"bob"}`, 1500, 0, 3, "BOT_us 1500"},
		{"two guests", 0, 0, `{"Type":"win","Player":"BOT_us","Points":3,"Rating":0,"Resigned":"bob"}`, 0, 0, 3, ""},
	} {
		r := reader{live: true}
		r.FromServer(rated(playing, tt.us, tt.them, 0))
		r.FromServer(tt.win)
		var got []string
		ended := false
		for _, e := range r.FromServer(rated(over, tt.afterUs, tt.afterBob, tt.score)) {
			ended = ended || e.Kind == protocol.MatchOver
			if e.Kind == protocol.UserInfo && ended {
				got = append(got, fmt.Sprintf("%s %.0f", e.User.Name, e.User.Rating))
			}
		}
		if text := strings.Join(got, " "); text != tt.want || !ended {
			t.Errorf("%s: %q after the match, want %q (over: %v)", tt.name, text, tt.want, ended)
		}
	}
}
