package client

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"fibsbot/fibs/clip"
)

// Store keeps a small text for an account, as a file does. Its methods may be called by any
// goroutine, one at a time.
type Store interface {
	// Load returns what was saved last, or nil.
	Load() []byte
	// Save keeps data, or nothing if it is nil. A failure is the store's to report.
	Save(data []byte)
}

// found is a setting that Dial changes. Switches are YES or NO.
type found struct {
	Was string `json:"was"` // as it was before the first Dial
	Set string `json:"set"` // as Dial sets it
}

// restorer remembers the settings of an account as they were found, until they are put back.
type restorer struct {
	mu    sync.Mutex
	store Store // nil: nothing is put back
	found map[string]found
	now   map[string]string // as last heard
}

func yesNo(on bool) string {
	if on {
		return "YES"
	}
	return "NO"
}

// begin compares the settings of the account with those that Dial wants, and saves what it will
// change. What an earlier run found and could not put back is still what it was, unless the
// setting has been changed by someone else since.
func (r *restorer) begin(now, wanted map[string]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var earlier map[string]found
	if data := r.store.Load(); data != nil && json.Unmarshal(data, &earlier) != nil {
		earlier = nil // a damaged file knows nothing
	}
	r.now, r.found = now, map[string]found{}
	for name, set := range wanted {
		is, known := now[name]
		if !known {
			if f, ok := earlier[name]; ok {
				r.found[name] = f
			}
			continue
		}
		was := is
		if f, ok := earlier[name]; ok && f.Set == is {
			was = f.Was
		}
		if was != set || is != set {
			r.found[name] = found{Was: was, Set: set}
		}
	}
	r.save()
}

// save keeps the settings that are not as they were.
func (r *restorer) save() {
	if len(r.found) == 0 {
		r.store.Save(nil)
		return
	}
	data, err := json.MarshalIndent(r.found, "", " ")
	if err == nil { // always
		r.store.Save(append(data, '\n'))
	}
}

// hear notes what an event says about a setting.
func (r *restorer) hear(e *clip.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.now == nil:
	case e.Kind == clip.Toggled:
		r.now[e.Name] = yesNo(e.On)
	case e.Kind == clip.VariableSet:
		r.now[e.Name] = e.Text
	case e.Kind == clip.PlayerLine: // our own
		r.now["ready"] = yesNo(e.Player.Ready)
	}
}

// commands are those that put the settings back. The board style is last: until then boards are
// understood.
func (r *restorer) commands() []clip.Command {
	r.mu.Lock()
	defer r.mu.Unlock()
	var flips []string
	var list []clip.Command
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(r.found))) {
		f := r.found[name]
		switch {
		case r.now[name] == f.Was:
		case slices.Contains(clip.Switches(), name):
			flips = append(flips, name)
		default:
			list = append(list, clip.Set{Name: name, Value: f.Was})
		}
	}
	if len(flips) > 0 {
		list = slices.Insert(list, 0, clip.Command(clip.Toggle{Names: flips}))
	}
	return list
}

// end keeps what is not put back, for the next run.
func (r *restorer) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := len(r.found)
	maps.DeleteFunc(r.found, func(name string, f found) bool { return r.now[name] == f.Was })
	if len(r.found) < n {
		r.save()
	}
}

// findSettings finds out how the account is set before anything is changed.
func (c *Client) findSettings() error {
	if c.opts.Store == nil {
		return nil
	}
	on, err := c.switches()
	if err != nil {
		return err
	}
	now := map[string]string{}
	for name, is := range on {
		now[name] = yesNo(is)
	}
	// Line 2 has only one of the variables. A server that does not tell a value keeps ours.
	for _, name := range []string{"redoubles", "boardstyle"} {
		if s := c.welcome.Settings; s != nil && name == "redoubles" {
			if now[name] = s.Redoubles; s.Redoubles == "0" {
				now[name] = "none"
			}
			continue
		}
		if err := c.writeCommand(clip.AskVariable{Name: name}); err != nil {
			return err
		}
		if _, err := c.await(min(c.opts.Answer, variableWait), func(e *clip.Event) bool {
			if e.Kind != clip.VariableIs || e.Name != name {
				return false
			}
			now[name] = e.Text
			return true
		}); err != nil {
			return err
		}
	}
	wanted := map[string]string{"boardstyle": "3", "redoubles": c.opts.Redoubles, "ready": yesNo(c.opts.Ready)}
	for name, is := range c.opts.Switches {
		if name != "ready" {
			wanted[name] = yesNo(is)
		}
	}
	c.restore.store = c.opts.Store
	c.restore.begin(now, wanted)
	return nil
}

// variableWait is the longest wait for the value of a variable.
const variableWait = 3 * time.Second
