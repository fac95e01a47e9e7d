package advice

import (
	"fmt"

	"fibsbot/bearoff"
)

// BearoffFile is one database file: the document of `fibsbot bearoff info` and `build`.
type BearoffFile struct {
	Path     string `json:"path"`
	Kind     string `json:"kind"`
	Version  int    `json:"version"`
	Points   int    `json:"points"`
	Checkers int    `json:"checkers"`
	Bytes    int64  `json:"bytes"`
	SHA256   string `json:"sha256"`         // empty for a part
	Part     int    `json:"part,omitempty"` // of Sconyers' database
}

// BearoffFileOf is the document about the file that i describes.
func BearoffFileOf(i bearoff.Info) BearoffFile {
	f := BearoffFile{Path: i.Path, Kind: i.Kind.String(), Version: i.Version, Points: i.Points,
		Checkers: i.Checkers, Bytes: i.Bytes, Part: i.Part}
	if i.Part == 0 {
		f.SHA256 = fmt.Sprintf("%x", i.SHA256)
	}
	return f
}

// Text is what people read, one line.
func (f BearoffFile) Text() string {
	shape := fmt.Sprintf("%s: %s, %d checkers on %d points", f.Path, f.Kind, f.Checkers, f.Points)
	if f.Part > 0 {
		return fmt.Sprintf("%s, file %d of Sconyers' 44, %d bytes, no checksum\n", shape, f.Part, f.Bytes)
	}
	return fmt.Sprintf("%s, %d bytes, format %d, sha-256 %s\n", shape, f.Bytes, f.Version, f.SHA256)
}
