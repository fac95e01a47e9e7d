package pipeline

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fibsbot/cmd/fibslab/internal/teacher"
	"fibsbot/internal/atomicfile"
	"fibsbot/weights"
)

// By is all on which labels depend besides the positions. It is stored as JSON beside a file
// of labels, FILE.by, so that no other nets add to the file: labels do not show who made them,
// and a mix silently corrupts a net.
type By struct {
	Plies   int    `json:"plies"`
	Weights string `json:"weights"` // name and checksum of the nets
	// Bearoff is the folder of bigger databases, "" for none.
	Bearoff string `json:"bearoff_dir,omitempty"`
}

// ByOf returns the By of labels at a depth. The error, of an unusable weights file, wraps
// [teacher.ErrOptions].
func ByOf(o teacher.Options, plies int) (*By, error) {
	b := &By{Plies: plies}
	set, err := weights.Load(o.Weights)
	if err != nil {
		return nil, teacher.Mistake(err)
	}
	data := weights.File()
	if o.Weights != "" {
		if data, err = os.ReadFile(o.Weights); err != nil {
			return nil, teacher.Mistake(err)
		}
	}
	sum := sha256.Sum256(data)
	b.Weights = fmt.Sprintf("%s (%s)", set.Manifest.Name, hex.EncodeToString(sum[:6]))
	if o.BearoffDir != "" {
		b.Bearoff = filepath.Clean(o.BearoffDir)
	}
	return b, nil
}

// String is the teacher in a few words.
func (b *By) String() string { return fmt.Sprintf("%s with --plies %d", b.Weights, b.Plies) }

// beside returns the name of the file with the By of a file of labels.
func beside(labels string) string { return labels + ".by" }

// goOn refuses to add labels of b to the file of that name, which has done labels. A file
// without a .by and a nil b are not checked. A file without labels becomes b's.
func (b *By) goOn(labels string, done int) error {
	if b == nil {
		return nil
	}
	path := beside(labels)
	if done == 0 {
		data, err := json.Marshal(b)
		if err != nil {
			return err
		}
		return atomicfile.WriteBytes(path, 0o644, append(data, '\n'))
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return teacher.Wrong("OUT: read who made the labels: %w", err)
	}
	var had By
	if err := json.Unmarshal(data, &had); err != nil {
		return teacher.Wrong("OUT: %s is damaged, it records who made the labels of %s: %w", path, labels, err)
	}
	if list := differences(difference{"plies", had.Plies, b.Plies},
		difference{"weights", had.Weights, b.Weights}, difference{"bearoff-dir", had.Bearoff, b.Bearoff}); list != "" {
		return teacher.Wrong("OUT: %s has labels made with %s (use another OUT, or the same settings)", labels, list)
	}
	return nil
}

// difference is a flag with its old and its new value.
type difference struct {
	flag    string
	was, is any
}

// differences names the flags with other values than before, as in "--plies 2, not 0; --seed
// 1, not 5", or returns "".
func differences(list ...difference) string {
	text := func(v any) string {
		if s := fmt.Sprint(v); s != "" {
			return s
		}
		return "none"
	}
	var out []string
	for _, d := range list {
		if d.was != d.is {
			out = append(out, fmt.Sprintf("--%s %s, not %s", d.flag, text(d.was), text(d.is)))
		}
	}
	return strings.Join(out, "; ")
}
