package host

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"fibsbot/bot/ops"
	"fibsbot/bot/policy"
	"fibsbot/engine/tune"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/pwhash"
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
	Last    string    `json:"last,omitempty"` // the last match, in a sentence
	// Wants is the preset requested by 'level NAME', for the next new match only.
	Wants string `json:"wants,omitempty"`
	policy.Standing
}

// worth is how much an account would lose with what it remembers about a person: 0 for
// a stranger.
func (p *person) worth() int {
	switch {
	case p.Blocked != "":
		return 4
	case p.Preset != "" || !p.SavedAt.IsZero():
		return 3
	case !p.Stopped.IsZero() || !p.Quiet.IsZero():
		return 2
	case len(p.Marks) > 0:
		return 1
	}
	return 0
}

// memory keeps the people an account knows in a file. It is safe for concurrent use.
type memory struct {
	file string

	saving  sync.Mutex // held while the file is written: a later save writes later
	mu      sync.Mutex
	content content
	folded  map[string]string // the names in content.People by their lower case
	dirty   bool
	proven  string    // the password of the last login of this process
	saveAt  time.Time // earliest time of the next write
	count   time.Time // last count of the saved matches
}

// content is what the file holds.
type content struct {
	People map[string]*person `json:"people"`
	// Hold is the feedback of strength.target_rating.
	Hold *tune.Hold `json:"hold,omitempty"`
	// Login is the time of the last login, Password the hash of the password that worked.
	Login    time.Time `json:"login,omitzero"`
	Password string    `json:"password_hash,omitempty"`
	// Days are the last ones on which anything was counted, oldest first.
	Days []tally `json:"days,omitempty"`
}

// openMemory reads the file; a missing one is an empty memory. An unreadable one is renamed
// and does not stop the bot.
func openMemory(file string) (*memory, error) {
	m := &memory{file: file}
	m.take(content{})
	var c content
	err, unopened := atomicfile.ReadJSON(file, maxMemory, &c), (*fs.PathError)(nil)
	switch {
	case err == nil:
		m.take(c)
	case errors.Is(err, fs.ErrNotExist):
		return m, nil
	case !errors.As(err, &unopened):
		err = errors.Join(fmt.Errorf("damaged, renamed to .damaged: %w", err), os.Rename(file, file+".damaged"))
	}
	return m, err
}

// take starts with the content of a file.
func (m *memory) take(c content) {
	people := c.People
	m.content, m.folded = c, map[string]string{}
	m.content.People = map[string]*person{}
	for name, p := range people {
		if p != nil {
			m.enter(name, p)
		}
	}
}

// enter adds a person.
func (m *memory) enter(name string, p *person) {
	m.content.People[name], m.folded[strings.ToLower(name)] = p, name
}

// remove removes the person of an entry.
func (m *memory) remove(name string) {
	delete(m.content.People, name)
	if low := strings.ToLower(name); m.folded[low] == name {
		delete(m.folded, low)
	}
}

// find returns the entry for a name: that of another spelling in capitals, which an operator
// may have used, if there is none of the name itself.
func (m *memory) find(name string) (string, *person) {
	if p := m.content.People[name]; p != nil {
		return name, p
	}
	name = m.folded[strings.ToLower(name)]
	return name, m.content.People[name]
}

// get returns what is known about name; a zero person if nothing is.
func (m *memory) get(name string) person {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, p := m.find(name); p != nil {
		return *p
	}
	return person{}
}

// maxName is the length of the longest name that is remembered, in bytes. Servers allow 20
// letters.
const maxName = 100

