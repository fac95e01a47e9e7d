package main

import (
	"testing"

	"fibsbot/cmd/internal/doccheck"
)

// TestDocs_commandsAreReal checks every command of fibslab that the README, the pages of docs
// and the examples of the help texts show: it exists and takes these flags and arguments.
func TestDocs_commandsAreReal(t *testing.T) {
	root := newRootCmd()
	all, err := doccheck.All(root, "../..")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 80 {
		t.Fatalf("only %d commands found", len(all))
	}
	for _, c := range all {
		if err := c.Check(root); err != nil {
			t.Errorf("%s: fibslab %s: %v", c.Where, c.Text, err)
		}
	}
}
