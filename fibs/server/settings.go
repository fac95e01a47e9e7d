package server

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// toggle is one switch a user can flip, with FIBS's words for both states.
type toggle struct {
	name     string
	yes, no  string
	standard bool
}

// toggles are in the order in which FIBS lists them.
var toggles = []toggle{
	{"allowpip", "** You allow the use the server's 'pip' command.", "** You don't allow the use of the server's 'pip' command.", true},
	{"autoboard", "** The board will be refreshed after every move.", "** The board won't be refreshed after every move.", true},
	{"autodouble", "** You agree that doublets during opening double the cube.", "** You don't agree that doublets during opening double the cube.", false},
	{"automove", "** Forced moves will be done automatically.", "** Forced moves won't be done automatically.", false},
	{"bell", "** Your terminal will ring the bell if someone talks to you or invites you", "** Your terminal won't ring the bell if someone talks to you or invites you", false},
	{"crawford", "** You insist on playing with the Crawford rule.", "** You would like to play without using the Crawford rule.", true},
	{"double", "** You will be asked if you want to double.", "** You won't be asked if you want to double.", true},
	{"greedy", "** Will use automatic greedy bearoffs.", "** Won't use automatic greedy bearoffs.", false},
	{"moreboards", "** Will send rawboards after rolling.", "** Won't send rawboards after rolling.", true},
	{"moves", "** You want a list of moves after this game.", "** You won't see a list of moves after this game.", false},
	{"notify", "** You'll be notified when new users log in.", "** You won't be notified when new users log in.", true},
	{"ratings", "** You'll see how the rating changes are calculated.", "** You won't see how the rating changes are calculated.", false},
	{"ready", "** You're now ready to invite or join someone.", "** You're now refusing to play with someone.", false},
	{"report", "** You will be informed about starting and ending matches.", "** You won't be informed about starting and ending matches.", true},
	{"silent", "** You won't hear what other players shout.", "** You will hear what other players shout.", false},
	{"telnet", "** You use telnet and don't need extra 'newlines'.", "** You use a client program and will receive extra 'newlines'.", true},
	{"wrap", "** The server will wrap long lines.", "** Your terminal knows how to wrap long lines.", false},
}

// unlimitedRedoubles means "unlimited" in settings.Redoubles.
const unlimitedRedoubles = -1

// settings is what a user can change by toggle and set. It has no map and no slice: a hundred
// thousand of them would take more memory than the rest of the accounts.
type settings struct {
	Toggles    switches `json:"toggles"`
	BoardStyle int32    `json:"boardstyle"`
	LineLength int32    `json:"linelength"`
	PageLength int32    `json:"pagelength"`
	Redoubles  int32    `json:"redoubles"` // 0 none, -1 unlimited
	SortWho    string   `json:"sortwho"`
	Timezone   string   `json:"timezone"`
}

// standard are the settings of a new account.
var standard = func() settings {
	s := settings{BoardStyle: 2, SortWho: "login", Timezone: "UTC"}
	for _, t := range toggles {
		s.Toggles.set(t.name, t.standard)
	}
	return s
}()

// readSettings reads saved settings. What is missing or out of range is as in a new account.
func readSettings(data []byte) (settings, error) {
	s := standard
	err := json.Unmarshal(data, &s)
	if s.BoardStyle < 1 || s.BoardStyle > 3 {
		s.BoardStyle = standard.BoardStyle
	}
	s.LineLength, s.PageLength = min(max(s.LineLength, 0), 999), min(max(s.PageLength, 0), 999)
	s.Redoubles = min(max(s.Redoubles, unlimitedRedoubles), 99)
	s.SortWho, s.Timezone = cmp.Or(s.SortWho, standard.SortWho), cmp.Or(s.Timezone, standard.Timezone)
	return s, err
}

// switches has a bit for each of toggles.
type switches uint32

// bitOf has the bits of the names.
var bitOf = func() map[string]switches {
	bits := map[string]switches{}
	for i, t := range toggles {
		bits[t.name] = 1 << i
	}
	return bits
}()

// set turns a switch on or off. There may be no switch of that name.
func (s *switches) set(name string, on bool) {
	*s &^= bitOf[name]
	if on {
		*s |= bitOf[name]
	}
}

// MarshalJSON writes an object of names and states.
func (s switches) MarshalJSON() ([]byte, error) {
	states := map[string]bool{}
	for name, b := range bitOf {
		states[name] = s&b != 0
	}
	return json.Marshal(states)
}

// UnmarshalJSON reads what MarshalJSON has written. Switches that it lacks keep their states.
func (s *switches) UnmarshalJSON(data []byte) error {
	var states map[string]bool
	err := json.Unmarshal(data, &states)
	for name, on := range states {
		s.set(name, on)
	}
	return err
}

func (s settings) on(name string) bool { return s.Toggles&bitOf[name] != 0 }

// zone is the user's time zone, UTC when the name is unknown.
func (s settings) zone() *time.Location { return zones.get(s.Timezone) }

func (s settings) redoublesText() string {
	switch s.Redoubles {
	case 0:
		return "none"
	case unlimitedRedoubles:
		return "unlimited"
	}
	return strconv.Itoa(int(s.Redoubles))
}

func (s settings) redoublesInLine2() string {
	if s.Redoubles == 0 {
		return "0"
	}
	return s.redoublesText()
}

