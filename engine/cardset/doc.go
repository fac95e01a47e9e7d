// Package cardset has quiz cards with known answers: cube reference positions, bearoffs
// and races.
//
// The cards in the program are cards.jsonl.gz, one JSON object a line (see Card). The
// command fibslab cards makes the file: bearoffs have exact equities, the others were rolled
// out. Openings and replies are in package opening.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package cardset
