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
)

// Version is the format's version; other ones are refused.
const Version = 1

// ManifestName is the member that describes the others.
const ManifestName = "fibsbot-backup.json"

// format is what the manifest says it is of.
const format = "fibsbot archive"

// Errors of reading a backup.
var (
	// ErrNoBackup is a file that is something else.
	ErrNoBackup = errors.New("no backup of an archive")
	// ErrVersion is a backup of another version of the format.
	ErrVersion = errors.New("backup of another version")
	// ErrDamaged is a backup that is not as it was written.
	ErrDamaged = errors.New("damaged backup")
)

// Manifest describes a backup.
type Manifest struct {
	Format  string    `json:"format"`
	Version int       `json:"version"`
	Program string    `json:"program"` // the fibsbot that wrote it
	Made    time.Time `json:"made"`
	Matches int       `json:"matches"` // match files (.sgf)
	Running int       `json:"running"` // journals of matches that were being played or are saved
	Members []Member  `json:"members"`
	// Superseded are members of the zip file that are no part of the backup: they were
	// moved while it was written, and are in it under their new names.
	Superseded []string `json:"superseded,omitempty"`
	// LeftOut are the files in the archive's folder that do not belong to an archive, as Write
	// found them.
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

// Bytes is the size of all members.
func (m *Manifest) Bytes() (n int64) {
	for i := range m.Members {
		n += m.Members[i].Size
	}
	return n
}

// made reports whether a file of an archive is made again, or is of the moment only.
func made(name string) bool {
	base := path.Base(name)
	return strings.HasPrefix(base, index.FileName) || strings.HasSuffix(base, ".lock") || strings.HasPrefix(base, ".tmp-") || name == ManifestName
}

// kept reports whether a file belongs into a backup: what an archive consists of, but for what
// is made.
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
	return slices.Contains([]string{".sgf", ".fibs", ".mat", ".json"}, strings.ToLower(path.Ext(base)))
}

// isRunning tells whether a file is the journal of a match that is not filed. It grows
// while it is read.
func isRunning(name string) bool {
	return path.Base(path.Dir(name)) == "open" && path.Ext(name) == ".journal"
}

// usable tells whether a name can be restored on this system, and on others.
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
		return nil, fmt.Errorf("%w: %s: %w", ErrDamaged, ManifestName, err)
	}
	switch {
	case head.Format != format:
		return nil, fmt.Errorf("%w: %s is of another program", ErrNoBackup, ManifestName)
	case head.Version != Version:
		return nil, fmt.Errorf("%w: it has version %d, written by %.60q; this fibsbot reads version %d", ErrVersion, head.Version, head.Program, Version)
	}
	m := &Manifest{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrDamaged, ManifestName, err)
	}
	seen := map[string]bool{}
	for i := range m.Members {
		x := &m.Members[i]
		switch {
		case !usable(x.Name) || seen[x.Name] || x.Size < 0 || len(x.SHA256) != 64:
			return nil, fmt.Errorf("%w: %s: member %.200q", ErrDamaged, ManifestName, x.Name)
		case !kept(x.Name):
			return nil, fmt.Errorf("%w: %s: %.200q does not belong to an archive", ErrDamaged, ManifestName, x.Name)
		}
		seen[x.Name] = true
	}
	return m, nil
}