// cmdToggle flips switches, or lists them.
func (s *Server) cmdToggle(u *user, args string) {
	names := strings.Fields(args)
	if len(names) == 0 {
		u.say("The current settings are:")
		for _, t := range toggles {
			state := "NO"
			if u.set.on(t.name) {
				state = "YES"
			}
			u.say("%-15s %s", t.name, state)
		}
		return
	}
	if len(names) > len(toggles) {
		names = names[:len(toggles)]
	}
	for _, name := range names {
		t := findToggle(name)
		if t == nil {
			u.say("** Don't know how to toggle %s", clean(name, 40))
			continue
		}
		u.set.Toggles ^= bitOf[t.name]
		if u.set.on(t.name) {
			u.conn.line(t.yes)
		} else {
			u.conn.line(t.no)
		}
		if t.name == "ready" {
			s.pushWho(u)
		}
	}
}

// findToggle finds a switch by its name or a beginning that fits only one.
func findToggle(name string) *toggle {
	var found *toggle
	for i := range toggles {
		t := &toggles[i]
		if t.name == name {
			return t
		}
		if strings.HasPrefix(t.name, name) {
			if found != nil {
				return nil
			}
			found = t
		}
	}
	return found
}

// cmdSet shows or changes a variable.
func (s *Server) cmdSet(u *user, args string) {
	f := strings.Fields(args)
	if len(f) == 0 {
		u.say("Settings of variables:")
		u.say("boardstyle: %d", u.set.BoardStyle)
		u.say("linelength: %d", u.set.LineLength)
		u.say("pagelength: %d", u.set.PageLength)
		u.say("redoubles:  %s", u.set.redoublesText())
		u.say("sortwho:    %s", u.set.SortWho)
		u.say("timezone:   %s", u.set.Timezone)
		return
	}
	value := ""
	if len(f) > 1 {
		value = f[1]
	}
	switch f[0] {
	case "boardstyle":
		u.setNumber(f[0], value, &u.set.BoardStyle, 1, 3, "** Valid arguments are the numbers 1 to 3.")
	case "linelength":
		u.setNumber(f[0], value, &u.set.LineLength, 0, 999, "** Valid arguments are the numbers 0 to 999. Use 0 for no linelength.")
	case "pagelength":
		u.setNumber(f[0], value, &u.set.PageLength, 0, 999, "** Valid arguments are the numbers 0 to 999. Use 0 for no pagelength.")
	case "redoubles":
		u.setRedoubles(value)
	case "sortwho":
		switch value {
		case "":
			u.say("Value of 'sortwho' is %s", u.set.SortWho)
		case "login", "name", "rating", "rrating":
			u.set.SortWho = value
			u.say("Value of 'sortwho' set to %s", value)
		default:
			u.say("** Unknown value '%s'. Try 'login', 'name', 'rating' or 'rrating'.", clean(value, 40))
		}
	case "timezone":
		s.setTimezone(u, value)
	default:
		u.say("** Invalid argument. Type 'help set'.")
	}
}

func (u *user) setNumber(name, value string, into *int32, low, high int, usage string) {
	if value == "" {
		u.say("Value of '%s' is %d", name, *into)
		return
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < low || n > high {
		u.conn.line(usage)
		return
	}
	*into = int32(n)
	u.say("Value of '%s' set to %d.", name, n)
}

func (u *user) setRedoubles(value string) {
	switch value {
	case "":
		u.say("Value of 'redoubles' is %s", u.set.redoublesText())
		return
	case "none":
		u.set.Redoubles = 0
	case "unlimited":
		u.set.Redoubles = unlimitedRedoubles
	default:
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > 99 {
			u.say("** Valid arguments are 'none', 'unlimited' and the numbers 1 to 99.")
			return
		}
		u.set.Redoubles = int32(n)
		u.say("Value of 'redoubles' set to %d.", n)
		return
	}
	u.say("Value of 'redoubles' set to '%s'.", value)
}

func (s *Server) setTimezone(u *user, value string) {
	if value == "" {
		u.say("Value of 'timezone' is %s", u.set.Timezone)
		return
	}
	known := false
	s.unlocked(func() { known = zones.load(value) })
	if !known {
		u.say("Can't find timezone '%s'. Try one of:", clean(value, 40))
		u.zones()
		return
	}
	u.set.Timezone = value
	u.say("Value of 'timezone' set to %s", value)
}

// cmdSave keeps the settings for later logins.
func (s *Server) cmdSave(u *user, _ string) {
	u.acct.Settings = u.set
	s.changedAccount(u.acct)
	u.say("Settings saved.")
}

// sortUsers sorts a who list by the user's setting.
func sortUsers(list []*user, by string) {
	slices.SortStableFunc(list, func(a, b *user) int {
		switch by {
		case "name":
			return cmp.Compare(key(a.name), key(b.name))
		case "rating":
			return cmp.Compare(b.acct.Rating, a.acct.Rating)
		case "rrating":
			return cmp.Compare(a.acct.Rating, b.acct.Rating)
		}
		return cmp.Compare(a.serial, b.serial)
	})
}

// zoneBook caches time zones. One is read from the disk, without the server's mutex.
type zoneBook struct {
	mu    sync.RWMutex
	known map[string]*time.Location
}

var zones = zoneBook{known: map[string]*time.Location{"UTC": time.UTC}}

// load reads a time zone and reports whether it exists.
func (z *zoneBook) load(name string) bool {
	if len(name) == 0 || len(name) > 40 || name == "Local" {
		return false
	}
	z.mu.RLock()
	at := z.known[name]
	z.mu.RUnlock()
	if at != nil {
		return true
	}
	at, err := time.LoadLocation(name)
	if err != nil {
		return false
	}
	z.mu.Lock()
	z.known[name] = at // bounded by the files of the system
	z.mu.Unlock()
	return true
}

// get returns a loaded zone, or UTC.
func (z *zoneBook) get(name string) *time.Location {
	z.mu.RLock()
	defer z.mu.RUnlock()
	if at := z.known[name]; at != nil {
		return at
	}
	return time.UTC
}
