// Package formats lists the formats that matches are written in, each with its word, its
// extension and what it cannot hold. Package detect reads them all, and more. A format
// is added by a package beside this one and a line in Written.
package formats
