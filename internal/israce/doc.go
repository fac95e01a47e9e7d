// Package israce reports whether the race detector watches a program. Tests ask it: the detector
// makes computation five to ten times slower.
package israce
