//go:build !js

package match

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// maxXML bounds what ReadXML reads: a full 64 point table is under 200 kB.
const maxXML = 1 << 20

type metFile struct {
	XMLName xml.Name `xml:"met"`
	Info    struct {
		Name        string `xml:"name"`
		Description string `xml:"description"`
		Length      int    `xml:"length"`
	} `xml:"info"`
	Pre  metPart   `xml:"pre-crawford-table"`
	Post []metPart `xml:"post-crawford-table"`
}

type metPart struct {
	Type   string `xml:"type,attr"`
	Player string `xml:"player,attr"`
	Rows   []struct {
		Values []string `xml:"me"`
	} `xml:"row"`
}

// ReadXML reads a match equity table in gnubg's XML format (met.dtd). Explicit
// tables are taken as they are and extended to MaxLength; where the file has
// different chances for the two players, as for one of them favoured, their
// mean is taken because a Table is for equal players: see Table.Uneven. Parametric
// tables (zadeh, mec) are refused: another formula would give other equities than gnubg's
// under their name. Errors wrap ErrTable.
func ReadXML(r io.Reader) (*Table, error) {
	var f metFile
	limited := &io.LimitedReader{R: r, N: maxXML + 1}
	if err := xml.NewDecoder(limited).Decode(&f); err != nil {
		switch {
		case limited.N == 0:
			err = fmt.Errorf("more than %d bytes", maxXML)
		case limited.N == maxXML+1:
			err = errors.New("the file is empty")
		case err == io.EOF: // not one element: the decoder has skipped a text that is not XML
			err = errors.New("not an XML file of gnubg (it has no <met>)")
		}
		return nil, fmt.Errorf("%w: %w", ErrTable, err)
	}
	t, err := f.table()
	if err != nil {
		return nil, fmt.Errorf("%w %q: %w", ErrTable, f.Info.Name, err)
	}
	t.Name, t.Description = strings.TrimSpace(f.Info.Name), strings.TrimSpace(f.Info.Description)
	return t, nil
}

func (f *metFile) table() (*Table, error) {
	switch f.Pre.Type {
	case "explicit":
		return f.explicit()
	case "zadeh", "mec":
		return nil, fmt.Errorf("it has the parameters of a formula (type %q) and no equities; take kazaross-xg2, woolsey or a file of type explicit", f.Pre.Type)
	}
	return nil, fmt.Errorf("unknown table type %q", f.Pre.Type)
}

func (f *metFile) explicit() (*Table, error) {
	n := f.Info.Length
	if n < 1 || n > MaxLength {
		return nil, fmt.Errorf("length %d is not between 1 and %d", n, MaxLength)
	}
	if len(f.Pre.Rows) != n {
		return nil, fmt.Errorf("%d rows, not %d", len(f.Pre.Rows), n)
	}
	t := &Table{Published: n}
	for i, row := range f.Pre.Rows {
		if err := parseRow(trimAll(row.Values), t.pre[i][:n]); err != nil {
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	t.level(n)
	if len(f.Post) < 1 || len(f.Post) > 2 {
		return nil, errors.New("want one or two post-Crawford tables")
	}
	posts := n
	for k, part := range f.Post {
		if part.Type != "explicit" || len(part.Rows) != 1 {
			return nil, errors.New("post-Crawford table is not one explicit row")
		}
		// Published files list one post-Crawford chance more or fewer than
		// scores; the missing ones follow from the doubling rule.
		values := trimAll(part.Rows[0].Values)
		values = values[:min(len(values), n)]
		if len(values) < 1 || len(values) < n-1 {
			return nil, fmt.Errorf("post-Crawford row has %d values, not %d", len(values), n)
		}
		var row [MaxLength]float64
		if err := parseRow(values, row[:len(values)]); err != nil {
			return nil, fmt.Errorf("post-Crawford row: %w", err)
		}
		posts = min(posts, len(values))
		for i, v := range row[:n] {
			if k > 0 && i < len(values) {
				t.Uneven = max(t.Uneven, math.Abs(v-2*t.post[i]))
			}
			t.post[i] += v / float64(len(f.Post))
		}
	}
	t.post[0] = 0.5
	for i := posts; i < n; i++ {
		t.post[i] = t.postRule(i)
	}
	t.extend()
	return t, nil
}

// level averages the two chances of each score up to n points, for equal players, and keeps
// their largest difference in Uneven.
func (t *Table) level(n int) {
	for i := range n {
		for j := range i + 1 {
			odd := t.pre[i][j] + t.pre[j][i] - 1
			t.Uneven = max(t.Uneven, math.Abs(odd))
			if math.Abs(odd) > 1e-9 {
				mean := (t.pre[i][j] + 1 - t.pre[j][i]) / 2
				t.pre[i][j], t.pre[j][i] = mean, 1-mean
			}
		}
		t.pre[i][i] = 0.5
	}
}

func trimAll(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strings.TrimSpace(w)
	}
	return out
}
