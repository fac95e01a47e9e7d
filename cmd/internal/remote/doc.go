// Package remote makes heavy jobs again in another process: it has the kinds of the product and opens
// each from its specification. It knows no network; internal/farm and the commands carry
// specifications and pieces.
package remote
