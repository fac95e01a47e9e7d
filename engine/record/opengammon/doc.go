// Package opengammon reads OGXM, the binary match of OpenGammon and HedgeHog
// (specification CC BY 4.0, version 2): the match, its games and plies, what analyses say
// of plays, cube and luck, and comments. Clocks, videos and signatures are passed over.
//
// Of several analyses the first counts for each decision. The equities of cube decisions
// in matches are winning chances whatever the file calls them; those of plays are only where
// the file states it, as writers differ.
//
// White becomes player 0, Black player 1. Facts come from the published list of
// fields; no file was available.
package opengammon