// change edits what is known about name.
func (m *memory) change(name string, now time.Time, edit func(*person)) {
	if name == "" || len(name) > maxName {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	_, p := m.find(name)
	if p == nil {
		if len(m.content.People) >= maxKnown {
			m.evict()
		}
		p = &person{}
		m.enter(name, p)
	}
	p.Seen = now
	edit(p)
	m.dirty = true
}

// update is change, saved at once. After an error it holds until the process ends.
func (m *memory) update(name string, now time.Time, edit func(*person)) error {
	m.change(name, now, edit)
	return m.save()
}

// Block makes the account refuse to play name, and not invite him, until Unblock. why is the
// operator's reason; it must not be empty. The name may be unknown so far.
func (m *memory) Block(name, why string, now time.Time) error {
	return m.update(name, now, func(p *person) { p.Blocked = why })
}

// Unblock ends a Block, and the pauses of a person, and reports whether there was one.
func (m *memory) Unblock(name string, now time.Time) (there bool, err error) {
	if was := m.get(name); was.Blocked == "" && len(was.Marks) == 0 {
		return false, nil
	}
	return true, m.update(name, now, func(p *person) { p.Blocked, p.Marks = "", nil })
}

// Forget removes all that is known about a person, except a saved match and its preset, and
// reports whether anything was. It also ends a block, and a wish to be left alone.
func (m *memory) Forget(name string) (there bool, err error) {
	m.mu.Lock()
	name, p := m.find(name)
	if there = p != nil; there {
		m.remove(name)
		if p.Preset != "" || !p.SavedAt.IsZero() {
			m.enter(name, &person{Seen: p.Seen, Preset: p.Preset, Level: p.Level, Character: p.Character, SavedAt: p.SavedAt})
		}
		m.dirty = true
	}
	m.mu.Unlock()
	return there, m.save()
}

// wish records what a person wants the bot to say from now on.
func (m *memory) wish(name string, w policy.Wish, now time.Time) error {
	return m.update(name, now, func(p *person) {
		switch w {
		case policy.Stop:
			p.Stopped = now
		case policy.NoComments:
			p.Quiet = now
		case policy.Start:
			p.Stopped, p.Quiet = time.Time{}, time.Time{}
		}
	})
}

// standings returns the people with something on record that words describes, by name.
func (m *memory) standings(words func(policy.Standing) (string, time.Time)) []ops.Person {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []ops.Person
	for _, name := range slices.Sorted(maps.Keys(m.content.People)) {
		if why, until := words(m.content.People[name].Standing); why != "" && len(list) < maxListed {
			list = append(list, ops.Person{Name: name, Why: why, Until: until})
		}
	}
	return list
}

// maxListed bounds the people in the status.
const maxListed = 200

// saved returns the opponents of interrupted matches with the times of interruption.
func (m *memory) saved() map[string]time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := map[string]time.Time{}
	for name, p := range m.content.People {
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

// worked returns when the account last logged in with password, or zero if that is not known.
func (m *memory) worked(password string) time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	if k, err := pwhash.Read(m.content.Password); err != nil || password == "" || password != m.proven && !k.Is(password) {
		return time.Time{}
	}
	return m.content.Login
}

// proved records a login with password, hashed cheaply or well.
func (m *memory) proved(password string, cheap bool, now time.Time) error {
	m.mu.Lock()
	m.content.Login, m.dirty = now, true
	known := password == m.proven
	m.mu.Unlock()
	if known {
		return nil // saved with other changes
	}
	if m.worked(password).IsZero() {
		k, err := pwhash.New(password, cheap)
		if err != nil {
			return err
		}
		m.mu.Lock()
		m.content.Password = k.Text()
		m.mu.Unlock()
	}
	m.mu.Lock()
	m.proven = password
	m.mu.Unlock()
	return m.save()
}

// hold changes the feedback state for the account's rating.
func (m *memory) hold(change func(*tune.Hold) *tune.Hold) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.content.Hold = change(m.content.Hold)
	m.dirty = true
}

// evict drops the person with the least on record, of these the one not seen for longest.
func (m *memory) evict() {
	least, of := "", (*person)(nil)
	for name, p := range m.content.People {
		if of == nil || cmp.Or(cmp.Compare(p.worth(), of.worth()), p.Seen.Compare(of.Seen)) < 0 {
			least, of = name, p
		}
	}
	m.remove(least)
}

// saveDue writes changes, at most once in saveEvery; wake is when to call it again.
func (m *memory) saveDue(now time.Time) (wake time.Time, err error) {
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
	m.saving.Lock()
	defer m.saving.Unlock()
	m.mu.Lock()
	if !m.dirty {
		m.mu.Unlock()
		return nil
	}
	data, err := json.MarshalIndent(m.content, "", " ")
	m.dirty = false
	m.mu.Unlock()
	if err == nil {
		err = atomicfile.WritePrivate(m.file, append(data, '\n'))
	}
	if err != nil {
		m.mu.Lock()
		m.dirty = true
		m.mu.Unlock()
		return fmt.Errorf("save memory: %w", err)
	}
	return nil
}
