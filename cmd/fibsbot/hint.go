package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
)

type moveJSON struct {
	Rank     int        `json:"rank"`
	Move     string     `json:"move"`
	ResultID string     `json:"result_id"`
	Equity   float64    `json:"equity"`
	Diff     float64    `json:"diff"`
	MWC      *float64   `json:"mwc,omitempty"`
	Probs    eval.Probs `json:"probs"`
	Plies    int        `json:"plies"`
	Trials   int        `json:"trials,omitempty"` // of the rollout that judged it
}

type hintJSON struct {
	PositionID string     `json:"position_id"`
	MatchID    string     `json:"match_id"`
	Dice       [2]int     `json:"dice"`
	Moves      []moveJSON `json:"moves"`
}

func newHintCmd() *cobra.Command {
	var strength strengthFlags
	var parts engineFlags
	var dice string
	var most int
	var draw, asJSON bool
	cmd := &cobra.Command{
		Use:   "hint POSITION",
		Short: "Rank the plays of a roll, or weigh the cube before it",
		Long: `With dice (from --dice, or in the Match ID or XGID) the legal plays, best first:
plays that were searched deeper stand before the others. A play so far ahead that the
move filter leaves no other one is not searched deeper, so the best may say 0-ply; a
wider --filter looks closer. Without dice the cube decision. diff is what a play gives
up against the best.`,
		Example: `  fibsbot hint 4HPwATDgc/ABMA --dice 31
  fibsbot hint 4HPwATDgc/ABMA:QYkqASAAIAAA --preset supremo --json
  fibsbot hint 4HPwATDgc/ABMA`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := readSituation(args[0])
			if err != nil {
				return err
			}
			if dice != "" {
				if s.Dice, err = readDice(dice); err != nil {
					return err
				}
			}
			if most < 0 {
				return usagef("--max: %d is negative", most)
			}
			p, err := strength.resolve(cmd)
			if err != nil {
				return err
			}
			e, err := parts.open(cmd, strength.seed)
			if err != nil {
				return err
			}
			defer e.Close()
			w := cmd.OutOrStdout()
			if draw && !asJSON {
				if _, err := io.WriteString(w, drawSituation(s)); err != nil {
					return err
				}
			}
			if !s.Dice.Valid() {
				d, err := e.CubeDecision(cmd.Context(), s.Position, s.State, p)
				if err != nil {
					return err
				}
				out := evalJSON{
					PositionID: s.Position.ID(), MatchID: s.MatchID(), Class: eval.ClassOf(&s.Position).String(),
					Probs: d.Probs, Cubeless: d.Cubeless, Cubeful: d.Cubeful, Plies: d.Plies, Cube: cubeOf(d, s.State),
				}
				if asJSON {
					return printJSON(w, out)
				}
				if out.Cube == nil {
					_, err = fmt.Fprintln(w, "no cube decision here")
					return err
				}
				return out.print(w, d, s.State)
			}
			list, err := e.RankPlays(cmd.Context(), s.Position, s.Dice, s.State, p)
			if err != nil {
				return err
			}
			out := hintOf(s, list)
			if most > 0 && len(out.Moves) > most {
				out.Moves = out.Moves[:most]
			}
			if asJSON {
				return printJSON(w, out)
			}
			return out.print(w)
		},
	}
	addStrengthFlags(cmd, &strength, "worldclass")
	addPresetsFlag(cmd, &strength.config)
	addEngineFlags(cmd, &parts)
	cmd.Flags().StringVar(&dice, "dice", "", "the roll, as 31")
	cmd.Flags().IntVar(&most, "max", 0, "print at most this many plays, 0 for all")
	cmd.Flags().BoolVar(&draw, "board", false, "draw the board above the list")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func hintOf(s match.Situation, list []search.Candidate) hintJSON {
	d := s.Dice.Sorted()
	out := hintJSON{PositionID: s.Position.ID(), MatchID: s.MatchID(), Dice: [2]int{int(d.A), int(d.B)}, Moves: []moveJSON{}}
	for i, c := range list {
		m := moveJSON{
			Rank: i + 1, Move: board.FormatPlay(s.Position, c.Play), ResultID: c.Play.Result.Swap().ID(),
			Equity: c.Equity, Diff: c.Equity - list[0].Equity, Probs: c.Probs, Plies: c.Plies, Trials: c.Trials,
		}
		if s.State.Length > 0 {
			mwc := c.MWC
			m.MWC = &mwc
		}
		out.Moves = append(out.Moves, m)
	}
	return out
}

func (h *hintJSON) print(w io.Writer) error {
	if len(h.Moves) == 0 {
		_, err := fmt.Fprintln(w, "no legal play")
		return err
	}
	text := fmt.Sprintf("%s roll %d%d\n", h.PositionID, h.Dice[0], h.Dice[1])
	for _, m := range h.Moves {
		depth := fmt.Sprintf("%d-ply", m.Plies)
		if m.Trials > 0 {
			depth = fmt.Sprintf("r%d", m.Trials)
		}
		text += fmt.Sprintf("%3d. %-5s  %-24s %+.4f", m.Rank, depth, m.Move, m.Equity)
		if m.Rank > 1 {
			text += fmt.Sprintf(" (%+.4f)", m.Diff)
		}
		if m.MWC != nil {
			text += fmt.Sprintf("  %.2f%%", 100**m.MWC)
		}
		text += fmt.Sprintf("\n     %.3f %.3f %.3f - %.3f %.3f %.3f\n", m.Probs[0], m.Probs[1], m.Probs[2], 1-m.Probs[0], m.Probs[3], m.Probs[4])
	}
	_, err := io.WriteString(w, text)
	return err
}
