package ops

import "time"

// Status is what `fibsbot status` shows: the whole process at one moment.
type Status struct {
	Version  string    `json:"version"`
	Started  time.Time `json:"started"`
	Draining bool      `json:"draining"`
	Config   string    `json:"config"`
	// ConfigError is the problem of the last reload, empty when it worked.
	ConfigError string `json:"config_error,omitempty"`
	// IndexError is why the index fails; matches are filed without it.
	IndexError string    `json:"index_error,omitempty"`
	Accounts   []Account `json:"accounts"`
	// Saved and Ended are set for pages only.
	Saved []Saved `json:"saved,omitempty"`
	Ended []Ended `json:"ended,omitempty"`
}

// Account is the state of one login.
type Account struct {
	Name      string    `json:"name"`
	Server    string    `json:"server"`
	State     string    `json:"state"` // connecting, ready, playing, waiting, stopped
	Connected bool      `json:"connected"`
	LastLine  time.Time `json:"last_line,omitzero"`
	Rating    float64   `json:"rating,omitempty"`
	Opponent  string    `json:"opponent,omitempty"`
	Match     string    `json:"match,omitempty"` // as "3-2 in 5 points"
	Preset    string    `json:"preset,omitempty"`
	Board     string    `json:"position_id,omitempty"`
	Finished  int       `json:"matches_finished"`
	Won       int       `json:"matches_won"`
	Queue     int       `json:"send_queue"`
	// Paused and Leaving are so by order; Leaving also after the last of the matches to play.
	Paused  bool `json:"paused,omitempty"`
	Leaving bool `json:"leaving,omitempty"`
	// Waiting is why a disconnected account does not try to connect now.
	Waiting string `json:"waiting,omitempty"`
	// NotInviting is why matchmaking invites no one now.
	NotInviting string `json:"not_inviting,omitempty"`
	// Journal says why the journals cannot be written, empty while they can. The
	// account does not play until they can.
	Journal string `json:"journal_error,omitempty"`
	Error   string `json:"error,omitempty"`
	// LeftAlone are the people whom the account does not play, invite or talk to for now.
	LeftAlone []Person `json:"left_alone,omitempty"`
	// Live is set for pages only.
	Live *Live `json:"live,omitempty"`
}

// Person is someone whom an account leaves alone.
type Person struct {
	Name  string    `json:"name"`
	Why   string    `json:"why"`
	Until time.Time `json:"until,omitzero"` // zero without an end
}

// Ready reports whether the process can do its work: at least one account is logged in.
func (s Status) Ready() bool {
	for _, a := range s.Accounts {
		if a.Connected {
			return true
		}
	}
	return false
}
