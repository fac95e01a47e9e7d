// Package bearoff has databases for the end of the game: how many rolls a player
// needs to take the checkers off, and in small positions the exact chance and
// cube value of the race against the other player.
//
// Four kinds of database exist, each with its own builder and the same kind of
// file:
//
//   - OneSided: for every placement of up to 15 checkers on the lowest points,
//     the chance of needing 0, 1, 2, ... rolls to bear off all of them, and to
//     bear off the first of fifteen (which saves the gammon). Play is the one that
//     minimises the mean number of rolls. Two distributions together give the
//     chances of the race.
//   - Normal: the means and variances of those distributions alone, a quarter of
//     the size; chances by the normal approximation.
//   - TwoSided: for every pair of placements the exact cubeless equity and the
//     three exact money equities with the cube on my side, in the middle and on
//     the other side. No gammons, no Jacoby, no beavers.
//   - Hyper: hypergammon, the game of one to three checkers a side, solved by
//     repeating one-roll look-ahead until nothing changes.
//
// A placement is known by its number: the count of all placements that come
// before it, fewer checkers first, then low points first (see Index). A Source
// joins a one-sided and a two-sided database and answers the questions of the
// evaluator and the cube.
//
// Files are checked before use: sha-256 over header and checksum table at opening, CRC-32C
// over each block when it is first read, so that a file far bigger than memory opens at
// once. Damaged data are reported as ErrDamaged and never used.
//
// The databases of gnubg, and Hugh Sconyers' of 15 checkers a side, are read too; they have
// no checksums: see OpenGnubg and sconyers.go.
//
// The definitions follow the GNU Backgammon manual (bearoff chapters); the
// algorithms and the file format are this project's own.
package bearoff
