package config

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"
)

// Watcher keeps the configuration in force and replaces it when the file
// changes. A bad new file is reported and the old configuration stays.
type Watcher struct {
	file  string
	known Known
	// settle is how often Watch looks at the file, and how long the file must be quiet before it is
	// read again: editors write a file in several steps.
	settle time.Duration

	// turn is held for the whole of a reload. The file, a signal and an owner may
	// ask for one at the same time, and an older reading must not replace a newer one.
	turn sync.Mutex

	mu      sync.Mutex
	current *Config
	read    fs.FileInfo // the file when it was read last, nil if it was missing
	subs    []func(old, new *Config)
	err     error // of the last attempt to read it
}

// NewWatcher loads and checks the file. The error is an Errors when the file is
// readable but wrong.
func NewWatcher(file string, known Known) (*Watcher, error) {
	w := &Watcher{file: file, known: known, settle: 500 * time.Millisecond}
	c, err := w.load()
	if err != nil {
		return nil, err
	}
	w.current = c
	return w, nil
}

// load reads and checks the file and records the outcome.
func (w *Watcher) load() (*Config, error) {
	read, _ := os.Stat(w.file) // reading it reports the error
	c, _, err := Problems(w.file, w.known)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.read, w.err = read, err
	return c, err
}

// Current returns the configuration in force. Treat it as read-only: it is
// replaced, never changed.
func (w *Watcher) Current() *Config {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.current
}

// Err returns what was wrong with the file at the last attempt to read it.
func (w *Watcher) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// Subscribe calls f after every successful change, one call at a time. f must not
// call Reload.
func (w *Watcher) Subscribe(f func(old, new *Config)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.subs = append(w.subs, f)
}

// Reload reads the file now. On error the configuration in force stays.
func (w *Watcher) Reload() error {
	w.turn.Lock()
	defer w.turn.Unlock()
	c, err := w.load()
	if err != nil {
		return fmt.Errorf("reload: the old configuration stays in force: %w", err)
	}
	w.mu.Lock()
	old := w.current
	w.current = c
	subs := slices.Clone(w.subs)
	w.mu.Unlock()
	for _, f := range subs {
		f(old, c)
	}
	return nil
}

// Watch reloads whenever the file changes, until ctx ends. Each attempt is told
// to report, which may be nil. It compares the file instead of waiting for events, which some
// file systems do not send; links on the way to it, as Kubernetes mounts it, may change too.
func (w *Watcher) Watch(ctx context.Context, report func(error)) {
	tick := time.NewTicker(w.settle)
	defer tick.Stop()
	var before fs.FileInfo
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now, err := os.Stat(w.file)
		if err != nil {
			continue // in the middle of a change
		}
		w.mu.Lock()
		read := w.read
		w.mu.Unlock()
		if !unchanged(now, read) && unchanged(now, before) {
			err := w.Reload()
			if report != nil {
				report(err)
			}
		}
		before = now
	}
}

// unchanged reports whether both are the same state of the same file.
func unchanged(a, b fs.FileInfo) bool {
	return a != nil && b != nil && os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
