// Package device exchanges data with training on a graphics processor: board.cu and selfplay.py
// beside this file play the games there and fit the nets (docs/training.md, "On a device"), and call
// the program for positions of its own play and its weights files.
package device

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"fibsbot/cmd/fibslab/internal/teacher"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/nn"
)

// ErrFile means a file that is not in the device's form.
var ErrFile = errors.New("not as the device writes it")

// boardSize is the size of a board in board.cu in bytes: the counts of the player on roll, a spare
// byte, those of the opponent, a spare byte.
const boardSize = 52

// noContact is the class of positions without a net here.
const noContact = byte(nn.NumPlans) + 2

// positionSize is a board, its label and its class, and a spare byte.
const positionSize = boardSize + 10 + 2

// classes are the fitted nets, by number: those of the plans and the crashed ones.
func classes() (list []string) {
	for p := range nn.NumPlans {
		list = append(list, nn.ClassOfPlan(p))
	}
	return append(list, nn.ClassCrashed, nn.ClassCrashedTheirs)
}

// classOf is the number of the net that judges p, whose plan is in f.
func classOf(p *board.Position, f *nn.Features) byte {
	switch eval.ClassOf(p) {
	case eval.Crashed:
		if eval.CrashedTheirs(p) {
			return byte(nn.NumPlans) + 1
		}
		return byte(nn.NumPlans)
	case eval.Contact:
		return byte(f.Plan)
	}
	return noContact
}

// Positions writes n positions of the program's own static play, with its static chances.
func Positions(ctx context.Context, seed uint64, n int, w io.Writer) (err error) {
	t, err := teacher.Open(ctx, teacher.Options{Name: "own", Threads: 1})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	play := train.SelfPlay{Teacher: t, Threads: 1, Seed: seed, Keep: 1}
	if err := train.ParseMix(train.UsualMix+",mutualbackgame=0.7", &play.Weights); err != nil {
		return err
	}
	var enc nn.Encoder
	var b [positionSize]byte
	out := bufio.NewWriter(w)
	err = play.Run(ctx, n, func(_ train.Plan, r train.Record) error {
		p, err := board.FromKey(r.Key)
		if err != nil {
			return err
		}
		copy(b[:], p.Me[:])
		copy(b[boardSize/2:], p.Opp[:])
		for i, v := range r.Label {
			binary.LittleEndian.PutUint16(b[boardSize+2*i:], v)
		}
		b[boardSize+10] = classOf(&p, enc.Fill(&p))
		_, err = out.Write(b[:])
		return err
	})
	return errors.Join(err, out.Flush())
}

// parts are the numbers of a net in the order in which files have them.
func parts(w *nn.Weights) [][]float32 {
	return [][]float32{w.First, w.Bias, w.Middle, w.MiddleBias, w.Out, w.OutBias}
}

// Export writes the fitted nets of set as plain float32.
func Export(set *nn.Set, w io.Writer) error {
	for _, c := range classes() {
		n := set.Judge(c)
		for _, part := range parts(n.Weights()) {
			if err := binary.Write(w, binary.LittleEndian, part); err != nil {
				return err
			}
		}
	}
	return nil
}

// Import returns a weights file of that name with the nets of set, except those in r, which must be of
// the same shapes. With share below 1 the nets are means in which the new ones have that weight. The
// error wraps ErrFile or nn.ErrBadWeights.
func Import(set *nn.Set, name string, share float64, r io.Reader) ([]byte, error) {
	nets := map[string]*nn.Weights{}
	for _, c := range nn.Classes() {
		if n := set.NetOf(c); n != nil {
			nets[c] = n.Weights()
		}
	}
	for _, c := range classes() {
		if nets[c] == nil {
			nets[c] = set.Judge(c).Weights()
		}
		for _, part := range parts(nets[c]) {
			b := make([]byte, 4*len(part))
			if _, err := io.ReadFull(r, b); err != nil {
				return nil, fmt.Errorf("%w: the net for %s is cut short: %w", ErrFile, c, err)
			}
			for i := range part {
				v := math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
				part[i] = float32((1-share)*float64(part[i]) + share*float64(v))
			}
		}
	}
	if n, err := r.Read(make([]byte, 1)); n > 0 || !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: more than the nets", ErrFile)
	}
	m := set.Manifest
	m.Name = name
	var out bytes.Buffer
	if err := nn.Write(&out, m, nets); err != nil {
		return nil, err
	}
	_, err := nn.Read(out.Bytes())
	return out.Bytes(), err
}
