package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/engine/tune"
)

func newTuneImportCmd() *cobra.Command {
	var parts engineFlags
	var out string
	cmd := &cobra.Command{
		Use:   "import LOG...",
		Short: "Take duels by differences into a results file",
		Long: `Adds the pairs in logs of fibsbot duel A B --differences --matches N --length L
--log LOG to a results file, made where it is not there. Such a duel values only the
decisions at which the two presets differ, which tells apart presets that mostly agree;
the fit (fibsbot tune report) takes it as an observation beside the matches played.

A log that has grown may be taken in again: only its new pairs are added. Nothing is added when a log is refused,
as those of another engine, other nets or a preset that was redefined since are.`,
		Example: `  fibsbot duel supremo worldclass --differences --matches 40 --length 5 --log sw5.jsonl
  fibsbot tune import sw5.jsonl -o all.results
  fibsbot tune report all.results --residuals`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			logs := make([]*valuedDuel, len(args))
			for i, path := range args {
				var err error
				if logs[i], err = openValuedDuel(path); err != nil {
					return asUsage(fmt.Errorf("%s: %w", path, err))
				}
			}
			parts.threads = 1
			e, err := parts.open(cmd, 1)
			if err != nil {
				return err
			}
			defer e.Close()
			nets, sign, err := identify(cmd.Context(), e)
			if err != nil {
				return err
			}
			for i, l := range logs {
				if h := &l.header; h.Nets != nets || h.Signature != sign {
					return usagef("%s: played by engine %.40q with nets %.40q, this one is %q with %q", args[i], h.Signature, h.Nets, sign, nets)
				}
			}
			// The seed of a results file decides what is played for it and has no part
			// in this: any file will do.
			seed, block := uint64(1), defaultBlock
			if store, _, err := readResults(out); err == nil {
				seed, block = store.Header.Seed, store.Header.BlockSize
			}
			store, file, err := openResults(cmd.Context(), brainOf(e), out, seed, block)
			if err != nil {
				return err
			}
			defer file.Close()
			var text, report bytes.Buffer
			for i, l := range logs {
				took, err := store.AddDifferences(l.cell, l.differences, l.presets, l.pairs)
				if err != nil {
					return asUsage(fmt.Errorf("%s: %w", args[i], err))
				}
				for _, b := range took.Added {
					line, err := tune.Line(b)
					if err != nil {
						return fmt.Errorf("keep results: %w", err)
					}
					text.Write(line)
				}
				fmt.Fprintf(&report, "%s: %s: %d pairs added, %d there already\n", args[i], took.Cell, len(took.Added), took.There)
			}
			if _, err = file.Write(text.Bytes()); err == nil {
				err = file.Sync()
			}
			if err != nil {
				return fmt.Errorf("keep results: %w", err)
			}
			fmt.Fprintf(&report, "%s: %d blocks, %d matches\n", out, store.Len(), store.Matches())
			for i, l := range logs {
				if l.header.Settings == ([2]string{}) {
					fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: %s: an older log: it cannot tell whether %s or %s was redefined since\n", args[i], l.header.A, l.header.B)
				}
			}
			_, err = report.WriteTo(cmd.OutOrStdout())
			return err
		},
	}
	addEngineFlags(cmd, &parts)
	cmd.Flags().StringVarP(&out, "output", "o", "tune.results", "results file, made or added to")
	return cmd
}

// valuedDuel is the log of a duel by differences.
type valuedDuel struct {
	header      duelHeader
	cell        tune.Cell
	differences tune.Differences
	presets     tune.Fingerprints // empty in an older log
	pairs       map[int]tune.Valued
}

func openValuedDuel(path string) (*valuedDuel, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxDuelLog+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxDuelLog {
		return nil, fmt.Errorf("longer than %d MiB", maxDuelLog>>20)
	}
	return readValuedDuel(data)
}

