package index

import (
	"database/sql/driver"
	"fmt"
	"math"
	"reflect"
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
		if have, want := c.field(m), c.field(file); !alike(have, want) {
			return fmt.Sprintf("%s %s, in the file %s", c.said, spelt(have), spelt(want))
		}
	}
	return ""
}

// alike reports whether two fields of a column agree.
func alike(have, want any) bool {
	if f, ok := have.(*Figure); ok {
		h, w := *f, *want.(*Figure)
		return !h.Known() && !w.Known() || math.Abs(float64(h-w)) <= tolerance*max(1, math.Abs(float64(w)))
	}
	return spelt(have) == spelt(want)
}

// spelt writes a field of a column for people.
func spelt(field any) string {
	switch v := field.(type) {
	case *Figure:
		return v.Text("%.4f")
	case *float64:
		return fmt.Sprintf("%.2f", *v)
	case driver.Valuer:
		stored, _ := v.Value()
		return fmt.Sprint(stored)
	}
	return fmt.Sprint(reflect.ValueOf(field).Elem())
}
