package clip

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"fibsbot/internal/reference"
)

// catalogueRow is one row of messages.tsv.
type catalogueRow struct{ id, example string }

func catalogue(tb testing.TB) []catalogueRow {
	tb.Helper()
	data, err := os.ReadFile(reference.Path(tb, "fibs", "messages.tsv"))
	if err != nil {
		tb.Fatal(err)
	}
	var rows []catalogueRow
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		f := strings.Split(line, "\t")
		if i == 0 {
			continue
		}
		if len(f) != 4 {
			tb.Fatalf("messages.tsv:%d: %d columns", i+1, len(f))
		}
		rows = append(rows, catalogueRow{f[0], strings.ReplaceAll(f[3], `\x1b`, "\x1b")})
	}
	return rows
}

// connections rebuilds what the server sent in one transcript, connection by
// connection.
func connections(tb testing.TB, path string) [][]byte {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	var all [][]byte
	var out bytes.Buffer
	for _, line := range strings.Split(string(data), "\n") {
		if strings.HasPrefix(line, "# open") && out.Len() > 0 {
			all = append(all, bytes.Clone(out.Bytes()))
			out.Reset()
		}
		text, whole := strings.CutPrefix(line, "S:")
		if !whole {
			var part bool
			if text, part = strings.CutPrefix(line, "S~"); !part {
				continue
			}
		}
		text = strings.TrimPrefix(text, " ")
		raw, err := strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`)
		if err != nil {
			tb.Fatal(fmt.Errorf("%s: %q: %w", path, text, err))
		}
		out.WriteString(raw)
		if whole {
			out.WriteString("\r\n")
		}
	}
	return append(all, out.Bytes())
}

// stripTelnet drops the three-byte telnet commands of a transcript, as
// fibs/telnet does on a connection.
func stripTelnet(data []byte) []byte {
	var out []byte
	for i := 0; i < len(data); i++ {
		if data[i] == 0xff && i+2 < len(data) {
			i += 2
			continue
		}
		out = append(out, data[i])
	}
	return out
}

// transcripts are the paths of all recorded sessions.
func transcripts(tb testing.TB) []string {
	tb.Helper()
	return append(reference.Glob(tb, "fibs/transcripts", "*.txt"), reference.Glob(tb, "fibs/transcripts/quirks", "*.txt")...)
}

// splitPrompts cuts text into lines as fibs/telnet delivers them: a prompt at
// the start of a line is a line of its own.
func splitPrompts(data []byte) []string {
	var lines []string
	for _, line := range strings.Split(string(data), "\r\n") {
		for again := true; again; {
			again = false
			for _, p := range []string{"login: ", "password: ", "Please give your password: ", "Please retype your password: ", "> "} {
				if strings.HasPrefix(line, p) && len(line) > len(p) {
					lines = append(lines, p)
					line = line[len(p):]
					again = true
				}
			}
		}
		lines = append(lines, line)
	}
	return lines
}
