package farm

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"fibsbot/internal/shard"
	"fibsbot/internal/testsize"
)

// drawn makes the results of pieces of that many trials by keys a and b in turn.
func drawn(r *rand.Rand, pieces, trials int) (list []proof) {
	for k := range pieces {
		p := proof{key: fmt.Sprint("p", k), outcome: outcome{id: []string{"a", "b"}[k%2]}, Share: shard.Share{Of: "0", Parts: trials, Means: make([]float64, 2)}}
		for range trials {
			v := r.NormFloat64()
			p.Means[0] += v / float64(trials)
			p.Means[1] += v * v / float64(trials)
		}
		list = append(list, p)
	}
	return list
}

// A false piece runs again, or moves the mean by less than its error, whatever was added to it and
// however many pieces there are; honest jobs run few pieces again.
func TestAudit_decidingPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	salt := maphash.MakeSeed()
	caught, again, all := 0, 0, 0
	for n := range 200 {
		pieces, trials := []int{8, 36, 72, 300}[n%4], 36
		list := drawn(r, pieces, trials)
		due, deciding := audit(list, map[string]int{"a": 100, "b": 100}, salt)
		again, all = again+len(due), all+len(list)
		if deciding > len(due) {
			t.Fatal(deciding, len(due))
		}
		bad := r.IntN(pieces)
		off := math.Exp(6*r.Float64() - 3)
		list[bad].Means[0] += off
		list[bad].Means[1] += off * off
		due, _ = audit(list, nil, salt)
		stderr := 1 / math.Sqrt(float64(pieces*trials))
		switch moved := off / float64(pieces); {
		case due[bad]:
			caught++
		case moved > stderr:
			t.Errorf("%d pieces, %+.3f: the mean moves by %.4f, its error is %.4f", pieces, off, moved, stderr)
		}
	}
	t.Logf("%d of 200 false pieces run again; of honest ones %d of %d", caught, again, all)
	if again > all/5 || caught < 100 {
		t.Error("too many honest pieces or too few false ones run again")
	}
}

// Many small lies of one key, each too small to be seen, run again until the rest moves little.
func TestAudit_manySmallLies(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	list := drawn(r, 200, 36)
	before := 0.0
	for i := range list {
		if list[i].id == "a" {
			list[i].Means[0] += 0.15 // 0.9 standard errors of a piece
		}
		before += list[i].Means[0] / 200
	}
	due, _ := audit(list, nil, maphash.MakeSeed())
	lies := 0
	for i := range due {
		if list[i].id == "a" {
			lies++
		}
	}
	if lies < 10 {
		t.Errorf("%d of 100 false pieces run again", lies)
	}
	for name, list := range map[string][]proof{"no pieces": nil, "one": drawn(r, 1, 1), "equal": {{outcome: outcome{id: "a"}}, {outcome: outcome{id: "a"}}}} {
		if due, _ := audit(list, nil, maphash.MakeSeed()); len(due) != len(list) {
			t.Errorf("%s: %d of %d run again", name, len(due), len(list))
		}
	}
}

// shareOf reads the results of square as means of one trial.
func shareOf(_, data []byte) shard.Share {
	n, err := strconv.ParseFloat(string(data), 64)
	if err != nil {
		return shard.Share{}
	}
	return shard.Share{Parts: 1, Means: []float64{n}}
}

// A worker that is honest for twelve pieces and falsifies one is found out before the job ends, with
// another key beside it and without, and is not trusted for what it did in earlier jobs.
func TestCrew_oneFalsePiece(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	for name, others := range map[string]bool{"alone": false, "beside another": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, c, work := newFarm(t, ServerOptions{})
			evil := newHostile(t, s, "evil")
			var stored atomic.Int64
			var lies atomic.Bool
			var seen sync.Map
			evil.works(func(job, key string, m jetstream.Msg) {
				data := right(m)
				if _, twice := seen.LoadOrStore(job+key, true); !twice && stored.Add(1) == 12 && lies.Load() {
					data = "99999999"
				}
				_, _ = evil.put(t.Context(), result(job, key, evil.id, data))
				_ = m.Ack()
			})
			run := func(spec string) (a Audit, err error) {
				crew := submit(t, c, spec, Command{Judge: square{runs: new(atomic.Int64)}, Measure: shareOf})
				err = all(t, crew, 40)
				return crew.Audit(), err
			}
			if a, err := run("honest"); err != nil || a.Pieces != 40 || len(a.Again) == 0 {
				t.Fatalf("an honest job: %+v, %v", a, err)
			}
			if n, err := c.passed(t.Context()); err != nil || n[evil.id] == 0 {
				t.Errorf("what earlier jobs found right: %v, %v", n, err)
			}
			if others {
				testWorker(t, work(), "good", nil, square{runs: new(atomic.Int64)})
				present(t, c, 1)
			}
			lies.Store(true)
			stored.Store(0)
			_, err := run("forged")
			for k := 0; err == nil && stored.Load() < 12; k++ { // the other was faster
				_, err = run(fmt.Sprint("forged", k))
			}
			if !errors.Is(err, ErrDisagree) {
				t.Fatalf("%v, want %v", err, ErrDisagree)
			}
			if n, err := c.passed(t.Context()); err != nil || n[evil.id] != 0 {
				t.Errorf("a machine that is left out is trusted: %v, %v", n, err)
			}
		})
	}
}

// A job that is interrupted before its deciding pieces ran again does not count.
func TestCrew_interruptedAudit(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, c, work := newFarm(t, ServerOptions{})
	testWorker(t, work(), "good", nil, square{runs: new(atomic.Int64)})
	ctx, cancel := context.WithCancel(t.Context())
	var ending atomic.Bool
	judge := shard.Func(func(ctx context.Context, ask []byte) ([]byte, error) {
		if ending.Load() {
			cancel()
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return square{runs: new(atomic.Int64)}.Run(ctx, ask)
	})
	crew := submit(t, c, "cut", Command{Judge: judge, Measure: shareOf})
	if _, err := sum(t, crew, 40); err != nil {
		t.Fatal(err)
	}
	ending.Store(true)
	if err := crew.Close(ctx, true); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}
