package farm

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"fibsbot/internal/figure"
)

// Live is Print for a terminal of that many columns and rows, or 0 for any, that is redrawn:
// with bars and bold headings, cut to the size, each line erased to its end. If the farm does
// not answer, old is the time of s.
func (s *Status) Live(w io.Writer, columns, rows int, old time.Time) {
	var text strings.Builder
	if !old.IsZero() {
		fmt.Fprintf(&text, "the farm does not answer; at %s it had:\n", old.Format(time.TimeOnly))
	}
	s.print(&text, true, columns)
	fmt.Fprint(w, "\x1b[H")
	lines := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
	for i, line := range lines {
		high := 1
		if columns > 0 {
			high = max(1, (utf8.RuneCountInString(line)+columns-1)/columns)
		}
		// The last row stays free: its line feed would scroll.
		if room := rows - 1; rows > 0 && high >= room && !(high == room && i == len(lines)-1) {
			fmt.Fprintf(w, "... %d more lines (--once shows all)\x1b[K\r\n", len(lines)-i)
			break
		} else if rows > 0 {
			rows -= high
		}
		if strings.HasPrefix(line, "JOB ") || strings.HasPrefix(line, "WORKER ") {
			line = "\x1b[1m" + line + "\x1b[0m"
		}
		fmt.Fprint(w, line, "\x1b[K\r\n")
	}
	fmt.Fprint(w, "\x1b[J")
}

// bar draws the finished part of a whole, 16 cells wide.
func bar(done, of int) string {
	const cells = 16
	n := 0
	if of > 0 {
		n = min(cells, cells*done/of)
	}
	return strings.Repeat("━", n) + strings.Repeat("╌", cells-n)
}

// Print writes the status as text.
func (s *Status) Print(w io.Writer) { s.print(w, false, 0) }

// print writes the notes first: a terminal shows no more than its rows.
func (s *Status) print(w io.Writer, bars bool, columns int) {
	fmt.Fprintf(w, "%s, %s, %d busy, %.1f pieces a second; %d in the queue; results %.1f of %d MiB\n",
		figure.Count(len(s.Workers), "worker"), figure.Count(s.Cores, "core"), s.Busy, s.Rate, s.Queue, float64(s.Stored)/(1<<20), s.Room>>20)
	for _, note := range s.Notes {
		fmt.Fprintln(w, note)
	}
	for _, name := range slices.Sorted(maps.Keys(s.LeftOut)) {
		fmt.Fprintf(w, "left out: %s: %s\n", name, s.LeftOut[name])
	}
	s.troubles(w)
	if len(s.Jobs) > 0 {
		t := table{head: []string{"JOB", "STATE", "PROGRESS", "DONE", "OF", "A SECOND", "LEFT", "CORE TIME", "FROM"}, spare: []int{8, 2, 7, 5}}
		for _, j := range s.Jobs {
			left := "-"
			if j.Left > 0 {
				left = (time.Duration(j.Left) * time.Second).String()
			}
			t.add(j.ID, j.State, bar(j.Done, j.Known), strconv.Itoa(j.Done), strconv.Itoa(j.Known), fmt.Sprintf("%.1f", j.Rate), left,
				(time.Duration(j.Seconds) * time.Second).String(), j.Submitter)
		}
		if !bars {
			t.without(2)
		}
		t.print(w, columns)
		for _, j := range s.Jobs {
			if j.Audit != nil && j.Audit.Pieces > 0 {
				fmt.Fprintf(w, "%s: %s\n", j.ID, j.Audit)
			}
		}
	}
	if len(s.Workers) > 0 {
		t := table{head: []string{"WORKER", "THREADS", "BUSY", "PIECES", "CHECKED", "FAILED", "A SECOND", "MEMORY", "VERSION", "KERNEL"}, spare: []int{4, 8, 9, 7}}
		for _, r := range s.Workers {
			t.add(r.ID, strconv.Itoa(r.Threads), strconv.Itoa(r.Busy), strconv.FormatInt(r.Pieces, 10), strconv.Itoa(s.Passed[r.Key]), strconv.FormatInt(r.Failures, 10),
				fmt.Sprintf("%.1f", r.Rate), fmt.Sprintf("%d MB", r.MemMB), r.Version, r.Kernel)
		}
		t.print(w, columns)
	}
}

// troubles writes the errors of workers, each text once.
func (s *Status) troubles(w io.Writer) {
	who := map[string][]string{}
	for _, r := range s.Workers {
		if r.Error != "" {
			who[r.Error] = append(who[r.Error], r.ID)
		}
		for _, why := range r.Refused {
			who[why] = append(who[why], r.ID)
		}
	}
	for _, why := range slices.Sorted(maps.Keys(who)) {
		fmt.Fprintf(w, "%s: %s\n", several(who[why]), why)
	}
}

// table is text in columns.
type table struct {
	head  []string
	rows  [][]string
	spare []int // columns that a narrow terminal drops, in this order
	gone  []int
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) without(column int) { t.gone = append(t.gone, column) }

// widths returns the widths of the shown columns, and the sum with the gaps.
func (t *table) widths() (list []int, all int) {
	list = make([]int, len(t.head))
	for _, row := range append([][]string{t.head}, t.rows...) {
		for i, cell := range row {
			list[i] = max(list[i], utf8.RuneCountInString(cell))
		}
	}
	all = -gap
	for i, n := range list {
		if !slices.Contains(t.gone, i) {
			all += n + gap
		}
	}
	return list, all
}

// gap is the number of spaces between columns, leastName the fewest letters of a shortened name.
const gap, leastName = 2, 17

// print writes an empty line and the table, in that many columns, or 0 for any. If it does not
// fit, it drops the spare columns, then shortens names in the middle.
func (t *table) print(w io.Writer, columns int) {
	list, all := t.widths()
	for _, column := range t.spare {
		if columns <= 0 || all <= columns {
			break
		}
		if !slices.Contains(t.gone, column) {
			t.without(column)
			list, all = t.widths()
		}
	}
	if columns > 0 && all > columns {
		list[0] = max(min(list[0], leastName), list[0]-(all-columns))
	}
	fmt.Fprintln(w)
	for _, row := range append([][]string{t.head}, t.rows...) {
		var line strings.Builder
		for i, cell := range row {
			if slices.Contains(t.gone, i) {
				continue
			}
			if i == 0 {
				cell = shorten(cell, list[0])
			}
			line.WriteString(cell + strings.Repeat(" ", list[i]-utf8.RuneCountInString(cell)+gap))
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
}

// shorten leaves out the middle of a long name.
func shorten(name string, most int) string {
	r := []rune(name)
	if len(r) <= most {
		return name
	}
	const tail = 9 // a dash and the suffix that distinguishes workers of one name
	return string(r[:max(0, most-tail-1)]) + "…" + string(r[len(r)-min(tail, most-1):])
}
