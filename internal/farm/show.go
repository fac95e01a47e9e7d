package farm

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
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

// print writes what is wrong first: a terminal shows no more than its rows.
func (s *Status) print(w io.Writer, bars bool, columns int) {
	fmt.Fprintf(w, "%s, %s, %d busy, %.1f pieces a second; %d in the queue; results %.1f of %d MiB\n",
		figure.Count(len(s.Workers), "worker"), figure.Count(s.Cores, "core"), s.Busy, s.Rate, s.Queue, float64(s.Stored)/(1<<20), s.Room>>20)
	for _, name := range slices.Sorted(maps.Keys(s.LeftOut)) {
		fmt.Fprintf(w, "left out: %s: %s\n", name, s.LeftOut[name])
	}
	s.troubles(w)
	if len(s.Jobs) > 0 {
		rows := []string{"JOB\tSTATE\tDONE\tOF\tA SECOND\tLEFT\tCORE TIME\tFROM"}
		if bars {
			rows[0] = "JOB\tSTATE\tPROGRESS" + strings.TrimPrefix(rows[0], "JOB\tSTATE")
		}
		for _, j := range s.Jobs {
			left, state := "-", j.State
			if j.Left > 0 {
				left = (time.Duration(j.Left) * time.Second).String()
			}
			if bars {
				state += "\t" + bar(j.Done, j.Known)
			}
			rows = append(rows, fmt.Sprintf("%s\t%s\t%d\t%d\t%.1f\t%s\t%s\t%s", j.ID, state, j.Done, j.Known, j.Rate, left, time.Duration(j.Seconds)*time.Second, j.Submitter))
		}
		table(w, columns, rows)
		for _, j := range s.Jobs {
			if j.Audit != nil && j.Audit.Pieces > 0 {
				fmt.Fprintf(w, "%s: %s\n", j.ID, j.Audit)
			}
		}
	}
	if len(s.Workers) > 0 {
		rows := []string{"WORKER\tTHREADS\tBUSY\tPIECES\tCHECKED\tFAILED\tA SECOND\tMEMORY\tVERSION\tKERNEL"}
		for _, r := range s.Workers {
			rows = append(rows, fmt.Sprintf("%s\t%d\t%d\t%d\t%d\t%d\t%.1f\t%d MB\t%s\t%s", shorten(r.ID, columns), r.Threads, r.Busy, r.Pieces, s.Passed[r.Key], r.Failures,
				r.Rate, r.MemMB, r.Version, r.Kernel))
		}
		table(w, columns, rows)
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

// table writes an empty line and rows of cells with tabs between them, cut to that many columns,
// or 0 for any.
func table(w io.Writer, columns int, rows []string) {
	var text strings.Builder
	t := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, strings.Join(rows, "\n"))
	_ = t.Flush() // a strings.Builder takes all
	fmt.Fprintln(w)
	for line := range strings.SplitSeq(text.String(), "\n") {
		if r := []rune(line); columns > 0 && len(r) > columns {
			line = string(r[:columns])
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// shorten leaves out the middle of a worker's name where the other cells of its line would not
// fit into that many columns, or 0 for any.
func shorten(name string, columns int) string {
	const others, least, tail = 90, 26, 9 // tail is a dash and what distinguishes workers of one name
	r, most := []rune(name), max(least, columns-others)
	if columns == 0 || len(r) <= most {
		return name
	}
	return string(r[:most-tail-1]) + "…" + string(r[len(r)-tail:])
}
