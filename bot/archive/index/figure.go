package index

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"math"
)

// Figure is a measured number, or NaN for one that was not measured: null in JSON, NULL in
// the database.
type Figure float64

// unknown is the Figure of nothing measured.
var unknown = Figure(math.NaN())

// Known reports whether the figure was measured.
func (f Figure) Known() bool { return !math.IsNaN(float64(f)) }

// Equal reports whether two figures are the same, or both were not measured.
func (f Figure) Equal(g Figure) bool { return f == g || !f.Known() && !g.Known() }

// Or is the figure, or v where it was not measured.
func (f Figure) Or(v float64) float64 {
	if f.Known() {
		return float64(f)
	}
	return v
}

// Text writes the figure in a format of one number, or "-" where it was not measured.
func (f Figure) Text(format string) string {
	if !f.Known() {
		return "-"
	}
	return fmt.Sprintf(format, float64(f))
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
		*f = unknown
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
		*f = unknown
	case float64:
		*f = Figure(v)
	case int64:
		*f = Figure(v)
	default:
		return fmt.Errorf("index: a %T where a figure belongs", v)
	}
	return nil
}

// plus adds what is known of both.
func (f Figure) plus(g Figure) Figure {
	switch {
	case !f.Known():
		return g
	case !g.Known():
		return f
	}
	return f + g
}

// figure is v, or unknown unless it was measured.
func figure(measured bool, v float64) Figure {
	if !measured {
		return unknown
	}
	return Figure(v)
}
