// Package opengammon reads OGXM, the binary match of OpenGammon and HedgeHog
// (specification CC BY 4.0, version 2): the match, its games and plies. Analyses,
// comments, clocks and signatures in the file are passed over.
//
// White becomes player 0, Black player 1. Facts come from the published list of
// fields; no file was at hand.
package opengammon
