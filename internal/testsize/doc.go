// Package testsize tells tests how much to do. A plain "go test ./..." leaves out the large ones, which
// drive browsers and processes or compute for long, and takes a sample of those that repeat themselves:
// minutes instead of a quarter of an hour. With -short the medium ones are left out too: what remains takes a
// minute. FIBSBOT_TESTS=all runs everything, FIBSBOT_TESTS=large the large ones and whole those of which there
// was a sample; so does -run for the tests that it names, except with the
// race detector, which makes computation five to ten times slower.
package testsize
