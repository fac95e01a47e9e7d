package train

import (
	"bytes"
	compare "cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/nn"
	"fibsbot/internal/shard"
	"fibsbot/internal/testsize"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// pipTeacher labels by the pip counts alone: enough to play a sensible race and computable in every test.
type pipTeacher struct{ asked int }

// alone has one goroutine of this process play the games of sp by a teacher.
func alone(sp *SelfPlay, by Teacher) *SelfPlay {
	sp.Crew = &shard.Local{Threads: 1, New: func() (shard.Runner, error) {
		s, err := sp.spec()
		return s.runner(by), err
	}}
	return sp
}

func (t *pipTeacher) Label(_ context.Context, keys []board.Key, _ int, out []Label) error {
	t.asked += len(keys)
	for i, k := range keys {
		p, err := board.FromKey(k)
		if err != nil {
			return err
		}
		if pr, ok := eval.Result(&p); ok {
			out[i] = LabelOf(pr)
			continue
		}
		d := float64(p.Opp.Pips()-p.Me.Pips()+4) / 20
		w := float32(1 / (1 + math.Exp(-d)))
		out[i] = LabelOf(eval.Probs{w, w * 0.25, w * 0.01, (1 - w) * 0.25, (1 - w) * 0.01})
	}
	return nil
}

func TestRecords_roundTrip(t *testing.T) {
	recs := benchRecords(100)
	for i := range recs {
		recs[i].Group = uint32(i / 3)
	}
	path := filepath.Join(t.TempDir(), "a.grp")
	if err := WriteRecords(path, recs); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := newGzip(&packed)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(z.Close(), os.WriteFile(path+".gz", packed.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, path + ".gz"} {
		got, err := ReadRecords(nil, name)
		if d := cmp.Diff(recs, got); err != nil || d != "" {
			t.Errorf("%s: %v, records differ (-want +got):\n%s", name, err, d)
		}
	}
}

func TestReadRecords_refusesHalfARecord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.bin")
	three := bytes.Repeat((&Record{Key: board.Start.Key()}).Append(nil), 3)
	if err := os.WriteFile(path, three[:len(three)-1], 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := ReadRecords(nil, path)
	if !errors.Is(err, ErrBadRecord) || len(got) != 2 {
		t.Errorf("got %d records and error %v, want the 2 whole ones and ErrBadRecord", len(got), err)
	}
	if _, err := ReadRecords(nil, path+".none"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

// TestReadRecords_otherFiles: files of other content are recognised.
func TestReadRecords_otherFiles(t *testing.T) {
	dir := t.TempDir()
	one := (&Record{Key: board.Start.Key()}).Append(nil)
	junk := bytes.Repeat([]byte{0xff}, 2*RecordSize)
	for name, c := range map[string]struct {
		data []byte
		want string // within the error; empty for none
	}{
		"empty.bin":   {nil, ""},
		"one.bin":     {one, ""},
		"half.bin":    {append(one[:RecordSize:RecordSize], 1), "record 1: bad record: unexpected EOF"},
		"junk.bin":    {junk, "record 0: bad record: not a position ID"},
		"half.grp.gz": {one, "gzip: invalid header"},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ReadRecords(nil, path)
		if (err != nil) != (c.want != "") || err != nil && (!errors.Is(err, ErrBadRecord) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestLabelOf_holdsTheRange(t *testing.T) {
	nan := float32(math.NaN())
	got := LabelOf(eval.Probs{-1, 0.5, 2, nan, 1})
	if want := (Label{0, 32768, 65535, 0, 65535}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestKeySet_isASet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) board.Key {
			return board.Key{byte(rapid.IntRange(0, 255).Draw(t, "a")), 9: byte(rapid.IntRange(0, 20).Draw(t, "b"))}
		}), 0, 3000).Draw(t, "keys")
		s, known := KeySet{}, map[board.Key]bool{}
		for _, k := range keys {
			if s.Has(k) != known[k] {
				t.Fatalf("Has(%v) is %v", k, !known[k])
			}
			if s.Add(k) == known[k] {
				t.Fatalf("Add(%v) is %v", k, known[k])
			}
			known[k] = true
		}
		if len(s) != len(known) {
			t.Fatalf("%d keys, want %d", len(s), len(known))
		}
	})
}

func TestStartOf_drawsLegalBoardsOfThePlan(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for plan := range numPlans {
		for range 300 {
			p := StartOf(plan, rng)
			if err := p.Validate(); err != nil {
				t.Fatalf("%v: %v: %+v", plan, err, p)
			}
			if p.Result() != 0 {
				t.Fatalf("%v: the game is over: %+v", plan, p)
			}
			if plan != Natural && plan.races() == p.Contact() {
				t.Fatalf("%v: contact is %v: %+v", plan, p.Contact(), p)
			}
		}
		if got, ok := ParsePlan(plan.String()); !ok || got != plan {
			t.Errorf("plan %v does not read back", plan)
		}
	}
	if _, ok := ParsePlan("nosuch"); ok {
		t.Error("a plan without a name was found")
	}
}

func TestSelfPlay_isVariedSeededAndWithoutDuplicates(t *testing.T) {
	testsize.Medium(t)
	testsize.Alone(t)
	run := func(seed uint64) (recs []Record, classes map[string]int) {
		classes = map[string]int{}
		sp := alone(&SelfPlay{Games: 50, Seed: seed}, &pipTeacher{})
		for i := range sp.Weights {
			sp.Weights[i] = 1
		}
		err := sp.Run(context.Background(), 8000, func(r Record) error {
			recs = append(recs, r)
			p, err := board.FromKey(r.Key)
			classes[ClassOf(&p)]++
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return recs, classes
	}
	a, classes := run(1)
	b, _ := run(1)
	c, _ := run(2)
	if d := cmp.Diff(a, b); d != "" {
		t.Errorf("the same seed gives other positions")
	}
	if cmp.Equal(a, c) {
		t.Errorf("another seed gives the same positions")
	}
	for _, class := range nn.Classes() {
		if class != nn.ClassContact && classes[class] == 0 {
			t.Errorf("no position of %s", class)
		}
	}
	seen := map[board.Key]bool{}
	for _, r := range a {
		p, err := board.FromKey(r.Key)
		if err != nil || p.Result() != 0 {
			t.Fatalf("%v: bad position (%v)", r.Key, err)
		}
		if seen[r.Key] {
			t.Fatalf("%s twice", p.ID())
		}
		seen[r.Key] = true
	}
}

func TestSelfPlay_needsAPlan(t *testing.T) {
	sp := alone(&SelfPlay{}, &pipTeacher{})
	if err := sp.Run(context.Background(), 1, nil); err == nil {
		t.Error("no error")
	}
}

func TestShards_cutOffAHalfWrittenRecord(t *testing.T) {
	dir := t.TempDir()
	recs := benchRecords(3)
	recs[1].Key, recs[2].Key = recs[0].Key, recs[0].Key
	p, err := board.FromKey(recs[0].Key)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "x-"+classFile(ClassOf(&p)))
	if err := os.WriteFile(path, append(recs[0].Append(nil), 1, 2, 3), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := NewShards(dir, "x")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range recs[1:] {
		if err := s.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := ReadRecords(nil, path)
	if d := cmp.Diff(recs, got); err != nil || d != "" {
		t.Errorf("%v, (-want +got):\n%s", err, d)
	}
}

// lossAt is the loss whose gradient learn computes: weighted cross-entropy.
func lossAt(w *worker, recs []Record) float64 {
	w.forward(len(recs))
	sum := 0.0
	for i := range recs {
		for j, v := range w.out[i] {
			want := float64(recs[i].Label[j]) / 65535
			got := math.Min(math.Max(float64(v), 1e-12), 1-1e-12)
			sum -= float64(w.lossScale[j]) * (want*math.Log(got) + (1-want)*math.Log(1-got))
		}
	}
	return sum
}

func TestLearn_gradientIsTheSlopeOfTheLoss(t *testing.T) {
	for _, s := range []Shape{
		{Kind: KindContact, Hidden: 32, Activation: "squared-clipped"},
		{Kind: KindContact, Hidden: 96, Second: 32, Activation: "squared-clipped"},
		{Kind: KindContact, Hidden: 64, Activation: "squared-clipped"},
		{Kind: KindRace, Hidden: 32, Activation: "squared-clipped"},
	} {
		w := newWorker(s)
		w.p, w.g = newParams(s), newParams(s)
		w.p.Randomise(s, rand.New(rand.NewPCG(7, 7)))
		recs := benchRecords(5)
		if s.Kind == KindRace {
			rng := rand.New(rand.NewPCG(1, 1))
			for i := range recs {
				recs[i].Key = StartOf(LongRace, rng).Key()
			}
		}
		for i := range recs {
			p, err := board.FromKey(recs[i].Key)
			if err != nil {
				t.Fatal(err)
			}
			w.encode(i, &p)
		}
		w.learn(recs)
		rng := rand.New(rand.NewPCG(2, 2))
		checked := 0
		for range 4000 {
			k := rng.IntN(len(w.p.All))
			g := float64(w.g.All[k])
			if math.Abs(g) < 0.02 {
				continue
			}
			const h = 5e-4
			was := w.p.All[k]
			w.p.All[k] = was + h
			up := lossAt(w, recs)
			w.p.All[k] = was - h
			down := lossAt(w, recs)
			w.p.All[k] = was
			if slope := (up - down) / (2 * h); math.Abs(slope-g) > 0.04*math.Abs(g)+0.02 {
				t.Errorf("%+v: weight %d: gradient %.5f, slope %.5f", s, k, g, slope)
			}
			if checked++; checked == 60 {
				break
			}
		}
		if checked < 20 {
			t.Errorf("%+v: only %d weights had a gradient to check", s, checked)
		}
	}
}

// smallFit is a run that takes a fraction of a second.
func smallFit(t *testing.T, threads int) *Fit {
	t.Helper()
	recs := benchRecords(3000)
	teacher := &pipTeacher{}
	keys, labels := make([]board.Key, len(recs)), make([]Label, len(recs))
	for i := range recs {
		keys[i] = recs[i].Key
	}
	if err := teacher.Label(t.Context(), keys, 0, labels); err != nil {
		t.Fatal(err)
	}
	for i := range recs {
		recs[i].Label = labels[i]
	}
	return &Fit{Shape: Shape{Kind: KindContact, Hidden: 32, Activation: "squared-clipped"}, Batch: 64, Rate: 5e-3, EndRate: 1e-4,
		Samples: 40960, Threads: threads, Sync: 4, Seed: 3, Sources: []*Source{{Name: "test", Records: recs, Share: 1}}}
}

func TestFit_learnsAndRepeats(t *testing.T) {
	testsize.Medium(t)
	for _, threads := range []int{1, 2} {
		f := smallFit(t, threads)
		valid := append([]Record(nil), f.Sources[0].Records...)
		before := newParams(f.Shape)
		before.Randomise(f.Shape, rand.New(rand.NewPCG(f.Seed, 1)))
		p, err := f.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		e0 := MeasureErrors(valid, NewProbe(f.Shape, before))
		e1 := MeasureErrors(valid, NewProbe(f.Shape, p))
		if e1.Equity > 0.15 || e1.Equity > e0.Equity/3 || e1.Entropy >= e0.Entropy {
			t.Errorf("%d threads: from %+v to %+v", threads, e0, e1)
		}
		again, err := smallFit(t, threads).Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if !cmp.Equal(p.All, again.All) {
			t.Errorf("%d threads: the same seed gives other weights", threads)
		}
	}
}

func TestFit_goesOnFromItsCheckpoint(t *testing.T) {
	testsize.Medium(t)
	testsize.Alone(t)
	path := filepath.Join(t.TempDir(), "c.fit")
	f := smallFit(t, 1)
	f.Checkpoint = path
	ctx, stop := context.WithCancel(context.Background())
	f.ReportEvery = 10000
	f.Report = func(_ *Fit, done int, _, _ float64, _ Params) error { stop(); return nil }
	if _, err := f.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want the cancellation", err)
	}
	done := f.state.Done
	if done == 0 || done >= f.Samples {
		t.Fatalf("stopped after %d samples", done)
	}
	g := smallFit(t, 1)
	g.Checkpoint = path
	first := 0
	g.ReportEvery = 1000
	g.Report = func(_ *Fit, d int, _, _ float64, _ Params) error {
		if first == 0 {
			first = d
		}
		return nil
	}
	if _, err := g.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if first <= done || first > done+2000 {
		t.Errorf("went on at %d, stopped at %d", first, done)
	}
	other := smallFit(t, 1)
	other.Shape.Hidden = 64
	other.Checkpoint = path
	if _, err := other.Run(context.Background()); !errors.Is(err, ErrBadCheckpoint) {
		t.Errorf("another shape: %v", err)
	}
	if err := os.WriteFile(path, []byte("nonsense"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := loadParams(path); !errors.Is(err, ErrBadCheckpoint) {
		t.Errorf("damaged checkpoint: %v", err)
	}
}

// A run stopped anywhere ends with the same weights as an uninterrupted one.
func TestFit_inPiecesAsInOne(t *testing.T) {
	testsize.Medium(t)
	for _, threads := range []int{1, 2} {
		fit := func(checkpoint string) *Fit {
			f := smallFit(t, threads)
			f.Samples, f.Checkpoint = 12000, checkpoint
			other := *f.Sources[0]
			other.Records, other.Share = append([]Record(nil), f.Sources[0].Records[:700]...), 0.5
			f.Sources = append(f.Sources, &other)
			return f
		}
		want, err := fit("").Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "c.fit")
		for _, until := range []int{600, 2500, 9000, 1 << 30} {
			f := fit(path)
			ctx, stop := context.WithCancel(context.Background())
			f.ReportEvery = 200
			f.Report = func(_ *Fit, done int, _, _ float64, _ Params) error {
				if done >= until {
					stop()
				}
				return nil
			}
			got, err := f.Run(ctx)
			stop()
			if done := f.state.Done; until < f.Samples {
				if !errors.Is(err, context.Canceled) || done < until || done > until+600 {
					t.Fatalf("%d threads: %v at %d, was to be stopped at %d", threads, err, done, until)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if !cmp.Equal(want.All, got.All) {
				t.Errorf("%d threads: other weights in pieces", threads)
			}
		}
	}
}

func TestFit_refusesWhatCannotBeFitted(t *testing.T) {
	for name, spoil := range map[string]func(*Fit){
		"kind":       func(f *Fit) { f.Shape.Kind = "nosuch" },
		"hidden":     func(f *Fit) { f.Shape.Hidden = 33 },
		"second":     func(f *Fit) { f.Shape.Second = 7 },
		"activation": func(f *Fit) { f.Shape.Activation = "tanh" },
		"no records": func(f *Fit) { f.Sources[0].Records = nil },
		"no share":   func(f *Fit) { f.Sources[0].Share = 0 },
	} {
		f := smallFit(t, 1)
		spoil(f)
		if _, err := f.Run(context.Background()); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestPack_evaluatesAsTheProbeDoes(t *testing.T) {
	testsize.Alone(t)
	f := smallFit(t, 1)
	f.Samples = 8192
	f.Shape.Hidden = 64
	f.Checkpoint = filepath.Join(t.TempDir(), "c.fit")
	cp, err := f.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	race := Shape{Kind: KindRace, Hidden: 32, Activation: "squared-clipped"}
	rp := newParams(race)
	rp.Randomise(race, rand.New(rand.NewPCG(1, 1)))
	path := filepath.Join(t.TempDir(), "n.weights")
	if err := packWeights(path, nn.Manifest{Name: "test"}, map[string]*nn.Weights{nn.ClassContact: cp.Weights(f.Shape), nn.ClassRace: rp.Weights(race)}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	set, err := nn.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	probe := NewProbe(f.Shape, cp)
	var enc nn.Encoder
	var feat nn.Features
	var scratch nn.Scratch
	for _, r := range benchRecords(200) {
		p, err := board.FromKey(r.Key)
		if err != nil {
			t.Fatal(err)
		}
		enc.Encode(&p, &feat)
		got, want := set.NetFor(nn.ClassContact).Evaluate(&scratch, &feat), probe.Eval(&p)
		for j := range got {
			if d := math.Abs(float64(got[j] - want[j])); d > 2e-3 {
				t.Fatalf("%s output %d: %v packed, %v in training", p.ID(), j, got[j], want[j])
			}
		}
	}
	if err := Pack(path, nn.Manifest{}, map[string]string{nn.ClassContact: f.Checkpoint}, false); !errors.Is(err, nn.ErrBadWeights) {
		t.Errorf("pack without a race net: %v", err)
	}
}

// The judge that drew the decisions loses nothing on them, and the reverse of it more than a little.
func TestMeasureProblems(t *testing.T) {
	var got []Problem
	for _, tag := range Tags {
		err := (&Drawer{Judge: pipJudge{}, Seed: 2, Margin: 0.5}).Draw(t.Context(), tag, 5, func(d *Drawn) error {
			p := Problem{Tag: tag, Position: d.Position, Dice: d.Dice}
			for i := range d.Plays {
				p.Candidates = append(p.Candidates, Rated{Key: d.Plays[i].Result.Swap().Key(), Equity: d.Equity(i)})
			}
			slices.SortStableFunc(p.Candidates, func(a, b Rated) int { return compare.Compare(b.Equity, a.Equity) })
			got = append(got, p)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, l := range MeasureProblems(got, pipJudge{}) {
		if l.Mean > 0.2 || l.Beside.Mean > 0.2 {
			t.Errorf("%+v: want no loss", l)
		}
	}
	if l := CompareLosses(got, LossesOf(got, worstJudge{}), LossesOf(got, pipJudge{}))[0]; l.Mean < 10+l.Beside.Mean {
		t.Errorf("the worst plays: %+v", l)
	}
}

type pipJudge struct{}

func (pipJudge) EvalPlays(plays []board.Play, out []eval.Probs) {
	var t pipTeacher
	var l [1]Label
	for i := range plays {
		if t.Label(context.Background(), []board.Key{plays[i].Result.Swap().Key()}, 0, l[:]) == nil {
			out[i] = l[0].Probs().Invert()
		}
	}
}

func (pipJudge) Eval(p *board.Position) eval.Probs {
	var l [1]Label
	if (&pipTeacher{}).Label(context.Background(), []board.Key{p.Key()}, 0, l[:]) != nil {
		return eval.Probs{}
	}
	return l[0].Probs()
}

type worstJudge struct{}

func (worstJudge) EvalPlays(plays []board.Play, out []eval.Probs) {
	pipJudge{}.EvalPlays(plays, out)
	for i := range out {
		out[i] = out[i].Invert()
	}
}

func TestBenchFiles_areWhole(t *testing.T) {
	ds, err := BenchProblems()
	if err != nil {
		t.Fatal(err)
	}
	if len(ds) < 4000 {
		t.Errorf("%d decisions, want 4000", len(ds))
	}
	var plays []board.Play
	for i := range ds {
		d := &ds[i]
		plays = board.AppendPlays(plays[:0], d.Position, d.Dice)
		legal := map[board.Key]bool{}
		for k := range plays {
			legal[plays[k].Result.Swap().Key()] = true
		}
		for k, c := range d.Candidates {
			if !legal[c.Key] {
				t.Fatalf("decision %d: candidate %d is not a legal play", i, k)
			}
			if k > 0 && c.Equity > d.Candidates[k-1].Equity {
				t.Fatalf("decision %d is not in order", i)
			}
		}
	}
	recs, err := BenchPositions()
	if err != nil {
		t.Fatal(err)
	}
	if len(recs) < 5000 {
		t.Errorf("%d positions, want 5000", len(recs))
	}
}

func FuzzParseDecisions(f *testing.F) {
	f.Add([]byte(decisionsMagic))
	f.Add([]byte("nonsense"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var b bytes.Buffer
		z := newGzip(&b)
		if _, err := z.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		ds, err := parseProblems(&b)
		if err != nil && !errors.Is(err, ErrBadDecisions) {
			t.Fatalf("error %v wraps no sentinel", err)
		}
		for i := range ds {
			if len(ds[i].Candidates) == 0 || ds[i].Teacher >= len(ds[i].Candidates) {
				t.Fatalf("decision %d has no candidate of the teacher", i)
			}
		}
	})
}

// TestFit_lastLayer: with Last nothing but the output layer learns.
func TestFit_lastLayer(t *testing.T) {
	testsize.Alone(t)
	f := smallFit(t, 1)
	f.Last = true
	before := newParams(f.Shape)
	before.Randomise(f.Shape, rand.New(rand.NewPCG(f.Seed, 1)))
	valid := append([]Record(nil), f.Sources[0].Records...)
	after, err := f.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	inner := len(before.All) - len(before.Out) - len(before.OutB)
	for i := range inner {
		if math.Abs(float64(before.All[i]-after.All[i])) > 1e-6 { // rounding of the running average
			t.Fatalf("weight %d of %d was %v and is %v", i, inner, before.All[i], after.All[i])
		}
	}
	if e0, e1 := MeasureErrors(valid, NewProbe(f.Shape, before)), MeasureErrors(valid, NewProbe(f.Shape, after)); e1.Equity > e0.Equity*0.8 {
		t.Errorf("from %+v to %+v", e0, e1)
	}
}
