// Package level names the ways in which eXtreme Gammon evaluates: by its numbers in binary
// files, and by its words in texts of any language.
package level

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"fibsbot/engine/record"
)

// ways are the named ways with about the depth that they have here. Its 1-ply looks at the
// position alone, which is 0 plies here.
var ways = []struct {
	number, plies int
	name          string
	words         *regexp.Regexp
}{
	{1002, 5, "XG Roller++", regexp.MustCompile(`(?i)roller ?\+\+`)},
	{1001, 4, "XG Roller+", regexp.MustCompile(`(?i)roller ?\+`)},
	{1000, 3, "XG Roller", regexp.MustCompile(`(?i)roller`)},
	{100, 3, "Rollout", regexp.MustCompile(`(?i)^roll-?out|^rollen|ролл?аут|ロールアウト|展開`)},
	{999, 6, "Opening book", regexp.MustCompile(`(?i)book|buch|bibliothek|livre|biblioth|libro|книг|дебют|定石|ブック`)},
	{998, 6, "Opening book", nil},
	{12, 2, "3-ply red", regexp.MustCompile(`(?i)^3\P{L}*\p{L}+ ?\(?(?:red|rot|rouge|roj|rid|кр|ред|赤)`)},
}

// plies is a depth: "4-ply", "4-plis", "4 Züge", "4手".
var plies = regexp.MustCompile(`^(\d)[- ]?(\p{L}{1,12})\.?(?:[^\p{L}]|$)`)

// languages are the stems of the word before or behind the way in "Analyzed in XG Roller++".
var languages = map[string]*regexp.Regexp{
	"English":  regexp.MustCompile(`(?i)^anal[yi][sz]ed\s`),
	"German":   regexp.MustCompile(`(?i)^(?:analysiert|analyse)\s`),
	"French":   regexp.MustCompile(`(?i)^(?:analys[ée]e?|analyse)\s`),
	"Spanish":  regexp.MustCompile(`(?i)^(?:analizad[oa]|análisis)\s`),
	"Russian":  regexp.MustCompile(`(?i)^(?:про)?анализ\p{L}*\s`),
	"Japanese": regexp.MustCompile(`解析|分析`),
	"Italian":  regexp.MustCompile(`(?i)^analizzat[oa]\s`),
	"Danish":   regexp.MustCompile(`(?i)^analyseret\s`),
}

func settings(name string, plies int) record.Settings {
	return record.Settings{Level: name, Plies: plies, Cubeful: true, Deterministic: true}
}

// ByNumber returns the settings of a number in a binary file.
func ByNumber(n int) record.Settings {
	if n >= 0 && n <= 6 {
		return settings(fmt.Sprintf("%d-ply", n+1), n)
	}
	for _, w := range ways {
		if w.number == n {
			return settings(w.name, w.plies)
		}
	}
	return settings(fmt.Sprintf("level %d", n), 0)
}

// ByWords returns the settings of the words of a text in any language; ok is false for words
// that are not a known way, which are kept as its name.
func ByWords(words string) (s record.Settings, ok bool) {
	words = strings.TrimSpace(words)
	for _, w := range ways {
		if w.words != nil && w.words.MatchString(words) {
			return settings(w.name, w.plies), true
		}
	}
	if m := plies.FindStringSubmatch(words); m != nil {
		n, _ := strconv.Atoi(m[1])
		return settings(fmt.Sprintf("%d-ply", max(n, 1)), max(n-1, 0)), true
	}
	return settings(words, 0), false
}

// number finds a depth in a line.
var number = regexp.MustCompile(`\d[- ]?\p{L}.*$`)

// Analysed returns the settings that a line such as "Analyzed in XG Roller++" names.
func Analysed(line string) (record.Settings, bool) {
	line = strings.TrimSpace(line)
	for _, stem := range languages {
		if len(line) > 100 || !stem.MatchString(line) {
			continue
		}
		if s, ok := ByWords(number.FindString(line)); ok && s.Plies >= 0 && !strings.Contains(strings.ToLower(line), "roller") {
			return s, true
		}
		for _, word := range append([]string{line}, strings.Fields(line)...) {
			if s, ok := ByWords(word); ok {
				return s, true
			}
		}
	}
	return record.Settings{}, false
}
