// Package nearest finds the words that a mistyped word may mean.
package nearest

import (
	"slices"
	"strings"
)

// Of returns the words nearest to typed, at most three. Words that differ in more than a third of
// the letters do not count, unless they begin with typed. Case is ignored.
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

// distance counts the letters to insert, delete, change, or swap with their neighbour: the optimal
// string alignment distance.
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
