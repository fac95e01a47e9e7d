// Package minify shortens scripts and style sheets for those who load them.
package minify

import "strings"

// Lines returns a script or style sheet without comments on lines of their own, empty lines and
// leading white space. Lines stay lines, so nothing changes as long as no string spans two: eslint
// sees to that (.ci/pages).
func Lines(source string) string {
	var out strings.Builder
	comment := false // a block comment is open
	for line := range strings.Lines(source) {
		line = strings.TrimLeft(line, " \t")
		for comment || strings.HasPrefix(line, "/*") {
			_, rest, ends := strings.Cut(line, "*/")
			line = strings.TrimLeft(rest, " \t")
			if comment = !ends; comment {
				break
			}
		}
		if text := strings.TrimSpace(line); text != "" && !strings.HasPrefix(text, "//") {
			out.WriteString(line)
		}
	}
	return out.String()
}
