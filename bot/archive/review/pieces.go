package review

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"fibsbot/engine/record"
)

// numberedPiece matches the stem of a file with a later game of a match. gnubg's text export
// writes a file per game: match.txt, match_002.txt, match_003.txt.
var numberedPiece = regexp.MustCompile(`^(.*)_(\d{3})$`)

// pieces lists path and the files beside it that may belong to its match, by number.
func pieces(path string) []string {
	ext := filepath.Ext(path)
	stem, at := strings.TrimSuffix(path, ext), 1
	if m := numberedPiece.FindStringSubmatch(stem); m != nil {
		stem = m[1]
		at, _ = strconv.Atoi(m[2])
	}
	name := func(n int) string {
		if n == 1 {
			return stem + ext
		}
		return fmt.Sprintf("%s_%03d%s", stem, n, ext)
	}
	there := func(n int) bool {
		st, err := os.Stat(name(n))
		return n > 0 && n < 1000 && err == nil && st.Mode().IsRegular()
	}
	if name(at) != path {
		return []string{path} // match_000 or match_001
	}
	first, last := at, at
	for there(first - 1) {
		first--
	}
	for there(last + 1) {
		last++
	}
	var out []string
	for n := first; n <= last; n++ {
		out = append(out, name(n))
	}
	return out
}

// goesOn reports whether next continues m: the same players and length, the next number of a
// game, and m's final score.
func goesOn(m, next *record.Match) bool {
	if m == nil || len(m.Games) == 0 || len(next.Games) == 0 || m.Length != next.Length {
		return false
	}
	for i := range m.Players {
		if m.Players[i].Name != next.Players[i].Name {
			return false
		}
	}
	last, first := &m.Games[len(m.Games)-1], &next.Games[0]
	return last.Result.Finished() && m.Winner() == record.NoPlayer &&
		first.Number == last.Number+1 && first.Score == m.FinalScore()
}
