package farm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// prepare opens what a job needs. A lasting misfit is a refusal; an error may pass.
func (w *Worker) prepare(ctx context.Context, j Job) (*ready, error) {
	r := &ready{job: j, gone: make(chan struct{})}
	no := func(format string, args ...any) (*ready, error) {
		r.refused = "job " + j.ID + " is not for this worker: " + fmt.Sprintf(format, args...)
		return r, nil
	}
	switch e := &j.Engine; {
	case e.Program != "" && !slices.Contains(w.Programs, e.Program):
		r.other = true
		return no("it is work for %.40s farm work and stays queued", e.Program)
	case e.Version != w.Version:
		return no("it wants version %.80s, this is %s", e.Version, w.Version)
	case e.Kernel != w.Kernel:
		return no("it wants the arithmetic of %.20s, this processor has %s (GODEBUG chooses a lesser one)", e.Kernel, w.Kernel)
	}
	paths, err := w.fetchAll(ctx, &j.Engine)
	if err != nil {
		return nil, err
	}
	p, err := w.Prepare(ctx, j, paths)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return no("%v", err)
	case p.Answer != j.Engine.Answer:
		return no("the known answer is %.16s there and %.16s here: this engine plays differently", j.Engine.Answer, p.Answer)
	}
	r.new = p.New
	return r, nil
}

// fetchAll fetches the files of an engine.
func (w *Worker) fetchAll(ctx context.Context, e *Engine) (p Paths, err error) {
	p.Weights = make([]string, 1+len(e.Others))
	for i := range p.Weights {
		f := e.Weights
		if i > 0 {
			f = &e.Others[i-1]
		}
		if f == nil || *f == (File{}) {
			continue
		}
		if p.Weights[i], err = w.Client.fetch(ctx, *f, w.Dir); err != nil {
			return p, err
		}
	}
	switch {
	case e.Table == nil:
	case e.Table.SHA256 == "":
		p.Table = e.Table.Name
	default:
		if p.Table, err = w.Client.fetch(ctx, *e.Table, w.Dir); err != nil {
			return p, err
		}
	}
	if len(e.Bearoff) == 0 {
		return p, nil
	}
	p.Bearoff = filepath.Join(w.Dir, "bearoff-"+digest(e.Bearoff)[:16])
	if err := os.MkdirAll(p.Bearoff, 0o755); err != nil {
		return p, err
	}
	for _, f := range e.Bearoff {
		path, err := w.Client.fetch(ctx, f, w.Dir)
		if err != nil {
			return p, err
		}
		if err := os.Link(path, filepath.Join(p.Bearoff, f.Name)); err != nil && !errors.Is(err, os.ErrExist) {
			return p, err
		}
	}
	return p, nil
}
