package collection

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/position"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/lockfile"
)

// Item is a position of a collection.
type Item struct {
	ID string `json:"id"`
	// XGID has position, score, cube and dice.
	XGID  string      `json:"xgid"`
	Rules board.Rules `json:"rules,omitzero"`
	// Drops is what a pass costs, which an XGID cannot say.
	Drops match.DropRule `json:"drops,omitzero"`
	// Name and Note are the user's words.
	Name  string    `json:"name,omitempty"`
	Note  string    `json:"note,omitempty"`
	Tags  []string  `json:"tags"`
	Added time.Time `json:"added"`
}

// Situation returns the position.
func (i *Item) Situation() (match.Situation, error) {
	s, err := match.ParseSituation(i.XGID)
	s.State.Drops = i.Drops
	return s, err
}

// String is the line of a list: ID, position, name and tags.
func (i Item) String() string {
	return i.ID + "  " + i.XGID + "  " + strings.TrimSpace(i.Name+"  "+strings.Join(i.Tags, " "))
}

// Collection is a named list of positions.
type Collection struct {
	Name  string `json:"name"`
	Items []Item `json:"items"`
}

// String is the line of a list: the number of positions and the name.
func (c Collection) String() string { return fmt.Sprintf("%5d  %s", len(c.Items), c.Name) }

// Bounds of a file.
const (
	maxFile   = 16 << 20
	maxItems  = 5000 // of a collection
	maxLists  = 500
	maxName   = 80
	maxNote   = 2000
	maxTags   = 20
	maxTagLen = 40
)

// patience is how long a change waits for those of other programs.
const patience = 10 * time.Second

// Errors of a Store.
var (
	ErrNotFound = errors.New("not found")
	ErrBad      = errors.New("not allowed")
	ErrFile     = errors.New("damaged collections")
)

// Store is the file of collections.
type Store struct {
	file string
	mu   sync.Mutex
}

// Open returns the store in file, which may not exist yet.
func Open(file string) *Store { return &Store{file: file} }

// In returns the store of the archive in a folder.
func In(dir string) *Store { return Open(filepath.Join(dir, "collections.json")) }

// List returns all collections by name.
func (s *Store) List() ([]Collection, error) {
	list := []Collection{}
	if err := ReadFile(s.file, maxFile, ErrFile, &list); err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b Collection) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return list, nil
}

// ReadFile reads a JSON file of at most most bytes into v, which it leaves as it is if there is
// no such file. Errors about the content wrap damaged.
func ReadFile(file string, most int64, damaged error, v any) error {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("longer than %d bytes", most)
	}
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %w", file, damaged, err)
	}
	return nil
}

// Get returns a collection; the error wraps ErrNotFound.
func (s *Store) Get(name string) (Collection, error) {
	list, err := s.List()
	if err != nil {
		return Collection{}, err
	}
	if i := find(list, name); i >= 0 {
		return list[i], nil
	}
	return Collection{}, missing(name)
}

func missing(name string) error { return fmt.Errorf("collection %.80q: %w", name, ErrNotFound) }

func find(list []Collection, name string) int {
	return slices.IndexFunc(list, func(c Collection) bool { return strings.EqualFold(c.Name, strings.TrimSpace(name)) })
}

