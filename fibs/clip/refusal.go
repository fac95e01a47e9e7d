package clip

//go:generate go run golang.org/x/tools/cmd/stringer@v0.52.0 -linecomment -output=string.go -type=Kind,Result,Cause

// Refusal reports whether the line means that our command had no effect.
func (k Kind) Refusal() bool {
	return k == WaitForMove || k >= NoSuchPlayer && k < kindCount
}
