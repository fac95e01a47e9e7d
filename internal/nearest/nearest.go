// Package nearest finds what a mistyped word may have been.
package nearest

import (
	"slices"
	"strings"
)

// Of returns those of the words that are nearest to typed, at most three, none when all
// are too far away to be meant: more than a third of the letters differ. A word that
// begins with what was typed is near as well. Case does not count.
func Of(typed string, words []string) []string {
	typed = strings.ToLower(typed)
	best := max(1, (len(typed)+1)/3)
	var out []string
	for _, w := range words {
		d := distance(typed, strings.ToLower(w))
		if len(typed) >= 2 && strings.HasPrefix(strings.ToLower(w), typed) {
			d = min(d, 1)
		}
		if d > best || slices.Contains(out, w) {
			continue
		}
		if d < best {
			out = out[:0]
		}
		best = d
		out = append(out, w)
	}
	slices.Sort(out)
	return out[:min(3, len(out))]
}

// distance counts the letters to be put in, left out, changed, or exchanged with their
// neighbour: the optimal string alignment distance.
func distance(a, b string) int {
	before, last, now := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		now[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			now[j] = min(last[j]+1, now[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				now[j] = min(now[j], before[j-2]+1)
			}
		}
		before, last, now = last, now, before
	}
	return last[len(b)]
}
