package explain

// Kind names what a fact is about, as in JSON.
type Kind string

// Line is a fact as in JSON.
type Line struct {
	Kind Kind `json:"kind"`
	// Figure holds the figures of the play that the fact speaks of and of the other play, or those of a
	// cube fact; see Kind.
	Figure [2]float64 `json:"figure"`
	// Text is the fact as a sentence.
	Text string `json:"text"`
	// Against marks a fact that speaks for the other play.
	Against bool `json:"against,omitempty"`
	// Share is the part of the difference that the fact explains, absent for the cube.
	Share float64 `json:"share,omitempty"`
	// Rolls are the throws that Figure counts, after either play: "61".
	Rolls [2][]string `json:"rolls,omitzero"`
}

// Doc is a reason within a document: its sentences, and the facts that explain most first.
type Doc struct {
	Reason string `json:"reason,omitempty"`
	Why    []Line `json:"why,omitempty"`
}
