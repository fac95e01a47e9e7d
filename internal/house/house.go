// Package house holds the tests of the whole tree: which package may import which, how long
// functions are, which names are exported, what the pages of docs/ name. It has no code.
package house
