package index

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

// change gives a field of a column another value.
func change(t *testing.T, field any) {
	t.Helper()
	switch v := reflect.ValueOf(field).Elem(); {
	case v.Type() == reflect.TypeFor[unixTime]():
		v.Set(reflect.ValueOf(unixTime(time.Unix(1e9, 0))))
	case v.Kind() == reflect.String:
		v.SetString("other")
	case v.Kind() == reflect.Int:
		v.SetInt(v.Int() + 1)
	case v.Kind() == reflect.Float64:
		v.SetFloat(v.Float() + 1)
	case v.Type() == reflect.TypeFor[tagList]():
		v.Set(reflect.ValueOf(tagList{"other"}))
	case v.Type() == reflect.TypeFor[Dice]():
		v.Index(1).Index(3).SetInt(9)
	case v.Type() == reflect.TypeFor[splitList]():
		v.Set(reflect.ValueOf(splitList{{}}))
	case v.Type() == reflect.TypeFor[gameList]():
		v.Set(reflect.ValueOf(gameList{{}}))
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case v.Type() == reflect.TypeFor[keptFlags]():
	default:
		t.Fatalf("no other value of %v", v.Type())
	}
}

// TestDiffers_byEachColumn: a row that differs in one column is reported by its name, unless
// files may differ there or the row has kept its analysis.
func TestDiffers_byEachColumn(t *testing.T) {
	reported := 0
	for i := range columns {
		c := &columns[i]
		if c.derive != nil {
			continue
		}
		for _, kept := range []bool{false, true} {
			row, file := Match{Kept: kept}, Match{Kept: kept}
			if got := row.Differs(&file); got != "" {
				t.Fatalf("equal rows: %s", got)
			}
			change(t, c.field(&row))
			got := row.Differs(&file)
			if want := c.reportedAs != "" && !(kept && c.ofAnalysis); want != (got != "") || want && !strings.HasPrefix(got, c.reportedAs+" ") {
				t.Errorf("%s, kept %v: %q", c.name, kept, got)
			}
			if got != "" {
				reported++
			}
		}
	}
	if reported < 40 {
		t.Errorf("only %d differences were reported", reported)
	}
}

// TestDiffers_figures: sums of six digits agree with those of full precision, and an unknown
// figure agrees only with another one.
func TestDiffers_figures(t *testing.T) {
	for _, tt := range []struct {
		row, file Figure
		want      string
	}{
		{1.2341, 1.2344, ""},
		{unknown, unknown, ""},
		{1.24, 1.2344, "error 1.2400, in the file 1.2344"},
		{unknown, 0, "error -, in the file 0.0000"},
		{0, unknown, "error 0.0000, in the file -"},
		{5000, 5004, ""},
	} {
		row, file := Match{Error: [2]Figure{tt.row}}, Match{Error: [2]Figure{tt.file}}
		if got := row.Differs(&file); got != tt.want {
			t.Errorf("%v and %v: %q, want %q", tt.row, tt.file, got, tt.want)
		}
	}
}
