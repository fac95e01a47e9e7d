// Package doccheck finds the commands that pages and help texts show, and checks them
// against the command tree of a program. Only tests use it.
package doccheck

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Command is a command that a page or a help text shows.
type Command struct {
	Where string // file and line
	Text  string // after the program's name
	Whole bool   // in a block to copy: its arguments are complete
}

// finder finds the commands of one program.
type finder struct{ program *regexp.Regexp }

func newFinder(program string) finder {
	// Before the program a line may have a prompt, variables, nice, the times of cron or a
	// container.
	return finder{regexp.MustCompile(`^(?:\s|[\w-]+\$ |[A-Z_]+=\S* |nice |-n |[0-9]+ |\* |do |ExecStart=|source <\(|buildah run \$c -- )*(?:\./|go run \./cmd/|/usr/local/bin/|/)?` + program + `(?:[ \t]+|$)`)}
}

var (
	belowZero   = regexp.MustCompile(`^-[0-9.]+$`)
	inCode      = regexp.MustCompile("`([^`]+)`")
	placeholder = regexp.MustCompile(`^[A-Z][A-Z_.:-]*[0-9]?$|\.\.\.`)
)

// commandsIn finds the commands of a page: in blocks, and in code spans that begin with
// the program.
func (f finder) commandsIn(name, page string) (out []Command) {
	lines := strings.Split(page, "\n")
	fenced := false
	for i := 0; i < len(lines); i++ {
		line, at := lines[i], fmt.Sprintf("%s:%d", name, i+1)
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			continue
		}
		if fenced || strings.HasPrefix(line, "    ") {
			for strings.HasSuffix(line, "\\") && i+1 < len(lines) {
				i++
				line = strings.TrimSuffix(line, "\\") + " " + strings.TrimSpace(lines[i])
			}
			out = append(out, f.split(at, line, true)...)
			continue
		}
		for _, span := range inCode.FindAllStringSubmatch(line, -1) {
			if at := f.program.FindStringIndex(span[1]); at != nil && !strings.HasPrefix(span[1], "-") {
				out = append(out, f.split(fmt.Sprintf("%s:%d", name, i+1), span[1], false)...)
			}
		}
	}
	return out
}

// split finds the commands in a line of a shell.
func (f finder) split(at, line string, whole bool) (out []Command) {
	for _, part := range regexp.MustCompile(`&&|;|\|`).Split(comment.ReplaceAllString(line, ""), -1) {
		if found := f.program.FindStringIndex(part); found != nil {
			text := part[found[1]:]
			if i := strings.IndexAny(text, "<>)"); i >= 0 && !strings.Contains(text, "$(") {
				text = text[:i] + " <" // its input or output is redirected: it is not run here
			}
			out = append(out, Command{at, strings.TrimSpace(text), whole})
		}
	}
	return out
}

var comment = regexp.MustCompile(`\s#( .*)?$`)

// Words splits a command as a shell does, without substitutions.
func Words(text string) (out []string) {
	for _, w := range regexp.MustCompile(`"[^"]*"|'[^']*'|[^\s"']+("[^"]*"|'[^']*')?`).FindAllString(text, -1) {
		out = append(out, strings.NewReplacer(`"`, "", `'`, "").Replace(w))
	}
	return out
}

// Check parses the command against the real tree: command and flags exist, values can be
// read, and a whole command has the number of arguments that it takes.
func (s Command) Check(root *cobra.Command) error {
	var args []string
	for _, w := range Words(s.Text) {
		if w = strings.Trim(w, "[]"); w != "" && w != "<" {
			args = append(args, w)
		}
	}
	cmd, rest, err := root.Find(args)
	if err != nil {
		return err
	}
	if cmd == root && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		return fmt.Errorf("no such command")
	}
	var positional []string
	for i := 0; i < len(rest); i++ {
		w := rest[i]
		if !strings.HasPrefix(w, "-") || w == "-" || w == "--" || belowZero.MatchString(w) {
			positional = append(positional, w)
			continue
		}
		name, value, has := strings.Cut(w, "=")
		var f *pflag.Flag
		if strings.HasPrefix(name, "--") {
			if f = cmd.Flag(name[2:]); f == nil && slices.Contains([]string{"--help", "--version"}, name) {
				continue
			}
		} else if len(name) != 2 {
			return fmt.Errorf("%s is not a flag", name)
		} else if f = cmd.Flags().ShorthandLookup(name[1:]); f == nil {
			f = cmd.InheritedFlags().ShorthandLookup(name[1:])
		}
		if f == nil {
			return fmt.Errorf("%s has no flag %s", cmd.CommandPath(), name)
		}
		switch {
		case has:
		case f.NoOptDefVal != "":
			value = f.NoOptDefVal
		case i+1 == len(rest) && !s.Whole:
			continue // the flag is named, not used
		case i+1 == len(rest):
			return fmt.Errorf("%s needs a value", name)
		default:
			i++
			value = rest[i]
		}
		if placeholder.MatchString(value) {
			continue
		}
		if err := f.Value.Set(value); err != nil {
			return fmt.Errorf("%s %s: %w", name, value, err)
		}
	}
	open := slices.ContainsFunc(positional, func(w string) bool { return strings.ContainsAny(w, "*$") || strings.Contains(w, "...") })
	if open || !s.Whole && len(positional) == 0 {
		return nil
	}
	return cmd.ValidateArgs(positional)
}

// All returns the commands of root's program that the README, the pages of docs and the
// examples of its help texts show. top is the folder of the module.
func All(root *cobra.Command, top string) (all []Command, err error) {
	f := newFinder(root.Name())
	err = Pages(top, []string{"README.md", "SECURITY.md", "docs/*.md", "docs/*/README.md"}, func(page, text string) {
		if page == "docs/cli.md" {
			return // made from the commands
		}
		for _, c := range f.commandsIn(page, text) {
			c.Whole = c.Whole || page == "README.md" // its tables hold whole commands
			all = append(all, c)
		}
	})
	if err != nil {
		return nil, err
	}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for line := range strings.SplitSeq(strings.ReplaceAll(c.Example, "\\\n", " "), "\n") {
			all = append(all, f.split("help of "+c.CommandPath(), explained(line), true)...)
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
	return all, nil
}

// Open reports whether part of the command is left to the reader: placeholders, variables,
// redirections.
func (s Command) Open() bool {
	return !s.Whole || strings.ContainsAny(s.Text, "<*$[") || slices.ContainsFunc(Words(s.Text), placeholder.MatchString)
}

// examplePause is the gap between an example and its explanation.
var examplePause = regexp.MustCompile(`(\S) {3,}\S.*$`)

// explained is an example without its explanation.
func explained(line string) string { return examplePause.ReplaceAllString(line, "$1") }

// Pages calls each with the path and the text of every file below top that fits a pattern.
func Pages(top string, patterns []string, each func(page, text string)) error {
	for _, pattern := range patterns {
		names, err := filepath.Glob(filepath.Join(top, pattern))
		if err != nil {
			return err
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			page, err := filepath.Rel(top, name)
			if err != nil {
				return err
			}
			each(filepath.ToSlash(page), string(data))
		}
	}
	return nil
}
