package farm

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"fibsbot/internal/fileerr"
)

const (
	// reserve is the disk space that a farm leaves free.
	reserve = 64 << 20
	// leastStore is the smallest useful store.
	leastStore = 64 << 20
)

// fit limits the store to the free space of the disk, so that it reports that it is full before
// the disk is. The error wraps ErrRefused if too little is free.
func (o *ServerOptions) fit() error {
	o.MaxStore, o.Keep = cmp.Or(o.MaxStore, defaultStore), cmp.Or(o.Keep, defaultKeep)
	if o.free == nil {
		o.free = fileerr.Free
	}
	free := o.free(o.Dir)
	if free < 0 {
		return nil // unknown
	}
	room := free + used(filepath.Join(o.Dir, storeDir)) - reserve
	if room < leastStore {
		return fmt.Errorf("%w: the disk of %s has %d MiB free (a farm needs %d)", ErrRefused, o.Dir, free>>20, (leastStore+reserve)>>20)
	}
	if room < o.MaxStore {
		o.MaxStore = room
		o.tell(fmt.Sprintf("the disk of %s has %d MiB free: the farm stores at most %d MiB", o.Dir, free>>20, room>>20))
	}
	return nil
}

func (o *ServerOptions) tell(text string) {
	if o.Log != nil {
		o.Log(text)
	}
}

// used returns the bytes of all files in a folder.
func used(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error { // an unreadable file counts as empty
		if err == nil && !d.IsDir() {
			if i, err := d.Info(); err == nil {
				n += i.Size()
			}
		}
		return nil
	})
	return n
}

// watchDisk closes the store when the disk is full and opens it again when there is room.
// Meanwhile workers keep their results, and new jobs are refused. It takes and returns whether
// the store is closed.
func (s *Server) watchDisk(ctx context.Context, closed bool) bool {
	free := s.o.free(s.dir)
	switch {
	case free < 0, !closed && free >= reserve, closed && free < 2*reserve:
		return closed
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if closed {
		if s.self.setup(ctx, s.o.MaxStore, s.o.Keep) != nil {
			return closed
		}
		s.o.tell(fmt.Sprintf("the disk of %s has %d MiB free again: the farm continues", s.dir, free>>20))
		return false
	}
	if s.self.shut(ctx) != nil {
		return closed // the next look tries again
	}
	s.o.tell(fmt.Sprintf("the disk of %s has only %d MiB free: the farm takes no jobs and no results until there is room; workers keep theirs", s.dir, free>>20))
	return true
}

// shut makes the streams on disk read-only.
func (c *Client) shut(ctx context.Context) error {
	for _, name := range []string{resultStream, blobStream, "KV_" + jobBucket} {
		s, err := c.js.Stream(ctx, name)
		if err != nil {
			return err
		}
		i := s.CachedInfo()
		i.Config.MaxBytes = max(1, int64(i.State.Bytes))
		if _, err := c.js.UpdateStream(ctx, i.Config); err != nil {
			return err
		}
	}
	return nil
}

// shutting reports whether shut has closed a stream, by making its contents its bounds.
func shutting(i *jetstream.StreamInfo) bool { return i.Config.MaxBytes <= max(1, int64(i.State.Bytes)) }
