package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine"
	"fibsbot/engine/cube"
	"fibsbot/engine/explain"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
	"fibsbot/internal/texts"
)

// whyFlags are the flags of commands that explain the best play or the cube action.
type whyFlags struct {
	form     string // "" for no reason
	language languageFlag
	texts    *texts.Catalogue
}

func (w *whyFlags) add(fl *pflag.FlagSet) {
	fl.StringVar(&w.form, "why", "", "reason in words: short, or long with every fact and its rolls")
	fl.Lookup("why").NoOptDefVal = "short"
	w.language.add(fl, "language of --why")
}

// open reads the flags.
func (w *whyFlags) open(cmd *cobra.Command) (err error) {
	switch {
	case w.form != "" && w.form != "short" && w.form != "long":
		return cmdline.Usagef("--why: unknown form %q (use short or long)", w.form)
	case w.form == "" && w.language.name != "":
		return cmdline.Usagef("--language: only with --why")
	}
	w.texts, err = w.language.open(cmd.ErrOrStderr())
	return err
}

// plays explains the first of list, empty without the flag or a second play.
func (w *whyFlags) plays(ctx context.Context, e *engine.Engine, s match.Situation, list []search.Candidate) (explain.Doc, string, error) {
	if w.form == "" || len(list) < 2 {
		return explain.Doc{}, "", nil
	}
	return w.of(explain.Plays(ctx, e, s, list[0], list[1]))
}

// cube explains a decision, empty without the flag or a cube to turn.
func (w *whyFlags) cube(ctx context.Context, e *engine.Engine, s match.Situation, d cube.Decision) (explain.Doc, string, error) {
	if w.form == "" {
		return explain.Doc{}, "", nil
	}
	return w.of(explain.Cube(ctx, e, s, d))
}

func (w *whyFlags) of(r *explain.Reason, err error) (explain.Doc, string, error) {
	if err != nil || r == nil {
		return explain.Doc{}, "", err
	}
	text := r.Text(w.texts) + "\n"
	if w.form == "long" {
		text = r.Long(w.texts)
	}
	return r.Doc(w.texts), text, nil
}
