// Package flagrule refuses flags that a command would otherwise ignore silently.
package flagrule

import (
	"fmt"

	"github.com/spf13/cobra"
)

// given are the flags of names on the command line, in the order of names.
func given(cmd *cobra.Command, names []string) (list []string) {
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			list = append(list, name)
		}
	}
	return list
}

// NotEmpty refuses flags with an empty value, as from an unset variable of a script.
func NotEmpty(cmd *cobra.Command, names ...string) error {
	for _, name := range given(cmd, names) {
		if cmd.Flag(name).Value.String() == "" {
			return fmt.Errorf("--%s: the value is empty", name)
		}
	}
	return nil
}

// Apart refuses the flags of names beside the flag called name.
func Apart(cmd *cobra.Command, name string, names ...string) error {
	if list := given(cmd, names); cmd.Flags().Changed(name) && len(list) > 0 {
		return fmt.Errorf("--%s: does not go with --%s", list[0], name)
	}
	return nil
}

// Needs refuses the flags of names without the flag called name, a switch.
func Needs(cmd *cobra.Command, name string, names ...string) error {
	if list := given(cmd, names); cmd.Flag(name).Value.String() != "true" && len(list) > 0 {
		return fmt.Errorf("--%s: needs --%s", list[0], name)
	}
	return nil
}
