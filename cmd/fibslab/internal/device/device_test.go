package device

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/nn"
	"fibsbot/weights"
)

// boardOf is a position as board.cu has it.
func boardOf(p *board.Position) []byte {
	b := make([]byte, boardSize)
	copy(b, p.Me[:])
	copy(b[boardSize/2:], p.Opp[:])
	return b
}

// TestBoard_agreesWithTheEngine compares board.cu, compiled for a processor, with the engine: classes
// and computed inputs, and the plays of all rolls, of boards of every plan and of random play from them.
func TestBoard_agreesWithTheEngine(t *testing.T) {
	compiler, err := exec.LookPath("g++")
	if err != nil {
		t.Skip("skipped: no g++ here")
	}
	program := filepath.Join(t.TempDir(), "plays")
	if out, err := exec.CommandContext(t.Context(), compiler, "-O1", "-DPLAYS_MAIN", "-x", "c++", "board.cu", "-o", program).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	rng := rand.New(rand.NewPCG(21, 22))
	var positions []board.Position
	var in bytes.Buffer
	for k := range 400 {
		p := train.StartOf(train.Plan(k%len(train.PlanNames)), rng)
		for range k % 7 {
			if plays := board.AppendPlays(nil, p, board.Dice{A: uint8(1 + rng.IntN(6)), B: uint8(1 + rng.IntN(6))}.Sorted()); len(plays) > 0 {
				p = plays[rng.IntN(len(plays))].Result
			}
			p = p.Swap()
		}
		if p.Result() == 0 {
			positions = append(positions, p)
			in.Write(boardOf(&p))
		}
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Stdin = &in
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var enc nn.Encoder
	var f nn.Features
	var want [nn.NumDense]float32
	for i := range positions {
		enc.Encode(&positions[i], &f)
		f.Computed(want[:])
		if class := classOf(&positions[i], &f); out[0] != class {
			t.Fatalf("%s: class %d, want %d", positions[i].ID(), out[0], class)
		}
		for k, v := range want {
			if got := binary.LittleEndian.Uint16(out[1+2*k:]); got != uint16(v*nn.InputSteps+0.5) && out[0] != noContact {
				t.Fatalf("%s: computed input %d is %d steps, want %v", positions[i].ID(), k, got, v*nn.InputSteps)
			}
		}
		out = out[1+2*nn.NumDense:]
		for _, roll := range board.Rolls {
			n := int(binary.LittleEndian.Uint32(out))
			got := map[string]bool{}
			for k := range n {
				got[string(out[4+k*boardSize:][:boardSize])] = true
			}
			out = out[4+n*boardSize:]
			plays := board.AppendPlays(nil, positions[i], roll.Dice)
			if len(plays) == 0 {
				plays = append(plays, board.Play{Result: positions[i]})
			}
			same := len(got) == n && n == len(plays)
			for _, pl := range plays {
				after := pl.Result.Swap()
				same = same && got[string(boardOf(&after))]
			}
			if !same {
				t.Fatalf("%s %d-%d: %d plays, want %d", positions[i].ID(), roll.Dice.A, roll.Dice.B, n, len(plays))
			}
		}
	}
	if len(out) > 0 || len(positions) < 300 {
		t.Errorf("%d bytes left, %d positions", len(out), len(positions))
	}
}

func TestImport_readsWhatExportWrites(t *testing.T) {
	set, err := weights.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	var plain bytes.Buffer
	if err := Export(set, &plain); err != nil {
		t.Fatal(err)
	}
	data, err := Import(set, "again", 0.5, bytes.NewReader(plain.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	again, err := nn.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	if again.Manifest.Name != "again" || again.Arithmetic() != set.Arithmetic() {
		t.Errorf("%s, %s", again.Manifest.Name, again.Arithmetic())
	}
	for _, c := range nn.Classes() {
		a, b := set.NetOf(c), again.NetOf(c)
		if a != nil && !slices.Equal(a.Weights().First, b.Weights().First) {
			t.Errorf("%s is another net", c)
		}
	}
	for name, b := range map[string][]byte{"short": plain.Bytes()[:plain.Len()-4], "long": append(bytes.Clone(plain.Bytes()), 0)} {
		if _, err := Import(set, "bad", 1, bytes.NewReader(b)); !errors.Is(err, ErrFile) {
			t.Errorf("%s: %v", name, err)
		}
	}
	bad := bytes.Clone(plain.Bytes())
	binary.LittleEndian.PutUint32(bad, math.Float32bits(float32(math.Inf(1))))
	if _, err := Import(set, "bad", 1, bytes.NewReader(bad)); !errors.Is(err, nn.ErrBadWeights) {
		t.Errorf("an infinite weight: %v", err)
	}
}

func TestPositions_areWhatTheDeviceReads(t *testing.T) {
	var out bytes.Buffer
	const n = 300
	if err := Positions(t.Context(), 5, n, &out); err != nil {
		t.Fatal(err)
	}
	if out.Len() < n*positionSize || out.Len()%positionSize != 0 {
		t.Fatalf("%d bytes", out.Len())
	}
	for record := out.Bytes(); len(record) > 0; record = record[positionSize:] {
		var p board.Position
		copy(p.Me[:], record)
		copy(p.Opp[:], record[boardSize/2:])
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		if class := record[boardSize+10]; (eval.ClassOf(&p) < eval.Crashed) != (class == noContact) || class > noContact {
			t.Fatalf("%s: class %d", p.ID(), class)
		}
	}
}
