package server

// The events as the real server writes them: every one has Type and Player. Package wire has
// types of its own for the same lines, so that client and server check each other.
// TestJSON_theClientReadsEveryKey holds the two equal.

type jsonSeat struct {
	Number   int
	Name     string
	Rating   int
	Points   int
	Entered  bool
	Inactive int
	Icon     int
}

type jsonBoard struct {
	Type, Player        string
	Started, Ended      int64
	Player1, Player2    jsonSeat
	Variant             int
	Board               places
	Turn                int
	Roll1, Roll2, Roll3 int
	Moves               [][2]int
	Winner              int
	Points              int
	Crawford            int
	DoubleValue         int
	DoublePlayer        int
	DoubleOffered       bool
	Reroll              bool
	PlayerNumber        int
	Available           [][2]int
	Forced              bool
	Spectating          bool
}

type jsonWelcome struct {
	Type, Player, PlayerName string
	Clients, Games           int
}

type jsonListing struct {
	ID       int
	Password bool
	Points   int
	Players  int
	Rating   int
	Name     string
}

type jsonList struct {
	Type, Player string
	Games        []jsonListing
}

// jsonText is notice, say and ping.
type jsonText struct{ Type, Player, Message string }

type jsonRefusal struct{ Type, Player, Reason string }

type jsonFailedMove struct {
	Type, Player string
	From, To     int
	Reason       string
}

type jsonJoined struct {
	Type, Player         string
	GameID, PlayerNumber int
}

type jsonLeft struct{ Type, Player string }

type jsonRolled struct {
	Type, Player        string
	Roll1, Roll2, Roll3 int
	Selected            bool
}

type jsonMoved struct {
	Type, Player string
	Moves        [][2]int
}

type jsonWin struct {
	Type, Player string
	Points       int
	Rating       int
	Resigned     string
}

type jsonSettings struct {
	Type, Player string
	AutoPlay     bool
	Highlight    bool
	Pips         bool
}
