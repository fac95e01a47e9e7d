package advice

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"fibsbot/bearoff"
)

// TestBearoffFile: the document has every field of the file's description. The types differ
// because kinds and sums are words in JSON, and because bearoff prints nothing.
func TestBearoffFile(t *testing.T) {
	doc := reflect.TypeOf(BearoffFile{})
	for _, f := range reflect.VisibleFields(reflect.TypeOf(bearoff.Info{})) {
		if _, ok := doc.FieldByName(f.Name); !ok {
			t.Errorf("bearoff.Info has %s, BearoffFile has not", f.Name)
		}
	}
	for part, empty := range map[int]string{0: "part", 3: "sha256"} { // a part of Sconyers' database names no sum
		text, err := json.Marshal(BearoffFileOf(bearoff.Info{Path: "x.bearoff", Points: 6, Checkers: 15, Version: 2, Bytes: 7, SHA256: [32]byte{1}, Part: part}))
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		for i := range doc.NumField() {
			name, _, _ := strings.Cut(doc.Field(i).Tag.Get("json"), ",")
			if v := got[name]; (v == nil || v == "" || v == 0.0) != (name == empty) {
				t.Errorf("part %d: %s is %v", part, name, v)
			}
		}
	}
}
