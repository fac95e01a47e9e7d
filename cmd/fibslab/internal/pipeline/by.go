package pipeline

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/atomicfile"
	"fibsbot/weights"
)

// ByOf tells all on which labels depend besides the positions. It is stored beside a file of
// labels, FILE.by, so that no other nets add to the file: labels do not show who made them, and
// a mix silently corrupts a net. The error, of an unusable weights file, is
// a [cmdline.UsageError].
func ByOf(o train.Options, plies int) (string, error) {
	set, err := weights.Load(o.Weights)
	if err != nil {
		return "", cmdline.AsUsage(err)
	}
	data := weights.File()
	if o.Weights != "" {
		if data, err = os.ReadFile(o.Weights); err != nil {
			return "", cmdline.AsUsage(err)
		}
	}
	by := fmt.Sprintf("%s (%x), --plies %d", set.Manifest.Name, sha256.Sum256(data), plies)
	if o.BearoffDir != "" {
		by += ", --bearoff-dir " + filepath.Clean(o.BearoffDir)
	}
	return by, nil
}

// beside returns the name of the file that says who made a file of labels.
func beside(labels string) string { return labels + ".by" }

// goOn refuses to add labels of by to the file of that name, which has done labels. A file
// without a .by and an empty by are not checked. A file without labels becomes by's.
func goOn(by, labels string, done int) error {
	if by == "" {
		return nil
	}
	if done == 0 {
		return atomicfile.WriteBytes(beside(labels), 0o644, []byte(by+"\n"))
	}
	had, err := os.ReadFile(beside(labels))
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && string(had) == by+"\n":
		return nil
	case err != nil:
		return cmdline.Usagef("OUT: read who made the labels: %w", err)
	}
	return cmdline.Usagef("OUT: %s has labels of %.200q, not of %q (use another OUT, or the same settings)", labels, bytes.TrimSpace(had), by)
}
