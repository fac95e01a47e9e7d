package engine

import (
	"fmt"
	"os"
	"strings"

	"fibsbot/engine/match"
)

// NamedTable returns a match equity table of the program; ok is false for another name.
func NamedTable(name string) (t *match.Table, ok bool) {
	switch strings.ToLower(name) {
	case "", "kazaross-xg2":
		return match.DefaultTable(), true
	case "woolsey":
		return match.WoolseyTable(), true
	}
	return nil, false
}

// TableName is the one way to write the name of t, which [LoadTable] made of name, where names
// are kept and compared: empty for the usual one, a file's path with its [match.Table.Sum], for a
// file may be another one by the time of the comparison.
func TableName(name string, t *match.Table) string {
	switch named, ok := NamedTable(name); {
	case !ok:
		return name + " " + t.Sum()
	case named == match.DefaultTable():
		return ""
	}
	return strings.ToLower(name)
}

// LoadTable returns the match equity table that is called name: "" or kazaross-xg2, woolsey,
// or a file as gnubg has them (its met folder, XML). Errors name the table or the file and
// wrap match.ErrTable or what the file system says.
func LoadTable(name string) (*match.Table, error) {
	if t, ok := NamedTable(name); ok {
		return t, nil
	}
	in, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("match equity table: %w (use kazaross-xg2, woolsey or an .xml file of gnubg)", err)
	}
	defer in.Close()
	t, err := match.ReadXML(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}
