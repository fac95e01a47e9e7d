// Package link packs a match with its analysis into a text that fits into the address of a page, and reads
// it again.
//
// The text is "review=1." and base64url of a CRC-32 and deflated columns: values of one kind stand together,
// as whole numbers of variable length, near to the one before. Written are players, rules, scores, every
// action and comment, and of each analysis what judges: the best play and the one made, chances and money
// equities to 0.001, match winning chances to 0.00001, cube decisions, luck, settings and rollouts' trials
// and errors. Further plays, marks and statistics are left out; an analysis again finds them.
package link
