package backup

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/internal/changes"
	"fibsbot/engine/record/formats"
)

// Version is the version of the format; others are refused.
const Version = 1

// manifestName is the member that describes the others.
const manifestName = "fibsbot-backup.json"

// format is the value of Manifest.Format.
const format = "fibsbot archive"

// Errors of reading a backup.
var (
	// ErrNoBackup means that a file is not a backup.
	ErrNoBackup = errors.New("not an archive backup")
	// ErrVersion means that a backup has another version of the format.
	ErrVersion = errors.New("backup of another version")
	// ErrDamaged means that the content of a backup has changed.
	ErrDamaged = errors.New("damaged backup")
)

// Manifest describes a backup.
type Manifest struct {
	Format  string    `json:"format"`
	Version int       `json:"version"`
	Program string    `json:"program"` // the fibsbot that wrote it
	Made    time.Time `json:"made"`
	Matches int       `json:"matches"` // match files (.sgf)
	Running int       `json:"running"` // journals of matches in progress or saved
	Members []Member  `json:"members"`
	// Superseded are members of the zip file that do not belong to the backup: they were
	// moved while it was written, and are also stored under their new names.
	Superseded []string `json:"superseded,omitempty"`
	// LeftOut are the files in the folder that do not belong to an archive; set by Write.
	LeftOut []string `json:"-"`
}

// Member is one file of the archive.
type Member struct {
	Name     string      `json:"name"` // below the archive's folder, with slashes
	Size     int64       `json:"size"`
	SHA256   string      `json:"sha256"`
	Mode     fs.FileMode `json:"mode"` // permissions
	Modified time.Time   `json:"modified"`
}

// Bytes returns the size of all members.
func (m *Manifest) Bytes() (n int64) {
	for i := range m.Members {
		n += m.Members[i].Size
	}
	return n
}

// made reports whether a file of an archive can be rebuilt or is temporary.
func made(name string) bool {
	base := path.Base(name)
	return strings.HasPrefix(base, index.FileName) || strings.HasSuffix(base, ".lock") || strings.HasPrefix(base, ".tmp-") || name == manifestName || strings.HasPrefix(name, changes.Dir+"/")
}

// kept reports whether a file belongs in a backup.
func kept(name string) bool {
	if made(name) || strings.HasPrefix(name, ".") || strings.Contains(name, "/.") {
		return false
	}
	dir, base := path.Split(name)
	switch dir {
	case "open/", "journal/":
		return strings.HasSuffix(strings.TrimSuffix(base, ".damaged"), ".journal")
	case "state/", index.TrashDir + "/":
		return true
	case "play/":
		return path.Ext(base) == ".match"
	case "":
		if base == index.PrunedName {
			return true
		}
	}
	// Match files and the files beside them, also in folders by day or opponent.
	ext := strings.ToLower(path.Ext(base))
	return ext == ".sgf" || ext == ".json" || slices.ContainsFunc(formats.Beside, func(f formats.Format) bool { return f.Ext == ext })
}

// isRunning reports whether a file is the journal of a match that is not filed yet; it may
// grow while it is read.
func isRunning(name string) bool {
	return path.Base(path.Dir(name)) == "open" && path.Ext(name) == ".journal"
}

// usable reports whether a name can be restored on any system.
func usable(name string) bool {
	return fs.ValidPath(name) && name != "." && utf8.ValidString(name) && !strings.ContainsAny(name, "\\\x00") && filepath.IsLocal(filepath.FromSlash(name))
}

// parseManifest reads and checks a manifest.
func parseManifest(data []byte) (*Manifest, error) {
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
		Program string `json:"program"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrDamaged, manifestName, err)
	}
	switch {
	case head.Format != format:
		return nil, fmt.Errorf("%w: %s was written by another program", ErrNoBackup, manifestName)
	case head.Version != Version:
		return nil, fmt.Errorf("%w: version %d, written by %.60q; this fibsbot reads version %d", ErrVersion, head.Version, head.Program, Version)
	}
	m := &Manifest{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrDamaged, manifestName, err)
	}
	seen := map[string]bool{}
	for i := range m.Members {
		x := &m.Members[i]
		switch {
		case !usable(x.Name) || seen[x.Name] || x.Size < 0 || len(x.SHA256) != 64:
			return nil, fmt.Errorf("%w: %s: member %.200q", ErrDamaged, manifestName, x.Name)
		case !kept(x.Name):
			return nil, fmt.Errorf("%w: %s: %.200q does not belong to an archive", ErrDamaged, manifestName, x.Name)
		}
		seen[x.Name] = true
	}
	return m, nil
}
