package ctxread

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestStream_givesWhatItReads(t *testing.T) {
	text := strings.Repeat("0123456789", 3*chunkSize/10)
	for name, in := range map[string]io.Reader{
		"whole":         strings.NewReader(text),
		"byte by byte":  iotest.OneByteReader(strings.NewReader(text[:1000])),
		"with the end":  iotest.DataErrReader(strings.NewReader(text)),
		"broken at end": io.MultiReader(strings.NewReader(text), iotest.ErrReader(errBroken)),
	} {
		got, err := io.ReadAll(Stream(t.Context(), in))
		want := text
		if name == "byte by byte" {
			want = text[:1000]
		}
		if string(got) != want || errors.Is(err, errBroken) != (name == "broken at end") {
			t.Errorf("%s: %d bytes of %d, %v", name, len(got), len(want), err)
		}
	}
}

var errBroken = errors.New("broken")

// A read that waits comes back when the context ends, with its error; so do later ones,
// and those of a file.
func TestStream_endsWithTheContext(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	silent, _ := io.Pipe()
	in := Stream(ctx, silent)
	ended := make(chan error, 1)
	go func() {
		_, err := in.Read(make([]byte, 1))
		ended <- err
	}()
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the read that waited: %v", err)
	}
	for name, r := range map[string]io.Reader{"stream": in, "file": File(ctx, strings.NewReader("x"))} {
		if n, err := r.Read(make([]byte, 1)); n != 0 || !errors.Is(err, context.Canceled) {
			t.Errorf("%s after the end: %d, %v", name, n, err)
		}
	}
}
