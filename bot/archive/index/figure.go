package index

import "fibsbot/internal/figure"

// Figure is a measured number, NULL in the database if it was not measured.
type Figure = figure.Figure

// unknown is the Figure of nothing measured.
var unknown = figure.Unknown
