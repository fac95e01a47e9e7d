package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"fibsbot/engine/tune"
	"fibsbot/internal/atomicfile"
)

// maxKnown bounds the people an account remembers. Those not seen for longest are forgotten
// first.
const maxKnown = 5000

// maxMemory bounds the file when it is read.
const maxMemory = 16 << 20

// person is what an account remembers about a player, apart from the matches in the archive.
type person struct {
	Seen    time.Time `json:"seen"`
	Greeted string    `json:"greeted,omitempty"` // the day of the last greeting
	// Preset is the preset of the running or saved match, Level the rating it was chosen
	// for, Character how its errors lean.
	Preset    string  `json:"preset,omitempty"`
	Level     float64 `json:"level,omitempty"`
	Character string  `json:"character,omitempty"`
	// Held is the last chosen rating, kept after the match for hysteresis.
	Held    float64   `json:"held,omitempty"`
	SavedAt time.Time `json:"saved_at,omitzero"`
	LeftAt  time.Time `json:"left_at,omitzero"`
	AskedAt time.Time `json:"asked_at,omitzero"`
	Dropped int       `json:"dropped,omitempty"` // unfinished matches that this player left
	Last    string    `json:"last,omitempty"`    // the last match, in a sentence
	// Wants is the preset requested by 'level NAME', for the next new match only.
	Wants string `json:"wants,omitempty"`
}

// memory keeps the people an account knows in a file. It is safe for concurrent use.
type memory struct {
	file string

	mu     sync.Mutex
	kept   kept
	dirty  bool
	saveAt time.Time // earliest time of the next write
	count  time.Time // last count of the saved matches
}

// kept is the content of the file.
type kept struct {
	People map[string]*person `json:"people"`
	// Hold is the feedback of strength.target_rating.
	Hold *tune.Hold `json:"hold,omitempty"`
}

// openMemory reads the file; a missing one is an empty memory. An unreadable one is renamed
// and does not stop the bot.
func openMemory(file string) (*memory, error) {
	m := &memory{file: file, kept: kept{People: map[string]*person{}}}
	f, err := os.Open(file)
	if errors.Is(err, os.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, err
	}
	defer f.Close()
	if err := json.NewDecoder(io.LimitReader(f, maxMemory)).Decode(&m.kept); err != nil {
		m.kept = kept{People: map[string]*person{}}
		return m, errors.Join(fmt.Errorf("%s: damaged, renamed to .damaged: %w", file, err), os.Rename(file, file+".damaged"))
	}
	if m.kept.People == nil {
		m.kept.People = map[string]*person{}
	}
	for name, p := range m.kept.People {
		if p == nil {
			delete(m.kept.People, name)
		}
	}
	return m, nil
}

// get returns what is known about name; a zero person if nothing is.
func (m *memory) get(name string) person {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p := m.kept.People[name]; p != nil {
		return *p
	}
	return person{}
}

// change edits what is known about name.
func (m *memory) change(name string, now time.Time, edit func(*person)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := m.kept.People[name]
	if p == nil {
		if len(m.kept.People) >= maxKnown {
			m.forget()
		}
		p = &person{}
		m.kept.People[name] = p
	}
	p.Seen = now
	edit(p)
	m.dirty = true
}

// saved returns the opponents of interrupted matches with the times of interruption.
func (m *memory) saved() map[string]time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := map[string]time.Time{}
	for name, p := range m.kept.People {
		if !p.SavedAt.IsZero() {
			list[name] = p.SavedAt
		}
	}
	return list
}

// countEvery is how often the saved matches are counted for the metrics.
const countEvery = time.Minute

// countSaved counts the interrupted matches if the last count is old or soon is set.
func (m *memory) countSaved(now time.Time, soon bool) (n int, news bool) {
	m.mu.Lock()
	news = soon || now.Sub(m.count) >= countEvery
	if news {
		m.count = now
	}
	m.mu.Unlock()
	if news {
		n = len(m.saved())
	}
	return n, news
}

// hold changes the feedback state for the account's rating.
func (m *memory) hold(change func(*tune.Hold) *tune.Hold) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept.Hold = change(m.kept.Hold)
	m.dirty = true
}

// forget drops the person not seen for longest who has no saved match.
func (m *memory) forget() {
	oldest := ""
	for name, p := range m.kept.People {
		if p.Preset == "" && (oldest == "" || p.Seen.Before(m.kept.People[oldest].Seen)) {
			oldest = name
		}
	}
	if oldest == "" {
		for oldest = range m.kept.People {
			break
		}
	}
	delete(m.kept.People, oldest)
}

// keep writes changes, at most once in saveEvery; wake is when to call it again.
func (m *memory) keep(now time.Time) (wake time.Time, err error) {
	m.mu.Lock()
	dirty, at := m.dirty, m.saveAt
	if dirty && !now.Before(at) {
		m.saveAt = now.Add(saveEvery)
	}
	m.mu.Unlock()
	switch {
	case !dirty:
		return time.Time{}, nil
	case now.Before(at):
		return at, nil
	}
	return time.Time{}, m.save()
}

// save writes the file if anything has changed. After a failure it still counts as changed.
func (m *memory) save() error {
	m.mu.Lock()
	if !m.dirty {
		m.mu.Unlock()
		return nil
	}
	data, err := json.MarshalIndent(m.kept, "", " ")
	m.dirty = false
	m.mu.Unlock()
	if err == nil {
		err = m.write(append(data, '\n'))
	}
	if err != nil {
		m.mu.Lock()
		m.dirty = true
		m.mu.Unlock()
		return fmt.Errorf("save memory: %w", err)
	}
	return nil
}

func (m *memory) write(data []byte) error {
	if err := atomicfile.MkdirPrivate(filepath.Dir(m.file)); err != nil {
		return err
	}
	return atomicfile.WriteBytes(m.file, 0o600, data)
}
