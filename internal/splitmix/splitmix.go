// Package splitmix is the generator splitmix64 (G. L. Steele, D. Lea and C. H. Flood,
// "Fast splittable pseudorandom number generators", OOPSLA 2014) as a function of the
// index in its sequence, for tables of fixed numbers and for seeds made from counters.
package splitmix

// Gamma is the step of the sequence: 2^64 divided by the golden ratio, made odd.
const Gamma = 0x9e3779b97f4a7c15

// At returns number n, from 0, of the sequence that begins at seed.
func At(seed, n uint64) uint64 {
	z := seed + (n+1)*Gamma
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
