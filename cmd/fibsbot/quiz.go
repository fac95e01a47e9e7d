package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fibsbot/bot/archive/index"
	"fibsbot/cmd/fibsbot/internal/collection"
	"fibsbot/cmd/fibsbot/internal/quiz"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/engine"
	"fibsbot/engine/preset"
	"fibsbot/internal/sanitize"
)

// quizFlags choose questions of an archive.
type quizFlags struct {
	archive archiveFlags
	player  string
	match   string
	filter  quiz.Filter
	parts   engineflags.Engine
}

func newQuizCmd() *cobra.Command {
	var f quizFlags
	var most int
	cmd := cmdline.New("quiz", func(cmd *cobra.Command, _ []string) error {
		return f.with(cmd, func(d *quiz.Deck) error {
			e, p, err := f.engine(cmd)
			if err != nil {
				return err
			}
			defer e.Close()
			t := quiz.Terminal{Deck: d, Engine: e, Preset: p, Filter: f.filter, Most: most, In: cmd.InOrStdin(), Out: sanitize.Writer(cmd.OutOrStdout())}
			return t.Run(cmd.Context())
		})
	})
	f.add(cmd)
	cmd.Flags().Var(bounded.Of(&most, 0, 0, 10000), "questions", "number of questions, 0 for all that are due")
	cmd.AddCommand(newQuizExportCmd(), newQuizSourcesCmd())
	return cmd
}

func (f *quizFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	f.archive.addFolder(cmd.Flags())
	fl.StringVar(&f.filter.From, "source", "", "where questions are from: errors (default), set:NAME or collection:NAME")
	fl.StringVar(&f.player, "player", "", "player: me, any or a name (default me; without archive.me the account of each match)")
	f.addMatch(fl)
	fl.StringVar(&f.filter.Phase, "phase", "", "phase: opening, middle game, race or bear-off")
	fl.StringVar(&f.filter.Plan, "plan", "", "game plan, such as blitz or holding game")
	fl.StringVar(&f.filter.Kind, "kind", "", "kind of question: play, cube, double or take")
	fl.StringVar(&f.filter.Score, "score", "", "money, match, dmp, crawford, post-crawford or points away as 3-5")
	fl.Float64Var(&f.filter.Min, "min-loss", quiz.MinLoss, "smallest loss in equity (EMG)")
	fl.Float64Var(&f.filter.Max, "max-loss", 0, "largest loss in equity (EMG), 0 for any")
	fl.Var(bounded.Of(&f.filter.Worst, 0, 0, 100), "worst", "number of costliest themes to ask about, 0 for all")
	engineflags.AddEngine(cmd, &f.parts)
}

func (f *quizFlags) addMatch(fl *pflag.FlagSet) {
	fl.StringVar(&f.match, "match", "", "`ID` of the match whose errors are asked, or its start (default all)")
}

// with opens the deck of the archive.
func (f *quizFlags) with(cmd *cobra.Command, do func(*quiz.Deck) error) error {
	f.archive.create = strings.HasPrefix(f.filter.From, quiz.FromSet) // ready sets need no match
	err := f.archive.opened(cmd, func(db *index.DB) error {
		d, err := quiz.Of(db)
		if err != nil {
			return err
		}
		switch f.player {
		case "any":
		case "", "me":
			f.filter.Mine = true
			if f.filter.Who, err = f.archive.me(db); err != nil {
				return err
			}
		default:
			f.filter.Who = []string{f.player}
		}
		if f.match != "" {
			row, err := db.Show(cmd.Context(), f.match)
			if err != nil {
				return err
			}
			f.filter.Match = row.ID
		}
		return do(d)
	})
	if errors.Is(err, quiz.ErrFilter) || errors.Is(err, index.ErrNotFound) || errors.Is(err, collection.ErrNotFound) {
		return cmdline.AsUsage(err)
	}
	return err
}

