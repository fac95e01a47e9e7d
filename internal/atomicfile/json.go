package atomicfile

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// ReadJSON reads a file of at most most bytes into v.
func ReadJSON(path string, most int64, v any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := json.NewDecoder(io.LimitReader(f, most)).Decode(v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// WriteJSON writes v to a file that only its owner can access, in such a folder if it is missing.
func WriteJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	return WritePrivate(path, append(data, '\n'))
}

// WritePrivate is WriteBytes of a file that only its owner can access, in such a folder if it is
// missing.
func WritePrivate(path string, data []byte) error {
	if err := MkdirPrivate(filepath.Dir(path)); err != nil {
		return err
	}
	return WriteBytes(path, 0o600, data)
}