// change reads the file, changes it and writes it.
func (s *Store) change(do func(list []Collection) ([]Collection, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	release, err := lockfile.Wait(ctx, func() (func() error, error) { return lockfile.TakeBeside(s.file+".lock", 0o600) })
	if err != nil {
		return fmt.Errorf("collections: %w", err)
	}
	defer release() //nolint:errcheck // the lock ends with the process at the latest
	list, err := s.List()
	if err != nil {
		return err
	}
	if list, err = do(list); err != nil {
		return err
	}
	data, err := json.MarshalIndent(list, "", " ")
	if err != nil {
		return err
	}
	if len(data) > maxFile {
		return fmt.Errorf("%w: the collections would be longer than %d bytes", ErrBad, maxFile)
	}
	return atomicfile.WriteBytes(s.file, 0o600, append(data, '\n'))
}

// Add puts a position into a collection, which it makes if it is new. A position that is
// there already gets the new name, note and tags. It returns the item as stored.
func (s *Store) Add(name string, it Item, now time.Time) (Item, error) {
	name = strings.TrimSpace(name)
	if name == "" || len(name) > maxName {
		return it, fmt.Errorf("%w: a collection needs a name of 1 to %d characters", ErrBad, maxName)
	}
	sit, err := it.Situation()
	if err != nil {
		return it, fmt.Errorf("%w: %w", ErrBad, err)
	}
	it.XGID = sit.XGID()
	if it.Tags, err = cleanTags(it.Tags); err != nil {
		return it, err
	}
	if it.Name, it.Note = strings.TrimSpace(it.Name), strings.TrimSpace(it.Note); len(it.Name) > maxName || len(it.Note) > maxNote {
		return it, fmt.Errorf("%w: a name has up to %d and a note up to %d characters", ErrBad, maxName, maxNote)
	}
	key := fmt.Appendf(nil, "%s %v", it.XGID, it.Rules)
	if it.Drops > match.DropByPosition {
		return it, fmt.Errorf("%w: no such rule for drops", ErrBad)
	} else if it.Drops != match.DropSingle {
		key = fmt.Appendf(key, " %d", it.Drops)
	}
	sum := sha256.Sum256(key)
	it.ID, it.Added = hex.EncodeToString(sum[:6]), now.UTC().Truncate(time.Second)
	err = s.change(func(list []Collection) ([]Collection, error) {
		i := find(list, name)
		if i < 0 {
			if len(list) >= maxLists {
				return nil, fmt.Errorf("%w: there are %d collections already", ErrBad, maxLists)
			}
			list = append(list, Collection{Name: name})
			i = len(list) - 1
		}
		c := &list[i]
		if k := c.index(it.ID); k >= 0 {
			it.Added = c.Items[k].Added
			c.Items[k] = it
			return list, nil
		}
		if len(c.Items) >= maxItems {
			return nil, fmt.Errorf("%w: %s has %d positions already", ErrBad, c.Name, maxItems)
		}
		c.Items = append(c.Items, it)
		return list, nil
	})
	return it, err
}

func (c *Collection) index(id string) int {
	return slices.IndexFunc(c.Items, func(i Item) bool { return i.ID == id })
}

// cleanTags trims tags, in lower case and without duplicates.
func cleanTags(tags []string) ([]string, error) {
	out := []string{}
	for _, t := range tags {
		t = strings.ToLower(strings.Join(strings.Fields(t), "-"))
		if len(t) > maxTagLen {
			return nil, fmt.Errorf("%w: a tag has up to %d characters", ErrBad, maxTagLen)
		}
		if t != "" && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	if len(out) > maxTags {
		return nil, fmt.Errorf("%w: a position has up to %d tags", ErrBad, maxTags)
	}
	return out, nil
}

// Remove takes a position out of a collection; the error wraps ErrNotFound.
func (s *Store) Remove(name, id string) error {
	return s.change(func(list []Collection) ([]Collection, error) {
		i := find(list, name)
		if i < 0 {
			return nil, missing(name)
		}
		k := list[i].index(id)
		if k < 0 {
			return nil, fmt.Errorf("position %.20q in %s: %w", id, list[i].Name, ErrNotFound)
		}
		list[i].Items = slices.Delete(list[i].Items, k, k+1)
		return list, nil
	})
}

// Rename gives a collection another name. The errors wrap ErrNotFound and ErrBad.
func (s *Store) Rename(name, to string) error {
	to = strings.TrimSpace(to)
	if to == "" || len(to) > maxName {
		return fmt.Errorf("%w: a collection needs a name of 1 to %d characters", ErrBad, maxName)
	}
	return s.change(func(list []Collection) ([]Collection, error) {
		i, taken := find(list, name), find(list, to)
		switch {
		case i < 0:
			return nil, missing(name)
		case taken >= 0 && taken != i:
			return nil, fmt.Errorf("%w: there is a collection %q already", ErrBad, to)
		}
		list[i].Name = to
		return list, nil
	})
}

// Delete removes a collection with its positions; the error wraps ErrNotFound.
func (s *Store) Delete(name string) error {
	return s.change(func(list []Collection) ([]Collection, error) {
		i := find(list, name)
		if i < 0 {
			return nil, missing(name)
		}
		return slices.Delete(list, i, i+1), nil
	})
}

// Import puts the positions of a match file into the collection named after the file, each with
// its analysis as note, and returns that name.
func (s *Store) Import(path string, positions []*record.Match, now time.Time) (name string, err error) {
	base := filepath.Base(path)
	if name = strings.TrimSpace(strings.TrimSuffix(base, filepath.Ext(base))); name == "" {
		name = base
	}
	name = strings.ToValidUTF8(name[:min(len(name), maxName)], "")
	for _, m := range positions {
		g := &m.Games[0]
		sit, _ := position.Last(m, g)
		it := Item{XGID: sit.XGID(), Rules: m.Rules.Board(), Note: strings.ToValidUTF8(cut(analysis(m)), "")}
		if a, b := m.Players[1].Name, m.Players[0].Name; a != "" && b != "" {
			it.Name = strings.ToValidUTF8((a + " - " + b)[:min(len(a+b)+3, maxName)], "")
		}
		if _, err := s.Add(name, it, now); err != nil {
			return name, err
		}
	}
	return name, nil
}

func cut(text string) string { return text[:min(len(text), maxNote)] }

// analysis is what a file says about a position: the plays or the cube decision with their
// equities and depths, else the text beside it.
func analysis(m *record.Match) string {
	var b strings.Builder
	sit, _ := position.Last(m, &m.Games[0])
	for i := range m.Games[0].Actions {
		a := m.Games[0].Actions[i].Analysis
		if a == nil {
			continue
		}
		for k := range a.Candidates {
			c := &a.Candidates[k]
			fmt.Fprintf(&b, "%d. %s  %+.3f  %s\n", k+1, board.FormatSteps(sit.Position, c.Steps), c.Outcome.Cubeful, c.Settings.Level)
		}
		if c := a.Cube; c != nil && c.Equities != nil {
			fmt.Fprintf(&b, "no double %+.3f, double/take %+.3f, double/pass %+.3f  %s\n", c.Equities[0], c.Equities[1], c.Equities[2], c.Settings.Level)
		}
	}
	if b.Len() > 0 && m.Judge.Program != "" {
		return m.Judge.Program + "\n" + b.String()
	}
	if b.Len() > 0 {
		return b.String()
	}
	return strings.TrimSpace(m.Comment + "\n" + m.Games[0].Comment)
}
