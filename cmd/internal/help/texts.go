package help

import (
	"strings"

	"github.com/spf13/cobra"
)

// Fill gives commands below root the texts of a file: sections of "== COMMAND: Short", then Long,
// then "-- examples" with Example. {WORD} in them stands for an entry of words, or for the section
// "== WORD". It panics on a section of no command, and on a command that has no text then: the file
// is compiled in.
func Fill(root *cobra.Command, file string, words map[string]string) {
	var replace []string
	for word, text := range words {
		replace = append(replace, "{"+word+"}", text)
	}
	for _, section := range strings.Split(file, "\n== ")[1:] {
		head, body, _ := strings.Cut(strings.TrimRight(section, "\n")+"\n", "\n")
		path, short, ofCommand := strings.Cut(head, ": ")
		if !ofCommand {
			replace = append(replace, "{"+head+"}", strings.TrimRight(body, "\n"))
			continue
		}
		c, rest, err := root.Find(strings.Fields(path)[1:])
		if err != nil || len(rest) > 0 {
			panic("help text of no command: " + path)
		}
		long, examples, _ := strings.Cut(body, "-- examples\n")
		c.Short, c.Long, c.Example = short, strings.NewReplacer(replace...).Replace(strings.TrimRight(long, "\n")), strings.TrimRight(examples, "\n")
	}
	wantText(root)
}

func wantText(c *cobra.Command) {
	if c.Short == "" {
		panic("no help text of " + c.CommandPath())
	}
	for _, sub := range c.Commands() {
		wantText(sub)
	}
}
