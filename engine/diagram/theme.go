package diagram

// Theme is the colours of a drawing, as SVG writes them.
type Theme struct {
	Felt, Frame, Bar, Tray string
	PointA, PointB         string // of the odd and the even points
	Light, Dark            string // checkers
	Edge                   string // around checkers, dice and the cube
	Cube, CubeText         string
	Text                   string // numbers, names and scores
	Arrow                  string
	// Arrows where two plays are compared: the one made, the same where it loses little, the
	// better one, and what both have in common.
	Made, Minor, Better, Both string
}

// Plain is a theme of fixed colours, for files: it needs nothing but the drawing.
var Plain = Theme{
	Felt: "#e9e4d4", Frame: "#6b4f35", Bar: "#8a6b4a", Tray: "#8a6b4a",
	PointA: "#b98b5e", PointB: "#d8c3a5", Light: "#fbf8f0", Dark: "#3b3530", Edge: "#222222",
	Cube: "#fbf8f0", CubeText: "#222222", Text: "#f3ead8", Arrow: "#1d6fa5",
	Made: "#c8472f", Minor: "#b07a00", Better: "#2f7fc1", Both: "#3d8f4e",
}

// Night is Plain for a dark page.
var Night = Theme{
	Felt: "#3a372f", Frame: "#171512", Bar: "#2a2823", Tray: "#2a2823",
	PointA: "#6f5238", PointB: "#8d7859", Light: "#f1ece0", Dark: "#14120f", Edge: "#000000",
	Cube: "#f1ece0", CubeText: "#222222", Text: "#b9b09c", Arrow: "#6fb7e0",
	Made: "#ff7d63", Minor: "#e3b341", Better: "#6cb7f0", Both: "#79c98a",
}

// Variables takes its colours from CSS variables of the page, --felt, --frame, --bar,
// --tray, --pointa, --pointb, --light, --dark, --edge, --cube, --cubetext, --boardtext,
// --arrow, --made, --minor, --best and --same, and those of Plain where a page does not say. One drawing then serves
// light, dark and print.
var Variables = Theme{
	Felt: css("felt", Plain.Felt), Frame: css("frame", Plain.Frame), Bar: css("bar", Plain.Bar), Tray: css("tray", Plain.Tray),
	PointA: css("pointa", Plain.PointA), PointB: css("pointb", Plain.PointB),
	Light: css("light", Plain.Light), Dark: css("dark", Plain.Dark), Edge: css("edge", Plain.Edge),
	Cube: css("cube", Plain.Cube), CubeText: css("cubetext", Plain.CubeText),
	Text: css("boardtext", Plain.Text), Arrow: css("arrow", Plain.Arrow),
	Made: css("made", Plain.Made), Minor: css("minor", Plain.Minor), Better: css("best", Plain.Better), Both: css("same", Plain.Both),
}

func css(name, fallback string) string { return "var(--" + name + "," + fallback + ")" }
