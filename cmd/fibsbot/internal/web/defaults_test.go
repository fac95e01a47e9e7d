package web

import (
	"fmt"
	"strings"
	"testing"

	"fibsbot/cmd/fibsbot/internal/play"
)

// The page offers the defaults that the terminal and the API have: length, Jacoby rule, beavers.
// The opponent differs: a newcomer to the page meets a casual player.
func TestPlayPage_defaults(t *testing.T) {
	text := func(name string) string {
		data, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	page := text("page/play.html")
	for _, want := range []string{
		fmt.Sprintf(`<option value="%d" selected>`, play.UsualLength),
		`name="jacoby" checked`, `name="beavers" checked`, `name="raccoons" checked`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("play.html: no %s", want)
		}
	}
}
