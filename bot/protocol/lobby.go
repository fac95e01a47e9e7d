package protocol

import (
	"iter"
	"maps"
)

// maxLobby bounds the players of a Lobby; FIBS has some hundreds at a time.
const maxLobby = 20000

// Lobby lists the players on line, as the server reports them. An account has one, which its
// table updates. It belongs to the account's goroutine. The zero Lobby is empty and has no
// account.
type Lobby struct {
	me    string
	users map[string]User
}

// NewLobby returns an empty list for the account me.
func NewLobby(me string) *Lobby { return &Lobby{me: me, users: map[string]User{}} }

// Event updates the list.
func (l *Lobby) Event(ev *Event) {
	if ev == nil {
		return
	}
	switch ev.Kind {
	case UserInfo:
		if ev.User == nil {
			return
		}
		name := ev.User.Name
		if _, known := l.users[name]; known || len(l.users) < maxLobby || name == l.me {
			if l.users == nil {
				l.users = map[string]User{}
			}
			l.users[name] = *ev.User
		}
	case LogsOut, NoSuchPlayer:
		delete(l.users, ev.Name)
	case YouUnwatch:
		if ev.Left != LeftUnknown {
			delete(l.users, ev.Name)
		}
	case PlaysNothing:
		if u, ok := l.users[ev.Name]; ok && u.Opponent != "" {
			u.Opponent = ""
			l.users[ev.Name] = u
		}
	}
}

// User returns what was last reported about name; ok is false if the player is not known to
// be on line.
func (l *Lobby) User(name string) (u User, ok bool) {
	u, ok = l.users[name]
	return u, ok
}

// Me returns what was last reported about the account itself, or the zero User.
func (l *Lobby) Me() User { return l.users[l.me] }

// All iterates over the players on line, including the account, in no order.
func (l *Lobby) All() iter.Seq2[string, User] { return maps.All(l.users) }

// Clear empties the list; a new connection reports all players again.
func (l *Lobby) Clear() { clear(l.users) }
