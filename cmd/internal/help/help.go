// Package help prints the help of commands for a terminal of 80 columns: what to type
// first, then the text, the examples, and commands and flags in named groups.
package help

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Width is how many columns every line of help fits into.
const Width = 80

// Group is a heading with the commands or flags below it.
type Group struct {
	Title string
	Names []string
}

// Style says how the help of one program reads.
type Style struct {
	Commands []Group           // of the root; other commands are listed without headings
	Flags    []Group           // used by commands with more than Few flags; a name may be "rollout seed"
	Few      int               // up to so many flags are one list
	Values   map[string]string // what a flag's value is called, by its name or "command name"
	Footer   string            // last lines of the root's help
}

// Install makes every command below root print its help in this style.
func (s *Style) Install(root *cobra.Command) {
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		cmd.InitDefaultHelpFlag()
		// Cobra gives a help function no way to return an error; a closed pipe ends the process.
		_ = s.Print(cmd.OutOrStdout(), cmd)
	})
}

// Print writes the help of cmd.
func (s *Style) Print(w io.Writer, cmd *cobra.Command) error {
	var b strings.Builder
	long := cmp.Or(cmd.Long, cmd.Short)
	if cmd.HasParent() {
		if long = cmd.Long; cmd.Short != "" {
			b.WriteString(wrap(cmd.Short, Width) + "\n\n")
		}
		fmt.Fprintf(&b, "Usage: %s\n", usage(cmd))
		if len(cmd.Aliases) > 1 || len(cmd.Aliases) == 1 && cmd.Aliases[0] != cmd.Name() {
			fmt.Fprintf(&b, "Other name: %s\n", strings.Join(cmd.Aliases, ", "))
		}
		if long != "" {
			b.WriteString("\n" + wrap(long, Width) + "\n")
		}
		if cmd.Example != "" {
			b.WriteString("\nExamples:\n" + strings.TrimRight(cmd.Example, "\n") + "\n")
		}
	} else {
		b.WriteString(wrap(long, Width) + "\n\n")
		fmt.Fprintf(&b, "Usage: %s COMMAND [ARGUMENTS] [FLAGS]\n", cmd.Name())
	}
	s.commands(&b, cmd)
	if cmd.HasParent() {
		s.flags(&b, cmd)
	} else if s.Footer != "" {
		b.WriteString("\n" + s.Footer + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// usage is the line to type, with the flags that must be given.
func usage(cmd *cobra.Command) string {
	line := cmd.CommandPath()
	if _, arguments, ok := strings.Cut(cmd.Use, " "); ok {
		line += " " + arguments
	}
	if cmd.HasAvailableSubCommands() {
		own := false
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) { own = own || f.Name != "help" })
		if !own {
			return line + " COMMAND [flags]"
		}
	}
	return line + " [flags]"
}

func (s *Style) commands(b *strings.Builder, cmd *cobra.Command) {
	var all []*cobra.Command
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		return
	}
	width := 0
	for _, c := range all {
		width = max(width, len(c.Name()))
	}
	row := func(c *cobra.Command) { hang(b, "  "+c.Name(), 2+width+2, c.Short) }
	if cmd.HasParent() {
		b.WriteString("\nCommands:\n")
		for _, c := range all {
			row(c)
		}
		return
	}
	var rest []string
	for _, g := range s.Commands {
		fmt.Fprintf(b, "\n%s\n", g.Title)
		for _, name := range g.Names {
			if i := slices.IndexFunc(all, func(c *cobra.Command) bool { return c.Name() == name }); i >= 0 {
				row(all[i])
			}
		}
	}
	for _, c := range all {
		if !slices.ContainsFunc(s.Commands, func(g Group) bool { return slices.Contains(g.Names, c.Name()) }) {
			rest = append(rest, c.Name())
		}
	}
	if len(rest) > 0 {
		fmt.Fprintf(b, "\nOther commands: %s\n", strings.Join(rest, ", "))
	}
}

// flags writes the flags of cmd, those that must be given first. A command with many
// has them in groups, each with its heading.
func (s *Style) flags(b *strings.Builder, cmd *cobra.Command) {
	var own []*pflag.Flag
	add := func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" {
			own = append(own, f)
		}
	}
	cmd.LocalFlags().VisitAll(add)
	var groups []Group
	if len(own) > s.Few {
		groups = s.Flags
	}
	in := func(f *pflag.Flag) string {
		for _, name := range []string{Path(cmd) + " " + f.Name, f.Name} {
			for _, g := range groups {
				if slices.Contains(g.Names, name) {
					return g.Title
				}
			}
		}
		return ""
	}
	s.list(b, cmd, "Flags", own, func(f *pflag.Flag) bool { return in(f) == "" })
	for _, g := range groups {
		place := func(f *pflag.Flag) int {
			if i := slices.Index(g.Names, Path(cmd)+" "+f.Name); i >= 0 {
				return i
			}
			return slices.Index(g.Names, f.Name)
		}
		slices.SortStableFunc(own, func(a, b *pflag.Flag) int { return cmp.Compare(place(a), place(b)) })
		s.list(b, cmd, g.Title, own, func(f *pflag.Flag) bool { return in(f) == g.Title })
	}
	own = nil
	cmd.InheritedFlags().VisitAll(add)
	s.list(b, cmd, "Flags of all "+strings.TrimPrefix(cmd.Parent().CommandPath(), cmd.Root().Name()+" ")+" commands", own, func(*pflag.Flag) bool { return true })
}

