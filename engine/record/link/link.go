package link

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"regexp"
	"slices"

	"fibsbot/engine/record"
)

// prefix begins the text of a link; the number is the version of the columns.
const prefix = "review="

const version = "1"

// Bounds of what is read, so that a link of few characters does not unpack to a lot of memory: of the text, of the
// columns in it and of their head.
const (
	maxText    = 128 << 10
	maxColumns = 1 << 20
	maxHead    = 64 << 10
)

// ownCode is the length from which a part is packed with a code of its own, which saves 6 % in matches.
const ownCode = 256

// Signs are of a link, whole or damaged: it begins a text, or stands in one with its version.
var Signs = []*regexp.Regexp{regexp.MustCompile(`^#?` + prefix), sign}

var sign = regexp.MustCompile(`(?:^|[#&\s])` + prefix + `(\d{1,4})\.([A-Za-z0-9_-]*)`)

// errDamaged is of a link that did not come whole.
var errDamaged = fmt.Errorf("%w: it is cut off or changed", ErrLink)

// ErrLink is wrapped by errors about a link that cannot be read.
var ErrLink = errors.New("the link to a review cannot be read")

// ErrLong is the error of Write about a match that is too long for a link.
var ErrLong = errors.New("the match is too long for a link")

// Read reads the match of a link, with whatever stands around it in the text.
func Read(r io.Reader) ([]*record.Match, []record.Warning, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err != nil {
		return nil, nil, err
	}
	found := sign.FindSubmatch(text)
	switch {
	case len(text) > maxText:
		return nil, nil, fmt.Errorf("%w: longer than %d characters", ErrLink, maxText)
	case found == nil:
		return nil, nil, errDamaged
	case string(found[1]) != version:
		return nil, nil, fmt.Errorf("%w: it is of version %s, this program reads %s", ErrLink, found[1], version)
	}
	packed, err := base64.RawURLEncoding.DecodeString(string(found[2]))
	if err != nil || len(packed) < 4 {
		return nil, nil, errDamaged
	}
	columns, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed[4:])), maxColumns+1))
	if err != nil || len(columns) > maxColumns || crc32.ChecksumIEEE(columns) != binary.LittleEndian.Uint32(packed) {
		return nil, nil, errDamaged
	}
	m := &record.Match{}
	if err := unpack(columns, m); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrLink, err)
	}
	return []*record.Match{m}, nil, nil
}

// Write writes the text of a link to m on a line. An address before it, with a #, makes it a link.
func Write(w io.Writer, m *record.Match) error {
	if m == nil {
		return record.ErrNoMatch
	}
	parts, err := pack(m)
	if err != nil {
		return err
	}
	text, err := seal(parts)
	if err != nil {
		return err
	}
	if len(text) > maxText || len(parts[0]) > maxHead || len(slices.Concat(parts...)) > maxColumns || len(m.Games) > maxGames || actions(m) > maxActions {
		return ErrLong
	}
	_, err = fmt.Fprintln(w, text)
	return err
}

// actions counts those of a match.
func actions(m *record.Match) (n int) {
	for i := range m.Games {
		n += len(m.Games[i].Actions)
	}
	return n
}

// seal packs columns into the text of a link.
func seal(parts [][]byte) (string, error) {
	var b bytes.Buffer
	b.Write(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(slices.Concat(parts...))))
	z, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return "", err
	}
	for _, p := range parts {
		if _, err = z.Write(p); err == nil && len(p) > ownCode {
			err = z.Flush()
		}
	}
	if err = errors.Join(err, z.Close()); err != nil {
		return "", err
	}
	return prefix + version + "." + base64.RawURLEncoding.EncodeToString(b.Bytes()), nil
}

// Lost names what m has and a link does not hold.
func Lost(m *record.Match) []string {
	for i := range m.Games {
		for k := range m.Games[i].Actions {
			if a := m.Games[i].Actions[k].Analysis; a != nil && (len(a.Candidates) > 2 || len(a.Beside) > 0) {
				return []string{"plays beside the best and the one made"}
			}
		}
	}
	return nil
}