// readValuedDuel reads the log of a duel by differences in matches. A last line
// without its end is that of a duel which is still being played, or was killed, and
// is passed over. Errors name the line.
func readValuedDuel(data []byte) (*valuedDuel, error) {
	l := &valuedDuel{pairs: map[int]tune.Valued{}}
	for n := 1; ; n++ {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		if !whole {
			if n == 1 {
				return nil, errors.New("line 1: no log of a duel")
			}
			return l, nil
		}
		data = rest
		var err error
		if n == 1 {
			err = l.readHeader(line)
		} else {
			err = l.readPair(line)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
}

func (l *valuedDuel) readHeader(line []byte) error {
	h := &l.header
	err := decodeLine(line, h)
	switch {
	case h.Version == 0:
		return errors.New("no log of a duel")
	case h.Version != duelLogVersion:
		return fmt.Errorf("log of format %d, this program reads %d", h.Version, duelLogVersion)
	case err != nil:
		return err
	case h.Trials < 1:
		return errors.New("a duel without --differences")
	case h.Length == 0:
		return errors.New("a duel of money games, ratings are about matches")
	case h.Overrides != "":
		return fmt.Errorf("%.40q played with %.60q", h.A, h.Overrides)
	case h.Cubeless:
		return errors.New("a duel without the cube")
	}
	for _, side := range [...]struct {
		name string
		to   *tune.Setting
	}{{h.A, &l.cell.A}, {h.B, &l.cell.B}} {
		if strings.HasPrefix(side.name, "cmd:") {
			return fmt.Errorf("%.60q is another engine", side.name)
		}
		if *side.to, err = tune.ParseSetting(side.name); err != nil {
			return err
		}
	}
	if h.Settings != ([2]string{}) {
		for i, side := range [...]tune.Setting{l.cell.A, l.cell.B} {
			if now, err := side.Fingerprint(); err != nil || now != h.Settings[i] {
				return fmt.Errorf("%.40q was redefined since: it played with settings %.16q and has %q now", [...]string{h.A, h.B}[i], h.Settings[i], now)
			}
		}
		l.presets = l.cell.Fingerprints()
	}
	l.cell.Length = h.Length
	l.differences = tune.Differences{Seed: h.Seed, Trials: h.Trials}
	// What the cell is kept as is what must make sense.
	return tune.NewCell(l.cell.A, l.cell.B, l.cell.Length).Validate()
}

// valuedLine is a duelLine that can tell what is missing in it.
type valuedLine struct {
	Pair   *int      `json:"pair"`
	Result []float64 `json:"result"`
	Luck   []float64 `json:"luck"`
	Games  int       `json:"games"`
	Edge   []float64 `json:"edge"`
	Differ *int      `json:"differ"`
}

// maxEdge bounds what one match's differences add up to, in matches: far above
// anything real, and far below damage.
const maxEdge = 10

func (l *valuedDuel) readPair(line []byte) error {
	var p valuedLine
	if err := decodeLine(line, &p); err != nil {
		return err
	}
	if p.Pair == nil || p.Differ == nil || len(p.Result) != 2 || len(p.Luck) != 2 || len(p.Edge) != 2 {
		return errors.New("not all of a pair")
	}
	if *p.Pair < 0 || *p.Pair > 1<<30 {
		return fmt.Errorf("pair %d", *p.Pair)
	}
	if _, twice := l.pairs[*p.Pair]; twice {
		return fmt.Errorf("pair %d a second time", *p.Pair)
	}
	if p.Games < 2 || p.Games > 1<<20 || *p.Differ < 0 {
		return fmt.Errorf("%d games and %d differences", p.Games, *p.Differ)
	}
	for i, edge := range p.Edge {
		if math.Abs(p.Result[i]) != 1 {
			return fmt.Errorf("%v is no result of a match", p.Result[i])
		}
		if math.Abs(edge) > maxEdge || *p.Differ == 0 && edge != 0 {
			return fmt.Errorf("an edge of %v by %d differences", edge, *p.Differ)
		}
	}
	// Half of the mean: edges are on the scale of results, from -1 to 1.
	l.pairs[*p.Pair] = tune.Valued{Edge: (p.Edge[0] + p.Edge[1]) / 4, Games: p.Games}
	return nil
}

// decodeLine reads one line of JSON, which holds nothing else.
func decodeLine(line []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return fmt.Errorf("damaged: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("damaged: more than one value")
	}
	return nil
}
