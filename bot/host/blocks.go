package host

import (
	"sync"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/internal/names"
)

// blockFile is the list of opponents.block_file, read again when it changes.
type blockFile struct {
	log  logrus.FieldLogger
	file names.File

	mu      sync.Mutex
	trouble string // the failure logged last
}

// list returns the names and patterns of file. If the file has become unreadable, the names
// read before stay in force.
func (b *blockFile) list(file string, now time.Time) names.Set {
	if file == "" {
		return names.Set{}
	}
	c := b.file.Look(file, now)
	text := ""
	if c.Err != nil {
		text = c.Err.Error()
	}
	b.mu.Lock()
	said := text == b.trouble
	b.trouble = text
	b.mu.Unlock()
	if c.Err != nil && !said {
		// Logged once: the file is checked at every invitation and every few seconds.
		b.log.WithError(c.Err).Error("opponents.block_file not read: the names read before stay in force")
	}
	return c.Set
}