// Path is the name of a command without that of its program.
func Path(cmd *cobra.Command) string {
	_, path, _ := strings.Cut(cmd.CommandPath(), " ")
	return path
}

func (s *Style) list(b *strings.Builder, cmd *cobra.Command, title string, all []*pflag.Flag, fits func(*pflag.Flag) bool) {
	var flags []*pflag.Flag
	for _, f := range all {
		if fits(f) {
			flags = append(flags, f)
		}
	}
	if len(flags) == 0 {
		return
	}
	slices.SortStableFunc(flags, func(a, b *pflag.Flag) int {
		return cmp.Compare(len(b.Annotations[cobra.BashCompOneRequiredFlag]), len(a.Annotations[cobra.BashCompOneRequiredFlag]))
	})
	heads := make([]string, len(flags))
	width := 0
	for i, f := range flags {
		heads[i] = "      --" + f.Name
		if f.Shorthand != "" {
			heads[i] = "  -" + f.Shorthand + ", --" + f.Name
		}
		if value := s.Value(cmd, f); value != "" {
			heads[i] += value
		}
		width = max(width, len(heads[i])+2)
	}
	width = min(width, 30)
	fmt.Fprintf(b, "\n%s:\n", title)
	for i, f := range flags {
		_, text := pflag.UnquoteUsage(f)
		if d := defaultOf(f); d != "" && !strings.Contains(text, "(default ") {
			text += " (default " + d + ")"
		}
		hang(b, heads[i], width, text)
	}
}

// Value returns what follows a flag's name: " FILE", "[=V]" or nothing.
func (s *Style) Value(cmd *cobra.Command, f *pflag.Flag) string {
	kind, _ := pflag.UnquoteUsage(f)
	quoted := strings.Contains(f.Usage, "`")
	value, named := s.Values[Path(cmd)+" "+f.Name]
	if !named {
		value, named = s.Values[f.Name]
	}
	switch {
	case f.NoOptDefVal != "" && f.Value.Type() == "bool":
		return ""
	case quoted:
		value = kind
	case !named:
		switch kind {
		case "int", "uint", "count":
			value = "N"
		case "float":
			value = "X"
		case "duration":
			value = "TIME"
		case "strings", "stringArray":
			value = "NAME"
		case "float64Slice":
			value = "X,X"
		default:
			value = "TEXT"
		}
	}
	if f.NoOptDefVal != "" {
		return "[=" + value + "]"
	}
	return " " + value
}

// defaultOf is a flag's default as a person writes it, or "" for none.
func defaultOf(f *pflag.Flag) string {
	switch d := f.DefValue; {
	case d == "" || d == "false" || d == "0" || d == "0s" || d == "[]":
		return ""
	case f.Value.Type() == "duration":
		d = strings.TrimSuffix(d, "0s")
		if strings.HasSuffix(d, "h0m") {
			d = strings.TrimSuffix(d, "0m")
		}
		return cmp.Or(d, f.DefValue)
	default:
		return d
	}
}

// hang writes head and text beside it from column indent on; a head that is too long
// has its text on the next line.
func hang(b *strings.Builder, head string, indent int, text string) {
	lines := strings.Split(wrap(text, Width-indent), "\n")
	if len(head)+2 > indent {
		b.WriteString(head + "\n" + strings.Repeat(" ", indent))
	} else {
		b.WriteString(head + strings.Repeat(" ", indent-len(head)))
	}
	for i, line := range lines {
		if i > 0 {
			b.WriteString(strings.Repeat(" ", indent))
		}
		b.WriteString(line + "\n")
	}
}

// wrap breaks the paragraphs of a text at width. Lines that begin with a blank, such as
// tables, stay as they are; the last column of one that is too long continues below itself.
func wrap(text string, width int) string {
	var out []string
	var words []string
	flush := func() {
		line := ""
		for _, w := range words {
			if line != "" && len([]rune(line))+1+len([]rune(w)) > width {
				out = append(out, line)
				line = ""
			}
			if line != "" {
				line += " "
			}
			line += w
		}
		if line != "" {
			out = append(out, line)
		}
		words = nil
	}
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		if line == "" || line[0] == ' ' || line[0] == '\t' {
			flush()
			if at := strings.LastIndex(line, "  ") + 2; len(line) > width {
				var b strings.Builder
				hang(&b, line[:at-2], at, line[at:])
				line = strings.TrimSuffix(b.String(), "\n")
			}
			out = append(out, line)
			continue
		}
		words = append(words, strings.Fields(line)...)
	}
	flush()
	return strings.Join(out, "\n")
}
