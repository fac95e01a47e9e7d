// Package figure holds measured numbers: which of them are unknown, and how they are printed.
package figure

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// Figure is a measured number, or NaN for one that was not measured: null in JSON, NULL in
// a database.
type Figure float64

// Unknown is the Figure of nothing measured.
var Unknown = Figure(math.NaN())

// If returns v, or Unknown unless it was measured.
func If(measured bool, v float64) Figure {
	if !measured {
		return Unknown
	}
	return Figure(v)
}

// Known reports whether the figure was measured.
func (f Figure) Known() bool { return !math.IsNaN(float64(f)) }

// Equal reports whether two figures are the same, or both were not measured.
func (f Figure) Equal(g Figure) bool { return f == g || !f.Known() && !g.Known() }

// Or returns the figure, or v if it was not measured.
func (f Figure) Or(v float64) float64 {
	if f.Known() {
		return float64(f)
	}
	return v
}

// Plus adds what is known of both.
func (f Figure) Plus(g Figure) Figure {
	switch {
	case !f.Known():
		return g
	case !g.Known():
		return f
	}
	return f + g
}

// Text returns the figure in a format of one number, or "-" if it was not measured.
func (f Figure) Text(format string) string {
	if !f.Known() {
		return "-"
	}
	return Text(format, float64(f))
}

// Text returns v in a format of one number; a number that is printed as zero has no minus
// sign.
func Text(format string, v float64) string {
	s := fmt.Sprintf(format, v)
	if math.Signbit(v) && !math.IsInf(v, 0) && !strings.ContainsAny(s, "123456789") {
		return fmt.Sprintf(format, 0.0)
	}
	return s
}

// Signed returns v with its sign and that many decimals, with no sign if it is printed as zero.
func Signed(v float64, decimals int) string {
	s := fmt.Sprintf("%+.*f", decimals, v)
	if !strings.ContainsAny(s, "123456789") && !math.IsNaN(v) && !math.IsInf(v, 0) {
		return s[1:]
	}
	return s
}

// MarshalJSON implements json.Marshaler.
func (f Figure) MarshalJSON() ([]byte, error) {
	if !f.Known() || math.IsInf(float64(f), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(f))
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *Figure) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*f = Unknown
		return nil
	}
	return json.Unmarshal(b, (*float64)(f))
}

// Value implements driver.Valuer.
func (f Figure) Value() (driver.Value, error) {
	if !f.Known() {
		return nil, nil
	}
	return float64(f), nil
}

// Scan implements sql.Scanner.
func (f *Figure) Scan(v any) error {
	switch v := v.(type) {
	case nil:
		*f = Unknown
	case float64:
		*f = Figure(v)
	case int64:
		*f = Figure(v)
	default:
		return fmt.Errorf("read a figure: a %T, want a number", v)
	}
	return nil
}

// Count returns a number of things: "1 match", "2 matches". It is for nouns whose plural ends
// in s, or in es after ch, sh, s and x.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	for _, end := range []string{"ch", "sh", "s", "x"} {
		if strings.HasSuffix(thing, end) {
			return fmt.Sprintf("%d %ses", n, thing)
		}
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
