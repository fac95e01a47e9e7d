package config

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settle is how long a file must be quiet before it is read again: editors write
// a file in several steps.
const settle = 300 * time.Millisecond

// Watcher keeps the configuration in force and replaces it when the file
// changes. A bad new file is reported and the old configuration stays.
type Watcher struct {
	file  string
	real  string // what file led to when it was read first
	known Known

	// turn is held for the whole of a reload. The file, a signal and an owner may
	// ask for one at the same time, and an older reading must not replace a newer one.
	turn sync.Mutex

	mu      sync.Mutex
	current *Config
	subs    []func(old, new *Config)
	last    Reload
}

// Reload says how the last attempt to read the file went.
type Reload struct {
	At  time.Time
	Err error
}

// NewWatcher loads and checks the file. The error is an Errors when the file is
// readable but wrong.
func NewWatcher(file string, known Known) (*Watcher, error) {
	c, err := loadChecked(file, known)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		real = file
	}
	return &Watcher{file: file, real: real, known: known, current: c, last: Reload{At: time.Now()}}, nil
}

func loadChecked(file string, known Known) (*Config, error) {
	c, _, err := Problems(file, known)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Current returns the configuration in force. Treat it as read-only: it is
// replaced, never changed.
func (w *Watcher) Current() *Config {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.current
}

// LastReload returns the outcome of the last attempt.
func (w *Watcher) LastReload() Reload {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.last
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
	c, err := loadChecked(w.file, w.known)
	w.mu.Lock()
	w.last = Reload{At: time.Now(), Err: err}
	if err != nil {
		w.mu.Unlock()
		return fmt.Errorf("reload: the old configuration stays in force: %w", err)
	}
	old := w.current
	w.current = c
	subs := append([]func(old, new *Config){}, w.subs...)
	w.mu.Unlock()
	for _, f := range subs {
		f(old, c)
	}
	return nil
}

// Watch reloads whenever the file changes, until ctx ends. Each attempt is told
// to report, which may be nil. It watches the folder rather than the file, for
// editors and configuration managers replace files by renaming. A symbolic link is
// followed: what changes may be the file that it leads to, or, as Kubernetes mounts
// configurations, a link on the way.
func (w *Watcher) Watch(ctx context.Context, report func(error)) error {
	fw, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("watch %s: %w", w.file, err)
	}
	defer fw.Close()
	if err := fw.Add(filepath.Dir(w.file)); err != nil {
		return fmt.Errorf("watch %s: %w", w.file, err)
	}
	real := w.follow(fw, "")
	timer := time.NewTimer(settle)
	if real == w.real {
		timer.Stop() // otherwise a link was switched since the file was read
	}
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case ev, ok := <-fw.Events:
			if !ok {
				return nil
			}
			name := filepath.Clean(ev.Name)
			changed := (name == filepath.Clean(w.file) || name == real) && !ev.Has(fsnotify.Remove)
			if now := w.follow(fw, real); now != real {
				real, changed = now, true
			}
			if changed {
				timer.Reset(settle)
			}
		case err, ok := <-fw.Errors:
			if ok && report != nil {
				report(fmt.Errorf("watch %s: %w", w.file, err))
			}
		case <-timer.C:
			err := w.Reload()
			if report != nil {
				report(err)
			}
		}
	}
}

// follow returns the file that the configuration's name leads to and watches its
// folder in place of the one before. While it leads nowhere, in the middle of a
// change, the old one counts.
func (w *Watcher) follow(fw *fsnotify.Watcher, old string) string {
	real, err := filepath.EvalSymlinks(w.file)
	if err != nil || real == old {
		return old
	}
	own := filepath.Clean(filepath.Dir(w.file))
	if dir := filepath.Dir(old); old != "" && dir != own && dir != filepath.Dir(real) {
		_ = fw.Remove(dir) // it may be gone already
	}
	if dir := filepath.Dir(real); dir != own {
		if err := fw.Add(dir); err != nil {
			return old // tried again with the next event
		}
	}
	return real
}
