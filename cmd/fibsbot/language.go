package main

import (
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/figure"
	"fibsbot/internal/texts"
)

// languageFlag is --language.
type languageFlag struct{ name string }

func (f *languageFlag) add(fl *pflag.FlagSet, what string) {
	fl.StringVar(&f.name, "language", "", what+": "+languages()+" or a file as nl.json (default en)")
}

// languages lists those with a catalogue.
func languages() string {
	out := ""
	for i, name := range texts.Languages() {
		if i > 0 {
			out += ", "
		}
		out += name
	}
	return out
}

// open returns the catalogue, and says on w what a file of the user's lacks.
func (f *languageFlag) open(w io.Writer) (*texts.Catalogue, error) {
	if f.name == "" {
		return nil, nil
	}
	c, err := texts.Open(f.name)
	if err != nil {
		return nil, cmdline.Usagef("--language: %w", err)
	}
	if _, built := texts.Find(f.name); !built {
		if missing, unknown := c.Missing(); missing+unknown > 0 {
			fmt.Fprintf(w, "fibsbot: %s: %s in English, %d unknown\n", f.name, figure.Count(missing, "text"), unknown)
		}
	}
	return c, nil
}
