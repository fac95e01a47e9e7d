package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"

	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/config"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/tune"
	"fibsbot/engine/tune/chart"
	"fibsbot/engine/tune/human"
	"fibsbot/internal/atomicfile"
)

type strengthJSON struct {
	Rating float64    `json:"target_rating"`
	Length int        `json:"length"`
	Style  tune.Style `json:"style"`
	// Character is empty for the average player.
	Character    human.Character `json:"character,omitempty"`
	Setting      string          `json:"setting"`
	Plies        int             `json:"plies"`
	Share        float64         `json:"share"` // of the decisions that look ahead
	CheckerNoise float64         `json:"checker_noise"`
	CubeNoise    float64         `json:"cube_noise"`
	HumanChecker float64         `json:"human_checker"`
	HumanCube    float64         `json:"human_cube"`
	Filter       string          `json:"filter"`
	Trials       int             `json:"rollout_trials,omitempty"` // in which close choices are rolled out
	Expected     float64         `json:"expected_rating"`
	Low          float64         `json:"low"`
	High         float64         `json:"high"`
	Written      string          `json:"written,omitempty"`
	Preset       string          `json:"preset,omitempty"`
}

func newTuneCmd() *cobra.Command {
	var o tune.Order
	var style, character, table, write, name string
	cmd := cmdline.New("tune", func(cmd *cobra.Command, _ []string) error {
		if !cmd.Flags().Changed("target-rating") {
			return cmdline.Usagef("tune: no rating (give --target-rating R)")
		}
		if (write == "") != (name == "") {
			return cmdline.Usagef("--write, --as: give both or none")
		}
		if o.Length < 0 || o.Length > match.MaxLength {
			return cmdline.Usagef("--length: %d is not a match length (1 to %d, 0 for money)", o.Length, match.MaxLength)
		}
		if style != string(tune.Noise) && style != string(tune.Human) {
			return cmdline.Usagef("--style: unknown style %q (use noise or human)", style)
		}
		surface, err := engineflags.ReadSurface(table)
		if err != nil {
			return err
		}
		o.Style, o.Character = tune.Style(style), human.Character(character)
		if !o.Character.Known() || o.Character != human.Plain && o.Style != tune.Human {
			return cmdline.Usagef("--character: style %s with character %q (use human with %s)", style, character, human.CharacterNames())
		}
		found, err := surface.Find(o)
		if errors.Is(err, tune.ErrOutOfReach) || errors.Is(err, tune.ErrSetting) || errors.Is(err, match.ErrScore) {
			return cmdline.Usagef("--target-rating: %v", err)
		}
		if err != nil {
			return err
		}
		out := strengthJSON{
			Rating: o.Rating, Length: o.Length, Style: o.Style, Character: o.Character, Setting: found.Setting.String(),
			Plies: found.Preset.Checker.Plies, Share: 1, CheckerNoise: found.Preset.Checker.Noise, CubeNoise: found.Preset.Cube.Noise,
			HumanChecker: found.Preset.Human.Checker, HumanCube: found.Preset.Human.Cube, Filter: found.Preset.Checker.Filter.Name, Trials: found.Preset.Close.Trials,
			Expected: found.Rating.Estimate, Low: found.Rating.Low, High: found.Rating.High,
		}
		if found.Setting.Share > 0 {
			out.Share = found.Setting.Share
		}
		if write != "" {
			if err := writePreset(write, name, found.Setting); err != nil {
				return err
			}
			out.Written, out.Preset = write, name
		}
		return cmdline.Answer(cmd, out, out.text())
	})
	fl := cmd.Flags()
	fl.Float64Var(&o.Rating, "target-rating", 0, "FIBS rating to play at")
	fl.IntVar(&o.Length, "length", 5, "match length in points, 0 for money")
	fl.StringVar(&style, "style", string(tune.Human), "how errors are made: human or noise")
	fl.StringVar(&character, "character", "", "how errors of the style human lean: "+human.CharacterNames())
	fl.Float64Var(&o.Cube, "cube-error", -1, "amount of error of cube decisions; negative for that of checker play")
	fl.StringVar(&table, "table", "", "table of measured strength instead of the built-in one")
	fl.StringVar(&write, "write", "", "configuration file to add the preset to")
	fl.StringVar(&name, "as", "", "name of the preset for --write")
	cmdline.AddJSON(cmd)
	cmd.AddCommand(newTuneReportCmd())
	return cmd
}

