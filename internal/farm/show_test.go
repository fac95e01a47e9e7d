package farm

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// crowd is a status with many workers of long names.
func crowd(workers int) *Status {
	s := &Status{Cores: 4 * workers, Room: 8 << 30, LeftOut: map[string]string{"broken": "its result of piece x of job y is not what others come to"}}
	for i := range 3 {
		s.Jobs = append(s.Jobs, JobStatus{ID: fmt.Sprintf("rollout-8a31c07f1b2%d", i), State: "running", Done: 12000 + i, Known: 46656, Rate: 512.4, Left: 9000, Seconds: 360000,
			Submitter: "a-desk-in-the-back-room.example.org"})
	}
	for i := range workers {
		w := Report{ID: fmt.Sprintf("ip-172-31-24-%03d-eu-central-1-compute-internal-of-a-rented-machine-%08x", i, i), Name: fmt.Sprintf("ip-%d", i), Threads: 4, Pieces: 123456,
			Rate: 2.1, MemMB: 77, Version: "dev+0123456789ab", Kernel: "avx512"}
		if i%2 == 1 {
			w.Refused = map[string]string{"rollout-1": "job rollout-1 is not for this worker: it wants version v1"}
		}
		s.Workers = append(s.Workers, w)
	}
	return s
}

// TestStatus_fitsTheTerminal: tables keep to the columns, what tells workers apart stays,
// what is wrong comes before the crowd and once.
func TestStatus_fitsTheTerminal(t *testing.T) {
	t.Parallel()
	for _, columns := range []int{0, 80, 100, 140, 200} {
		var out strings.Builder
		s := crowd(50)
		s.Live(&out, columns, 0, time.Time{})
		text := out.String()
		for _, esc := range []string{"\x1b[H", "\x1b[K", "\x1b[J", "\x1b[1m", "\x1b[0m", "\r"} {
			text = strings.ReplaceAll(text, esc, "")
		}
		for _, line := range strings.Split(text, "\n") {
			table := strings.HasPrefix(line, "rollout-") || strings.HasPrefix(line, "ip-") && !strings.Contains(line, ": ")
			if n := utf8.RuneCountInString(line); table && columns > 0 && n > columns {
				t.Errorf("%d columns: %d in %q", columns, n, line)
			}
		}
		for want, from := range map[string]int{"-00000031 ": 0, "rollout-8a31c07f1b22 ": 0, "PIECES": 0, "━━━━": 0, "KERNEL": 140, "FROM": 100} {
			if there := strings.Contains(text, want); there != (columns == 0 || columns >= from) {
				t.Errorf("%d columns: %q is there: %v", columns, want, there)
			}
		}
		if n := strings.Count(text, "it wants version v1"); n != 1 || !strings.Contains(text, " and 20 more: job rollout-1 is not") {
			t.Errorf("said %d times: %s", n, text)
		}
		if a, b := strings.Index(text, "left out: broken"), strings.Index(text, "JOB "); a < 0 || b < a {
			t.Errorf("the order is %d %d", a, b)
		}
	}
}
