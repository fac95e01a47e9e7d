// Package report shows an analysed match to people: as a text summary like GNU
// Backgammon's, as the JSON that scripts read, and as one HTML page that needs
// nothing else - boards are drawn as inline SVG, no script, no font, no network.
package report
