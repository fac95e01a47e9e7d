package train

import (
	"bytes"
	_ "embed"
)

//go:embed testdata/decisions.bin.gz
var decisionsFile []byte

//go:embed testdata/valid.grp.gz
var validFile []byte

//go:embed testdata/values-backgame.grp.gz
var backgamesFile []byte

//go:embed testdata/values-varied.grp.gz
var variedFile []byte

// BenchValues returns positions that fibsbot-20 rolled out to the end at 0 plies, without
// luck, 324 trials each: 403 of games that began as back games and 404 of all plans. Never
// trained on.
func BenchValues() (backgames, varied []Record, err error) {
	if backgames, err = embedded(backgamesFile); err != nil {
		return nil, nil, err
	}
	varied, err = embedded(variedFile)
	return backgames, varied, err
}

// BenchProblems returns the decisions by which bench nets measures: drawn from
// self-play and rated by gnubg at 2 plies, never trained on.
func BenchProblems() ([]Problem, error) { return parseProblems(bytes.NewReader(decisionsFile)) }

// BenchPositions returns the labelled positions by which bench nets measures: gnubg 2-ply
// labels, never trained on.
func BenchPositions() ([]Record, error) { return embedded(validFile) }

// HideBench adds to s the positions by which bench nets measures, and the plays of its
// decisions.
func HideBench(s KeySet) error {
	recs, err := BenchPositions()
	if err != nil {
		return err
	}
	backgames, varied, err := BenchValues()
	if err != nil {
		return err
	}
	for _, set := range [][]Record{recs, backgames, varied} {
		for i := range set {
			s.Add(set[i].Key)
		}
	}
	ds, err := BenchProblems()
	for i := range ds {
		for _, c := range ds[i].Candidates {
			s.Add(c.Key)
		}
	}
	return err
}

func embedded(file []byte) ([]Record, error) {
	return readPacked(nil, bytes.NewReader(file), "in the program")
}
