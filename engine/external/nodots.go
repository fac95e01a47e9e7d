package external

import (
	"encoding/json"
	"errors"
	"fmt"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// nodotsVersion is the protocol's version that is spoken here.
const nodotsVersion = "1"

// nodotsRequest is what the Nodots engine protocol, version 1, asks. Values that the
// protocol leaves open: cubeValue and cubeOwner on take are those before the double.
type nodotsRequest struct {
	PositionID string  `json:"positionId"`
	Convention string  `json:"positionIdConvention"` // "" is opponentFirst
	Dice       []int   `json:"dice,omitempty"`       // of move alone
	Colour     string  `json:"activePlayerColor"`
	Direction  string  `json:"activePlayerDirection"`
	Cube       int     `json:"cubeValue"`
	Owner      *string `json:"cubeOwner"`
	Score      [2]int  `json:"matchScore"` // white, black
	Length     int     `json:"matchLength"`
	Crawford   bool    `json:"crawford"`
	Jacoby     bool    `json:"jacoby"`
	Beavers    bool    `json:"beavers"`
}

// The words of requests.
const (
	white            = "white"
	black            = "black"
	clockwise        = "clockwise"
	counterclockwise = "counterclockwise"
	onRollFirst      = "on-roll-first"
	opponentFirst    = "opponent-first" // as gnubg writes it
)

// nodotsStep is one checker moved with one die: points as the mover counts them, 0 the bar as
// from and off as to.
type nodotsStep struct {
	From          int    `json:"from"`
	To            int    `json:"to"`
	IsHit         bool   `json:"isHit"`
	Player        string `json:"player"`
	MoveKind      string `json:"moveKind"`
	FromContainer string `json:"fromContainer"`
	ToContainer   string `json:"toContainer"`
}

// nodotsMoves answers /v1/move.
type nodotsMoves struct {
	Moves  []nodotsStep `json:"moves"`
	Equity *float64     `json:"equity,omitempty"`
}

// nodotsAction answers /v1/double, /v1/take and /v1/resign.
type nodotsAction struct {
	Action string `json:"action"`
}

// nodotsHealth answers /v1/health.
type nodotsHealth struct {
	Status          string `json:"status"`
	EngineName      string `json:"engineName"`
	EngineVersion   string `json:"engineVersion"`
	ProtocolVersion string `json:"protocolVersion"`
}

// nodotsFault is an error of the protocol.
type nodotsFault struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Field   string `json:"field,omitempty"`
}

// The codes of errors.
const (
	badPositionID = "invalid_position_id"
	badRequest    = "invalid_request"
	unsupported   = "unsupported"
	timedOut      = "timeout"
	internalFault = "internal"
)

func (f *nodotsFault) Error() string {
	if f.Field != "" {
		return f.Field + ": " + f.Message
	}
	return f.Message
}

// badField is the error of a field that cannot be.
func badField(field, format string, args ...any) error {
	return &nodotsFault{Code: badRequest, Field: field, Message: fmt.Sprintf(format, args...)}
}

// position reads the Position ID as the active player sees it.
func (r *nodotsRequest) position() (p board.Position, err error) {
	if r.Convention != "" && r.Convention != opponentFirst && r.Convention != onRollFirst {
		return p, badField("positionIdConvention", "%.40q is neither %s nor %s", r.Convention, onRollFirst, opponentFirst)
	}
	if p, err = board.ParseID(r.PositionID); err == nil {
		if r.Convention == onRollFirst {
			p = p.Swap()
		}
		err = p.Validate()
	}
	if err != nil {
		return p, &nodotsFault{Code: badPositionID, Field: "positionId", Message: err.Error()}
	}
	return p, nil
}

