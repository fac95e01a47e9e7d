//go:build unix

package farm

import (
	"context"
	"syscall"
	"testing"
	"time"

	"fibsbot/internal/shard"
)

// cpu is the processor time of this process.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkServe starts a server in a folder that has keys and streams, until it takes
// connections; the first start besides makes certificates.
func BenchmarkServe(b *testing.B) {
	o := ServerOptions{Listen: "127.0.0.1:0", Dir: b.TempDir()}
	least := time.Hour
	var used time.Duration
	n := 0
	for b.Loop() {
		began, spent := time.Now(), cpu(b)
		s, err := Serve(b.Context(), o)
		if err != nil {
			b.Fatal(err)
		}
		if n++; n > 1 {
			used += cpu(b) - spent
			least = min(least, time.Since(began))
		}
		b.StopTimer()
		s.Close()
		b.StartTimer()
	}
	b.ReportMetric(float64(least.Microseconds())/1000, "ms-least")
	b.ReportMetric(float64(used.Microseconds())/1000/float64(max(1, n-1)), "ms-cpu")
}

// sleeper is a piece of a second that takes no processor.
type sleeper struct{}

func (sleeper) Run(context.Context, []byte) ([]byte, error) {
	time.Sleep(time.Second)
	return make([]byte, 2700), nil
}

// BenchmarkOverhead reports the processor time that server, command and two workers of a
// thread each take beside pieces of a second: percent of the threads' time.
func BenchmarkOverhead(b *testing.B) {
	s, err := Serve(b.Context(), ServerOptions{Listen: "127.0.0.1:0", Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	submitKey, workKey := s.KeyFiles()
	dial := func(path string) *Client {
		k, err := ReadKey(path)
		if err != nil {
			b.Fatal(err)
		}
		c, err := Dial(s.URL(), k)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(c.Close)
		return c
	}
	crew, err := dial(submitKey).Submit(b.Context(), Job{Kind: "sleep", Spec: []byte("1"), Engine: Engine{Version: "v1", Kernel: "go", Answer: "42"}}, Command{Size: oneEach})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	for _, name := range []string{"a", "b"} {
		w := &Worker{Client: dial(workKey), Name: name, Threads: 1, Version: "v1", Kernel: "go", Dir: b.TempDir(), Log: func(string) {}, Grace: time.Second,
			Prepare: func(context.Context, Job, Paths) (Prepared, error) {
				return Prepared{Answer: "42", New: func() (shard.Runner, error) { return sleeper{}, nil }}, nil
			}}
		go func() { _ = w.Run(ctx) }()
	}
	const pieces = 40
	for from := 0; b.Loop(); from += pieces {
		spent := cpu(b)
		if err := crew.Do(b.Context(), numbers(from + pieces)[from:], nil, func(int, shard.Result) error { return nil }); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(100*(cpu(b)-spent).Seconds()/pieces, "%cpu")
	}
	_ = crew.Close(b.Context(), true)
}
