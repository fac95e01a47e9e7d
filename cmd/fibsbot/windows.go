package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

// extraFlags are the flags of eval that tell people more about a position.
type extraFlags struct {
	advice.Wanted
	heat string
}

func addExtraFlags(cmd *cobra.Command, f *extraFlags) {
	fl := cmd.Flags()
	fl.BoolVar(&f.Windows, "windows", false, "take, double, cash and too-good points, and gammon prices")
	fl.BoolVar(&f.Counts, "counts", false, "pips, effective pips, Kleinman, Thorp, Keith, Ward and Isight counts")
	fl.StringVar(&f.heat, "map", "", "temperature map of the rolls: text, or a FILE.svg")
	fl.BoolVar(&f.Rolls, "rolls", false, "best play and equities of each of the 21 rolls, market losers")
	fl.BoolVar(&f.Board, "board", false, "draw the board")
}

// check refuses what cannot be before the engine is opened.
func (f *extraFlags) check() error {
	if f.Map = f.heat != ""; f.Map && f.heat != "text" && !strings.HasSuffix(strings.ToLower(f.heat), ".svg") {
		return cmdline.Usagef("--map: unknown format %q (use text or a FILE.svg)", f.heat)
	}
	return nil
}

// collect finds what the flags ask for. probs are the chances of the player on
// roll.
func (f *extraFlags) collect(cmd *cobra.Command, e *engine.Engine, s match.Situation, p preset.Preset, probs eval.Probs) (advice.More, error) {
	x, err := f.Of(cmd.Context(), e, s, p, probs)
	switch {
	case errors.Is(err, advice.ErrWindows):
		return x, cmdline.Usagef("--windows: %v", err)
	case err != nil || !f.Map || f.heat == "text":
		return x, err
	}
	if err := writeFileAtomic(f.heat, []byte(x.Heat.SVG("Equity of each roll, "+s.String()))); err != nil {
		return x, cmdline.AsUsage(fmt.Errorf("--map: %w", err))
	}
	x.Heat = nil
	return x, nil
}