// board reads the situation as the active player sees it, without dice.
func (r *nodotsRequest) board() (q Board, err error) {
	if q.Position, err = r.position(); err != nil {
		return q, err
	}
	if r.Colour != white && r.Colour != black {
		return q, badField("activePlayerColor", "%.40q is neither white nor black", r.Colour)
	}
	if r.Direction != "" && r.Direction != clockwise && r.Direction != counterclockwise {
		return q, badField("activePlayerDirection", "%.40q is neither clockwise nor counterclockwise", r.Direction)
	}
	st := match.State{Length: r.Length, Cube: max(1, r.Cube), Jacoby: r.Jacoby && r.Length == 0, Crawford: r.Crawford}
	if r.Beavers && r.Length == 0 {
		st.Beavers = match.DefaultBeavers
	}
	if r.Length > 0 {
		st.Score = r.Score
		if r.Colour == black {
			st.Score = [2]int{r.Score[1], r.Score[0]}
		}
	}
	switch {
	case r.Owner == nil:
	case *r.Owner == r.Colour:
		st.Owner = match.Mine
	case *r.Owner == white || *r.Owner == black:
		st.Owner = match.Theirs
	default:
		return q, badField("cubeOwner", "%.40q is neither white nor black nor null", *r.Owner)
	}
	q.State = st
	return q, r.fault(q.Validate())
}

// fault names the fields of a situation that cannot be.
func (r *nodotsRequest) fault(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, board.ErrIllegalPosition):
		return &nodotsFault{Code: badPositionID, Field: "positionId", Message: err.Error()}
	}
	return badField("", "%v", err)
}

// roll reads the dice.
func (r *nodotsRequest) roll() (board.Dice, error) {
	if len(r.Dice) != 2 {
		return board.Dice{}, badField("dice", "%d dice (want 2)", len(r.Dice))
	}
	for _, n := range r.Dice {
		if n < 1 || n > 6 {
			return board.Dice{}, badField("dice", "%d is not 1 to 6", n)
		}
	}
	return board.Dice{A: uint8(r.Dice[0]), B: uint8(r.Dice[1])}.Sorted(), nil
}

// newNodotsRequest asks about q as the player on roll sees it, who is white and moves clockwise.
func newNodotsRequest(q *Board) nodotsRequest {
	st := &q.State
	r := nodotsRequest{
		PositionID: q.Position.ID(), Convention: opponentFirst, Colour: white, Direction: clockwise,
		Cube: st.Cube, Score: st.Score, Length: st.Length, Crawford: st.Crawford, Jacoby: st.Jacoby, Beavers: st.Beavers > 0,
	}
	if owner := map[match.Owner]string{match.Mine: white, match.Theirs: black}[st.Owner]; owner != "" {
		r.Owner = &owner
	}
	if q.Dice.Valid() {
		r.Dice = []int{int(q.Dice.A), int(q.Dice.B)}
	}
	return r
}

// nodotsSteps writes a play of the player on roll at p.
func nodotsSteps(p board.Position, play *board.Play, colour string) []nodotsStep {
	steps := []nodotsStep{}
	for _, s := range play.Steps[:play.N] {
		m := nodotsStep{From: int(s.From) + 1, To: int(s.To) + 1, Player: colour, MoveKind: "point-to-point", FromContainer: "point", ToContainer: "point"}
		switch {
		case s.From == board.Bar:
			m.From, m.FromContainer, m.MoveKind = 0, "bar", "reenter"
		case s.To == board.Off:
			m.To, m.ToContainer, m.MoveKind = 0, "off", "bear-off"
		}
		if s.To != board.Off && p.Opp[23-s.To] == 1 {
			m.IsHit, p.Opp[23-s.To] = true, 0
		}
		steps = append(steps, m)
	}
	return steps
}

// text writes the steps of an answer as a play that board.ParsePlay reads.
func (m *nodotsMoves) text() string {
	var out []byte
	for _, s := range m.Moves[:min(len(m.Moves), 4)] {
		out = fmt.Appendf(out, "%s/%s ", pointWord(s.From, "bar"), pointWord(s.To, "off"))
	}
	return string(out)
}

func pointWord(n int, zero string) string {
	if n == 0 {
		return zero
	}
	return fmt.Sprint(n)
}

// readFault reads the error of an answer; nil if it holds none.
func readFault(body []byte) error {
	var f struct {
		Error *nodotsFault `json:"error"`
	}
	if json.Unmarshal(body, &f) != nil || f.Error == nil {
		return nil
	}
	return fmt.Errorf("%.40q: %.120q", f.Error.Code, f.Error.Error())
}
