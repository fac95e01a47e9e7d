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

// Interval is a 95 % confidence interval by Student's t: its low and high end.
type Interval [2]Figure

// Ratio sums two figures x and y of each of N samples, for the interval of the ratio of their
// sums. With y = 1 that is the mean of x.
type Ratio struct{ N, X, Y, XX, XY, YY float64 }

// Add adds a sample.
func (r *Ratio) Add(x, y float64) {
	*r = Ratio{r.N + 1, r.X + x, r.Y + y, r.XX + x*x, r.XY + x*y, r.YY + y*y}
}

// Value is X/Y, NaN or infinite without data.
func (r Ratio) Value() float64 { return r.X / r.Y }

// StdErr is the standard error of Value, NaN or infinite below two samples.
func (r Ratio) StdErr() float64 {
	v := r.Value()
	return math.Sqrt(math.Max(0, r.XX-2*v*r.XY+v*v*r.YY)*r.N/(r.N-1)) / r.Y
}

// Interval is that of Value times scale, or nil below two samples.
func (r Ratio) Interval(scale float64) *Interval {
	half := studentT(r.N-1) * r.StdErr()
	if !(r.N >= 2 && r.Y > 0) || math.IsNaN(half) {
		return nil
	}
	return &Interval{Figure(scale * (r.Value() - half)), Figure(scale * (r.Value() + half))}
}

// Share is the interval of a share of which k of n samples were found (Wilson), or nil below two.
func Share(k, n float64) *Interval {
	if !(n >= 2) {
		return nil
	}
	t := studentT(n - 1)
	middle, half := k+t*t/2, t*math.Sqrt(k*(n-k)/n+t*t/4)
	return &Interval{Figure(math.Max(0, middle-half) / (n + t*t)), Figure((middle + half) / (n + t*t))}
}

// studentT is the 97.5 % quantile of Student's t, by the expansion of Cornish and Fisher, which
// is right to 0.1 % from 3 degrees of freedom on.
func studentT(df float64) float64 {
	switch df {
	case 1:
		return 12.7062
	case 2:
		return 4.30265
	}
	const z = 1.959964
	const z3, z5, z7, z9 = z * z * z, z * z * z * z * z, z * z * z * z * z * z * z, z * z * z * z * z * z * z * z * z
	return z + (z3+z)/4/df + (5*z5+16*z3+3*z)/96/df/df + (3*z7+19*z5+17*z3-15*z)/384/df/df/df +
		(79*z9+776*z7+1482*z5-1920*z3-945*z)/92160/df/df/df/df
}
