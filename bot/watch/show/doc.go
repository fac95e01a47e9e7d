// Package show prints what a spectator sees, as `fibsbot watch` does: decisions with the
// engine's opinion as lines, boards or JSON, and what games and matches came to.
package show