func (s *strengthJSON) text() string {
	text := fmt.Sprintf("Expected rating %.0f %s, 90 %% interval %.0f to %.0f, as %s\n", s.Expected, tune.AtLength(s.Length), s.Low, s.High, s.Setting)
	switch {
	case s.HumanChecker > 0 || s.HumanCube > 0:
		text += fmt.Sprintf("0 plies, human errors: checker %.4g, cube %.4g\n", s.HumanChecker, s.HumanCube)
	case s.Share < 1:
		text += fmt.Sprintf("%d plies in %.4g %% of the decisions, 0 plies in the others, no noise, filter %s\n", s.Plies, 100*s.Share, s.Filter)
	case s.Trials > 0:
		text += fmt.Sprintf("%d plies, no noise, filter %s; close plays and cube decisions are rolled out, plays in up to %d trials\n", s.Plies, s.Filter, s.Trials)
	default:
		text += fmt.Sprintf("%d plies, noise: checker %.4g, cube %.4g, filter %s\n", s.Plies, s.CheckerNoise, s.CubeNoise, s.Filter)
	}
	if s.Written != "" {
		text += fmt.Sprintf("preset %s written to %s\n", s.Preset, s.Written)
	}
	return text
}

func newTuneReportCmd() *cobra.Command {
	var chartFile string
	cmd := cmdline.New("report", func(cmd *cobra.Command, _ []string) error {
		if err := cmdline.WantParent("--chart", chartFile); err != nil {
			return err
		}
		surface, err := tune.Measured()
		if err != nil {
			return err
		}
		if chartFile != "" {
			if err := chart.WriteFile(chartFile, surface); err != nil {
				return cmdline.AsUsage(err)
			}
		}
		return cmdline.AnswerBy(cmd, surface.Table, surface.Print)
	})
	fl := cmd.Flags()
	fl.StringVar(&chartFile, "chart", "", "draw rating against error, as .svg or .png")
	cmdline.AddJSON(cmd)
	return cmd
}

var presetName = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,39}$`)

// writePreset adds or replaces a preset in a configuration file and keeps the rest of
// the file, comments too.
func writePreset(path, name string, s tune.Setting) error {
	if !presetName.MatchString(name) {
		return cmdline.Usagef("--as: %.60q is not a preset name (use lower case letters, digits, - and _, a letter first)", name)
	}
	if _, err := preset.ByName(name); err == nil {
		return cmdline.Usagef("--as: %s is a built-in preset (choose another name)", name)
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return cmdline.Usagef("--write: %w (fibsbot config init writes one)", err)
	}
	if err != nil {
		return fmt.Errorf("--write: %w", err)
	}
	out, err := config.WithPreset(data, name, keysOf(s))
	if err != nil {
		return cmdline.Usagef("--write: %s: %w", path, err)
	}
	return atomicfile.WriteBytes(path, 0o644, out)
}

// presetKeys are the keys of a preset in bot.yaml.
type presetKeys struct {
	Base    string             `yaml:"base"`
	Checker map[string]float64 `yaml:"checker,flow,omitempty"`
	Cube    map[string]float64 `yaml:"cube,flow,omitempty"`
	Style   tune.Style         `yaml:"style,omitempty"`
	// Character is one of the style human.
	Character human.Character `yaml:"character,omitempty"`
}

// keysOf returns a setting as keys.
func keysOf(s tune.Setting) presetKeys {
	if s.Deep == "" {
		k := presetKeys{Base: "expert", Checker: map[string]float64{"noise": s.Checker}, Cube: map[string]float64{"noise": s.Cube}}
		if s.Style == tune.Human {
			k.Style, k.Character = s.Style, s.Character // the amounts are for the human style
		}
		return k
	}
	k := presetKeys{Base: s.Deep}
	if s.Share > 0 {
		k.Checker, k.Cube = map[string]float64{"share": s.Share}, map[string]float64{"share": s.Share}
	}
	return k
}
