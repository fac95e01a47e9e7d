// Package results stores measured strength in files: the results of `tune measure` and the duels of
// `tune import`. A file is locked while it is written to, and an
// incomplete last line of a killed process is dropped.
package results
