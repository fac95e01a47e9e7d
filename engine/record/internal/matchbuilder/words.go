package matchbuilder

import (
	"regexp"
	"strings"
)

var (
	// playWord is one part of a play: 24/18*/13, 13/7*(2), bar/21, 6/off, 6/-1.
	playWord = regexp.MustCompile(`(?i)^(?:bar|b|\d{1,2})\*?(?:[/-]\*?(?:bar|off|home|o|b|-?\d{1,2})\*?)+(?:\([1-4]\))?\*?[,;.]?$`)
	// rollInside is text that is not a comment: dice or the play of another turn.
	rollInside = regexp.MustCompile(`(?i)\d\d:|(?:\d|bar)\*?/\*?(?:\d|off)|(?:^|\s)/\d`)
	starLast   = regexp.MustCompile(`(\([1-4]\))\*`)
	below      = regexp.MustCompile(`/-\d{1,2}`)
	noMove     = regexp.MustCompile(`(?i)^\(?(?:cannot move|can't move|can’t move|cant move|no moves?|nomove|no legal moves?|no legal plays?|no plays?|danc(?:es?|ed)|fan(?:s|ned)?|0/0|o-o|-{1,3})\)?(?:\s|[.,;!]|$)`)
)

// Split divides the text after dice into the play, in words that board.ParsePlay knows, and the
// rest. Both are empty for a roll alone.
func Split(text string) (play, rest string) {
	text = strings.TrimSpace(text)
	if at := noMove.FindString(text); at != "" {
		return "", strings.TrimSpace(strings.TrimLeft(text[len(at):], " .,;!"))
	}
	var parts []string
	left := text
	for left != "" {
		word := left
		if i := strings.IndexAny(left, " \t"); i >= 0 {
			word = left[:i]
		}
		if !playWord.MatchString(word) && strings.Trim(word, ",;.") != "" {
			break
		}
		left = strings.TrimLeft(left[len(word):], " \t")
		if word = strings.Trim(word, ",;."); word != "0/0" && word != "" {
			parts = append(parts, word)
		}
	}
	if len(parts) == 0 {
		return "", text
	}
	play = strings.Join(parts, " ")
	play = starLast.ReplaceAllString(play, "*$1")
	play = strings.ReplaceAll(strings.ReplaceAll(play, "**", "*"), "/*", "/")
	return below.ReplaceAllString(play, "/off"), left
}
