package index

import (
	"fmt"
	"math"
)

// tolerance is the allowed difference between sums of errors and luck: a file holds each
// decision with six digits, a bot indexes full precision.
const tolerance = 1e-3

// Differs describes the first difference between the row of a match and the one made from its
// file, or returns "". It ignores the analysis that a row has kept from before its file was
// pruned.
func (m *Match) Differs(file *Match) string {
	for i := range columns {
		c := &columns[i]
		if c.said == "" || m.Kept && c.judged {
			continue
		}
		if have, want := c.stored(m), c.stored(file); !alike(have, want) {
			return fmt.Sprintf("%s %s, in the file %s", c.said, spelt(have), spelt(want))
		}
	}
	return ""
}

// alike reports whether two stored values of a column agree.
func alike(have, want any) bool {
	h, ok := have.(float64)
	w, both := want.(float64)
	return have == want || ok && both && math.Abs(h-w) <= tolerance*max(1, math.Abs(w))
}

// spelt writes a stored value for people.
func spelt(v any) string {
	switch v := v.(type) {
	case nil:
		return "-"
	case float64:
		return fmt.Sprintf("%.4f", v)
	}
	return fmt.Sprint(v)
}
