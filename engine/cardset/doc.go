// Package cardset has quiz cards with known answers: cube reference positions, bearoffs
// and races.
//
// The cards in the program are cards.jsonl.gz, one JSON object a line (see Card). Bearoffs
// have exact equities, the others were rolled out by fibsbot-19. Openings and replies are in package opening.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package cardset
