package notify

import (
	"encoding/json"
	"time"
)

// The kinds of event; package config has the same words, without Heartbeat and Test.
const (
	MatchBegun     = "match_begun"
	MatchEnded     = "match_ended"
	Disconnected   = "disconnected"
	Connected      = "connected" // again, after Disconnected
	LoginRefused   = "login_refused"
	AccountStopped = "account_stopped"
	ArchiveFailed  = "archive_failed"
	IndexFailed    = "index_failed"
	BearoffFailed  = "bearoff_failed"
	RatingLow      = "rating_low"
	RatingHigh     = "rating_high"
	Complaint      = "complaint"
	BlockList      = "block_list"
	Heartbeat      = "heartbeat" // see Beat
	Test           = "test"      // of `config check --notify`
)

// Event is something an operator may want to know.
type Event struct {
	ID      string    `json:"id"`
	Kind    string    `json:"event"`
	At      time.Time `json:"at"`
	Account string    `json:"account,omitempty"`
	Server  string    `json:"server,omitempty"`
	// Opponent is the other player, where there is one.
	Opponent string `json:"opponent,omitempty"`
	// Text says it in a sentence.
	Text string `json:"text"`
	// Data are the figures: length, score, result, error_rate, rating and so on.
	Data map[string]any `json:"data,omitempty"`
	// Omitted counts events of this kind that were left out before this one,
	// because there were more than the limit allows.
	Omitted int `json:"omitted,omitempty"`
}

func (e *Event) body() ([]byte, error) { return json.Marshal(e) }
