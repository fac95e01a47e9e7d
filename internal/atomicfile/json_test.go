package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestJSON_whatIsWrittenIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "x.json")
	var got map[string]int
	if err := ReadJSON(path, 100, &got); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	if err := WriteJSON(path, map[string]int{"a": 1}); err != nil {
		t.Fatal(err)
	}
	if err := ReadJSON(path, 100, &got); err != nil || got["a"] != 1 {
		t.Errorf("%v, %v", got, err)
	}
	for most, text := range map[int64]string{4: `{"a": 1}`, 100: "{"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := ReadJSON(path, most, &got); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%q, %d bytes read: %v", text, most, err)
		}
	}
}
