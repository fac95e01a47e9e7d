package recordtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// odds are bytes that take the place of others.
const odds = "#!?x/0123456789:;()[]-.,*XOWBNab \t|="

// Hurt damages a text in one place: a character or a line, or some of them, is changed,
// lost, doubled, exchanged, cut or broken. It says what it did, and how many lines are
// gone as a whole. The same generator makes the same damage.
func Hurt(r *rand.Rand, text string) (bad, what string, lines int) {
	for bad == "" || bad == text {
		bad, what, lines = hurt(r, text)
	}
	return bad, what, lines
}

func hurt(r *rand.Rand, text string) (bad, what string, lines int) {
	i := r.IntN(len(text))
	k := min(i+2+r.IntN(6), len(text))
	odd := string(odds[r.IntN(len(odds))])
	l := strings.SplitAfter(text, "\n")
	a, b := r.IntN(len(l)), r.IntN(len(l))
	switch r.IntN(12) {
	case 0, 1:
		return text[:i] + odd + text[i+1:], fmt.Sprintf("byte %d, %q, is %q", i, text[i], odd), 0
	case 2, 3:
		return text[:i] + text[i+1:], fmt.Sprintf("byte %d, %q, lost", i, text[i]), 0
	case 4:
		return text[:i] + odd + text[i:], fmt.Sprintf("byte %q at %d added", odd, i), 0
	case 5:
		return text[:i] + text[k:], fmt.Sprintf("%q lost at %d", text[i:k], i), strings.Count(text[i:k], "\n")
	case 6:
		return strings.Join(slices.Delete(slices.Clone(l), a, a+1), ""), fmt.Sprintf("line %d lost", a+1), 1
	case 7:
		return strings.Join(slices.Insert(slices.Clone(l), a, l[b]), ""), fmt.Sprintf("line %d doubled at %d", b+1, a+1), 0
	case 8:
		l[a], l[b] = l[b], l[a]
		return strings.Join(l, ""), fmt.Sprintf("lines %d and %d exchanged", a+1, b+1), 0
	case 9:
		l[a] = strings.TrimRight(l[a], "\r\n") + []string{"", " ", "\t"}[r.IntN(3)]
		return strings.Join(l, ""), fmt.Sprintf("line %d joined to the next", a+1), 0
	case 10:
		return text[:i] + "\n" + text[i:], fmt.Sprintf("broken at byte %d", i), 0
	}
	return text[:i], fmt.Sprintf("cut at byte %d", i), strings.Count(text[i:], "\n")
}
