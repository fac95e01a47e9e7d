// Package eval says how likely each outcome of a game is: the static evaluators
// by class of position (contact, crashed, race, bearoff, over) behind one type.
package eval
