package train

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/internal/atomicfile"
)

// RecordSize is the length of a stored position with its label and the number of its decision.
const RecordSize = 24

// Label is the five outcome chances of eval.Probs, each times 65535 and rounded.
type Label [5]uint16

// ErrBadRecord means a damaged record file.
var ErrBadRecord = errors.New("bad record")

// LabelOf rounds chances to a Label; values outside [0,1] and NaN become the nearest end.
func LabelOf(p eval.Probs) (l Label) {
	for i, v := range p {
		switch {
		case !(v > 0):
		case v >= 1:
			l[i] = 65535
		default:
			l[i] = uint16(v*65535 + 0.5)
		}
	}
	return l
}

// Probs returns the chances of a label.
func (l Label) Probs() (p eval.Probs) {
	for i, v := range l {
		p[i] = float32(v) * (1.0 / 65535)
	}
	return p
}

// Record is a position, the player named by Me on roll before the roll, with its label from
// that player's view.
type Record struct {
	Key   board.Key
	Label Label
	// Group numbers the decision of which the position is a play: the siblings of a decision
	// are together in a file and have the same number. 0 is a single position.
	Group uint32
}

// Append adds the RecordSize bytes of r to b.
func (r *Record) Append(b []byte) []byte {
	b = append(b, r.Key[:]...)
	for _, v := range r.Label {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	return binary.LittleEndian.AppendUint32(b, r.Group)
}

// Parse reads a record from b, of RecordSize bytes.
func (r *Record) Parse(b []byte) {
	copy(r.Key[:], b)
	for i := range r.Label {
		r.Label[i] = binary.LittleEndian.Uint16(b[10+2*i:])
	}
	r.Group = binary.LittleEndian.Uint32(b[20:])
}

// Position returns the position of the key, which ReadRecords has checked.
func (r *Record) Position() board.Position {
	p, _ := board.FromKey(r.Key)
	return p
}

// ReadRecords reads a whole record file, gzipped if its name ends in .gz, and appends the
// records to dst. It ends at the first record that is cut off or not of a position: the error wraps
// ErrBadRecord then.
func ReadRecords(dst []Record, path string) ([]Record, error) {
	f, err := os.Open(path)
	if err != nil {
		return dst, fmt.Errorf("records: %w", err)
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<20)
	if strings.HasSuffix(path, ".gz") {
		return readPacked(dst, r, path)
	}
	if st, err := f.Stat(); err == nil {
		dst = slices.Grow(dst, int(st.Size())/RecordSize)
	}
	return readRecords(dst, r, path)
}

// readPacked is readRecords for a gzipped file.
func readPacked(dst []Record, r io.Reader, name string) ([]Record, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return dst, fmt.Errorf("records %s: %w: %w", name, ErrBadRecord, err)
	}
	return readRecords(dst, z, name)
}

// readRecords appends the records of r, which is called name in errors.
func readRecords(dst []Record, r io.Reader, name string) ([]Record, error) {
	buf := make([]byte, RecordSize)
	for {
		_, err := io.ReadFull(r, buf)
		if err == io.EOF {
			return dst, nil
		}
		var rec Record
		if err == nil {
			rec.Parse(buf)
			_, err = board.FromKey(rec.Key)
		}
		if err != nil {
			return dst, fmt.Errorf("records %s, record %d: %w: %w", name, len(dst), ErrBadRecord, err)
		}
		dst = append(dst, rec)
	}
}

// WriteRecords writes records to path through a temporary file beside it, so
// that a reader sees the old file or the whole new one.
func WriteRecords(path string, recs []Record) error {
	b := make([]byte, 0, len(recs)*RecordSize)
	for i := range recs {
		b = recs[i].Append(b)
	}
	return atomicfile.WriteBytes(path, 0o644, b)
}

// CubeState is a match state in files of decisions and labels, of the player on roll.
type CubeState struct {
	Length int         `json:"length"` // 0 is money play
	Jacoby bool        `json:"jacoby,omitempty"`
	Score  [2]int      `json:"score"` // of the player on roll and of the opponent
	Value  int         `json:"value"` // of the cube
	Owner  match.Owner `json:"owner"`
}

// CubeStateOf returns the form of st in files.
func CubeStateOf(st match.State) CubeState {
	return CubeState{st.Length, st.Jacoby, st.Score, st.Cube, st.Owner}
}

// State returns the match state, or an error if it is impossible.
func (c *CubeState) State() (match.State, error) {
	st := match.Money(c.Jacoby, 0)
	if c.Length > 0 {
		st = match.State{Length: c.Length, Score: c.Score}
	}
	st.Cube, st.Owner = c.Value, c.Owner
	return st, st.Validate()
}
