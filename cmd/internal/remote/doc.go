// Package remote makes heavy jobs again in another process: it knows which kinds there
// are, and how each is opened from its specification. It knows no network; who carries
// specifications and pieces is the affair of internal/farm and the commands.
package remote
