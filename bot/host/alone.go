package host

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/internal/names"
	"fibsbot/bot/ops"
	"fibsbot/bot/policy"
)

// alone reports whether a player asked this account to be left alone.
func (s *seat) alone(name string) bool { return !s.memory.get(name).Stopped.IsZero() }

// leftAlone returns whom the account leaves alone now.
func (s *seat) leftAlone(now time.Time) []ops.Person {
	c := s.h.opt.Config()
	return s.memory.standings(func(p policy.Standing) (string, time.Time) { return p.Words(c, now) })
}

// carryOutWish carries out what a player wants the bot to say from now on.
func (s *seat) carryOutWish(w policy.Wish, from string, now time.Time) {
	if w == policy.NoWish {
		return
	}
	s.log.WithField("opponent", from).WithField("wish", string(w)).Info("wish of a player")
	if err := s.memory.wish(from, w, now); err != nil {
		s.log.WithError(err).Error("state of opponents not saved")
	}
}

// optOuts are the players who asked one of some accounts for no comments. One of the
// accounts, own, keeps the new ones.
type optOuts struct {
	own *memory
	all []*memory
}

// Has implements watch.OptOuts.
func (o optOuts) Has(name string) bool {
	return slices.ContainsFunc(o.all, func(m *memory) bool {
		p := m.get(name)
		return !p.Quiet.IsZero() || !p.Stopped.IsZero()
	})
}

// Add implements watch.OptOuts.
func (o optOuts) Add(name string) error {
	if err := o.own.wish(name, policy.NoComments, time.Now()); err != nil {
		return fmt.Errorf("%s opted out, which is remembered for this run only: %w", name, err)
	}
	return nil
}

// optOuts returns those of all accounts on the server of this one.
func (s *seat) optOuts() optOuts {
	o := optOuts{own: s.memory}
	for _, other := range s.h.seats {
		if other.server == s.server {
			o.all = append(o.all, other.memory)
		}
	}
	return o
}

// OptOuts returns the players who asked an account of an archive on a server for no comments.
// New ones are kept with the account name, which no other process may run.
func OptOuts(archive, name, server string) (interface {
	Has(name string) bool
	Add(name string) error
}, error) {
	file := fileOf(archive, name, server, ".json")
	own, err := openMemory(file)
	if err != nil {
		return nil, err
	}
	o := optOuts{own: own, all: []*memory{own}}
	ends := strings.TrimPrefix(filepath.Base(file), name)
	list, _ := os.ReadDir(filepath.Dir(file)) // a missing folder has no accounts
	for _, e := range list {
		if path := filepath.Join(filepath.Dir(file), e.Name()); strings.HasSuffix(path, ends) && path != file {
			other, err := openMemory(path)
			if err != nil {
				return nil, err
			}
			o.all = append(o.all, other)
		}
	}
	return o, nil
}

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
