package train

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"fibsbot/engine/board"
)

// maxTextLine bounds a line of the text form of records.
const maxTextLine = 4096

// chances are the fields of a Label, with their names in the first line of a text.
var chances = [5]string{"win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"}

// mostOver is by how much a chance may exceed the one that contains it, a thousandth: chances
// rounded separately to three digits do.
const mostOver = 66

// over names the first chance of l above the one that contains it, such as gammons above
// wins, or returns "".
func (l Label) over() (field, of string) {
	lose := 65535 - l[0]
	for _, c := range [...]struct {
		part, whole uint16
		field, of   string
	}{
		{l[1], l[0], chances[1], chances[0]}, {l[2], l[1], chances[2], chances[1]},
		{l[3], lose, chances[3], "1 - win"}, {l[4], l[3], chances[4], chances[3]},
	} {
		if int(c.part)-int(c.whole) > mostOver {
			return c.field, c.of
		}
	}
	return "", ""
}

// WriteText writes records as text, one a line: the Position ID of the player on roll, the
// chances to win, to win a gammon and a backgammon, to lose a gammon and a backgammon, and the
// number of the decision. Chances have seven digits, so that ReadText returns the same labels.
func WriteText(w io.Writer, recs []Record) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "# position "+strings.Join(chances[:], " ")+" decision")
	for i := range recs {
		r := &recs[i]
		p, err := board.FromKey(r.Key)
		if err != nil {
			return fmt.Errorf("record %d: %w: %w", i, ErrBadRecord, err)
		}
		b.WriteString(p.ID())
		for _, v := range r.Label {
			b.WriteByte(' ')
			b.WriteString(strconv.FormatFloat(float64(v)/65535, 'f', 7, 64))
		}
		fmt.Fprintf(b, " %d\n", r.Group)
	}
	return b.Flush()
}

// ReadText reads the output of WriteText, and of other programs in that form: empty lines and
// lines that begin with # are skipped, and the number of the decision may be missing. It
// refuses a chance that exceeds the one that contains it, such as gammons and wins, by more
// than a thousandth. Errors wrap ErrBadRecord and name line and field.
func ReadText(r io.Reader) ([]Record, error) {
	var recs []Record
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, maxTextLine), maxTextLine)
	n := 0
	bad := func(format string, args ...any) error {
		return fmt.Errorf("line %d: %w: %s", n, ErrBadRecord, fmt.Sprintf(format, args...))
	}
	for lines.Scan() {
		n++
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) != 6 && len(fields) != 7 {
			return nil, bad("%d fields, want a Position ID, five chances and the number of a decision", len(fields))
		}
		p, err := board.ParseID(fields[0])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w: %w", n, ErrBadRecord, err)
		}
		rec := Record{Key: p.Key()}
		for i := range rec.Label {
			v, err := strconv.ParseFloat(fields[1+i], 64)
			if err != nil || !(v >= 0 && v <= 1) {
				return nil, bad("%s: %.30q is not a chance between 0 and 1", chances[i], fields[1+i])
			}
			rec.Label[i] = uint16(v*65535 + 0.5)
		}
		if field, of := rec.Label.over(); field != "" {
			return nil, bad("%s: the chance exceeds %s, which contains it", field, of)
		}
		if len(fields) == 7 {
			g, err := strconv.ParseUint(fields[6], 10, 32)
			if err != nil {
				return nil, bad("decision: %.30q is not a number", fields[6])
			}
			rec.Group = uint32(g)
		}
		recs = append(recs, rec)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w: %w", n+1, ErrBadRecord, err)
	}
	return recs, nil
}