func newQuizExportCmd() *cobra.Command {
	var f quizFlags
	var language languageFlag
	limit := 60
	cmd := cmdline.New("export FILE", func(cmd *cobra.Command, args []string) error {
		format := strings.TrimPrefix(strings.ToLower(filepath.Ext(args[0])), ".")
		if !slices.Contains(quiz.Formats, format) {
			return cmdline.Usagef("%s: unknown kind of file (use a name that ends in .apkg or .html)", args[0])
		}
		c, err := language.open(cmd.ErrOrStderr())
		if err != nil {
			return err
		}
		return f.with(cmd, func(d *quiz.Deck) error {
			return f.export(cmd, d, args[0], limit, quiz.Deal{Format: format, Now: time.Now(), Texts: c})
		})
	})
	f.add(cmd)
	cmd.Flags().Var(bounded.Of(&limit, limit, 1, quiz.MaxExport), "limit", "number of cards")
	language.add(cmd.Flags(), "language of the cards")
	return cmd
}

func (f *quizFlags) export(cmd *cobra.Command, d *quiz.Deck, file string, limit int, o quiz.Deal) error {
	list, err := d.Pool(cmd.Context(), f.filter)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return errors.New("no question fits (analyse matches, or use --source set:openings)")
	}
	list = list[:min(limit, len(list))]
	e, p, err := f.engine(cmd)
	if err != nil {
		return err
	}
	defer e.Close()
	bar := cmdline.Bar(cmd)
	defer bar.Clear()
	o.Title = "fibsbot " + strings.NewReplacer(quiz.FromSet, "", quiz.FromCollection, "").Replace(list[0].From)
	o.Show = func(done, total int) { bar.Show("cards", done, total) }
	err = cmdline.WriteOutput(file, func(w io.Writer) error { return quiz.Export(cmd.Context(), w, e, p, list, o) })
	if err == nil {
		bar.Clear()
		fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: %s: %d cards\n", file, len(list))
	}
	return err
}

func newQuizSourcesCmd() *cobra.Command {
	var f quizFlags
	cmd := cmdline.New("sources", func(cmd *cobra.Command, _ []string) error {
		return f.with(cmd, func(d *quiz.Deck) error { return f.sources(cmd, d) })
	})
	f.archive.addFolder(cmd.Flags())
	f.addMatch(cmd.Flags())
	cmd.Flags().StringVar(&f.player, "player", "", "player: me, any or a name (default me; without archive.me the account of each match)")
	cmdline.AddJSON(cmd)
	return cmd
}

func (f *quizFlags) sources(cmd *cobra.Command, d *quiz.Deck) error {
	ctx, w := cmd.Context(), cmd.OutOrStdout()
	all, err := d.Pool(ctx, f.filter)
	if err != nil {
		return err
	}
	themes, err := d.Themes(ctx, f.filter)
	if err != nil {
		return err
	}
	lists, err := d.Collections.List()
	if err != nil {
		return err
	}
	if cmdline.JSON(cmd) {
		return cmdline.PrintJSON(w, map[string]any{"errors": len(all), "sets": quiz.Sets(), "collections": lists, "themes": themes, "progress": d.Progress()})
	}
	fmt.Fprintf(w, "%-28s %5d\n", "errors", len(all))
	for _, c := range lists {
		fmt.Fprintf(sanitize.Writer(w), "%-28s %5d\n", quiz.FromCollection+c.Name, len(c.Items))
	}
	for _, s := range quiz.Sets() {
		fmt.Fprintf(w, "%-28s %5d\n", quiz.FromSet+s.Name, s.Questions)
	}
	for i, t := range themes {
		if i == 0 {
			fmt.Fprintln(w, "\nThemes of the errors, the costliest first:")
		}
		fmt.Fprintf(w, "%-28s %5d  %.3f lost\n", t.Kind+", "+t.Plan+t.Phase, t.Questions, t.Loss)
	}
	return nil
}

// engine opens the engine that judges, with its preset.
func (f *quizFlags) engine(cmd *cobra.Command) (e *engine.Engine, p preset.Preset, err error) {
	if p, err = preset.ByName("worldclass"); err != nil {
		return nil, p, err
	}
	e, err = f.parts.Open(cmd, 1)
	return e, p, err
}
