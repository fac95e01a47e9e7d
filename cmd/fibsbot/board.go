package main

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibsbot/internal/input"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/advice"
	"fibsbot/engine/board"
	"fibsbot/engine/diagram"
	"fibsbot/engine/diagram/picture"
)

func newBoardCmd() *cobra.Command {
	var where input.Position
	var out, play string
	var width int
	var night bool
	cmd := cmdline.New("board POSITION", func(cmd *cobra.Command, args []string) error {
		return eachPosition(cmd, where, args, func(q input.Question, several bool) error {
			s, rules := q.Situation, q.Rules
			if several && out != "" {
				return cmdline.Usagef("--output: a picture shows one position (give it as POSITION, not on stdin)")
			}
			d := diagram.Diagram{Situation: s, Rules: rules, Pips: true, Width: width, Theme: diagram.Plain, Title: s.String()}
			if night {
				d.Theme = diagram.Night
			}
			if play != "" {
				pl, err := rules.ParsePlay(s.Position, s.Dice, play)
				if err != nil {
					return cmdline.Usagef("--play: %s", strings.TrimPrefix(err.Error(), board.ErrBadPlay.Error()+": "))
				}
				d.Arrows = diagram.Steps(pl)
			}
			if out == "" {
				_, err := io.WriteString(cmd.OutOrStdout(), advice.Drawing(rules, s)+advice.Heading(rules, s, q.Assumed)+map[bool]string{true: "\n"}[several])
				return err
			}
			if width < 0 || width > picture.MaxWidth {
				return cmdline.Usagef("--width: %d is not between 1 and %d pixels", width, picture.MaxWidth)
			}
			switch strings.ToLower(filepath.Ext(out)) {
			case ".svg":
				return writeFileAtomic(out, []byte(d.SVG()+"\n"))
			case ".png":
				return cmdline.WriteOutput(out, func(w io.Writer) error { return picture.PNG(w, d) })
			}
			return cmdline.Usagef("--output: unknown picture format %q (use a name that ends in .svg or .png)", out)
		})
	})
	cmd.Args = cobra.MinimumNArgs(1)
	addPositionFlags(cmd, &where)
	fl := cmd.Flags()
	fl.StringVarP(&out, "output", "o", "", "write a picture to this file, .svg or .png")
	where.AddCube(fl)
	where.AddDice(fl, "the roll, as 31")
	fl.StringVar(&play, "play", "", "a play of the roll, drawn as arrows")
	fl.IntVar(&width, "width", 0, "width in pixels (default: 1200 for .png, free for .svg)")
	fl.BoolVar(&night, "dark", false, "colours for a dark page")
	return cmd
}
