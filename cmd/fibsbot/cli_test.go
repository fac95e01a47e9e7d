package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fibsbot/cmd/internal/help"
)

// forbidden are names of flags for a thing that has another name, with the commands in
// which the word means something else.
var forbidden = map[string]struct {
	is     string
	except []string
}{
	"dir":           {"--archive DIR or --bearoff-dir DIR", nil},
	"user":          {"--account NAME", nil},
	"name":          {"--account NAME, --machine NAME or --as NAME", nil},
	"from":          {"--since DATE or --min-loss X", nil},
	"to":            {"--until DATE", []string{"convert"}},
	"after":         {"--since DATE", nil},
	"before":        {"--until DATE", nil},
	"min":           {"--min-loss X or --min-length N", nil},
	"max":           {"--max-loss X, --max-length N or --limit N", nil},
	"count":         {"--limit N", nil},
	"number":        {"--limit N", nil},
	"points":        {"--length N", []string{"bearoff build"}},
	"elo":           {"--rating R", nil},
	"strength":      {"--preset PRESET", nil},
	"level":         {"--preset PRESET", nil},
	"out":           {"--output FILE", nil},
	"directory":     {"--archive DIR", nil},
	"target-rating": {"--rating R", []string{"tune"}},
}

// everyCommand calls visit for the commands of root, without those of cobra.
func everyCommand(root *cobra.Command, visit func(path string, cmd *cobra.Command)) {
	for _, c := range root.Commands() {
		if c.Name() == "completion" || c.Name() == "help" {
			continue
		}
		visit(help.Path(c), c)
		everyCommand(c, visit)
	}
}

// TestCLI_oneNameForOneThing refuses flags whose thing has another name.
func TestCLI_oneNameForOneThing(t *testing.T) {
	everyCommand(newRootCmd(), func(path string, cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if no, bad := forbidden[f.Name]; bad && !slices.Contains(no.except, path) {
				t.Errorf("fibsbot %s --%s: call it %s", path, f.Name, no.is)
			}
		})
	})
}

// TestCLI_page makes docs/cli.md from the commands (-update), or compares it.
func TestCLI_page(t *testing.T) {
	t.Setenv("FIBSBOT_SERVER", "")
	t.Setenv("FIBSBOT_ACCOUNT", "")
	style, root := helpStyle(), newRootCmd()
	type row struct{ head, text string }
	used := map[row][]string{}
	var b strings.Builder
	b.WriteString("| command | what it does |\n|---|---|\n")
	everyCommand(root, func(path string, cmd *cobra.Command) {
		fmt.Fprintf(&b, "| `fibsbot %s` | %s |\n", path+strings.ReplaceAll(strings.TrimPrefix(cmd.Use, cmd.Name()), "|", "\\|"), cmd.Short)
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" || f.Name == "version" {
				return
			}
			head := "--" + f.Name + style.Value(cmd, f)
			if f.Shorthand != "" {
				head = "-" + f.Shorthand + ", " + head
			}
			_, text := pflag.UnquoteUsage(f)
			r := row{head, text}
			used[r] = append(used[r], path)
		})
	})
	b.WriteString("\n## Flags\n\n| flag | meaning | commands |\n|---|---|---|\n")
	rows := make([]row, 0, len(used))
	for r := range used {
		rows = append(rows, r)
	}
	key := func(r row) string { return r.head[strings.Index(r.head, "--"):] + r.text }
	slices.SortFunc(rows, func(a, b row) int { return strings.Compare(key(a), key(b)) })
	cell := strings.NewReplacer("|", "\\|", "<", "&lt;")
	for _, r := range rows {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", strings.ReplaceAll(r.head, "|", "\\|"), cell.Replace(r.text), strings.Join(used[r], ", "))
	}
	const page, mark = "../../docs/cli.md", "<!-- made by go test ./cmd/fibsbot -run CLI -update -->\n"
	old, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, _, found := strings.Cut(string(old), mark)
	if !found {
		t.Fatalf("%s has no line %s", page, mark)
	}
	golden(t, page, head+mark+"\n"+b.String())
}
