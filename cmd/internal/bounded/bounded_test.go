package bounded

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func TestOf(t *testing.T) {
	var whole int
	var real float64
	var short float32
	fl := pflag.NewFlagSet("test", pflag.ContinueOnError)
	fl.Var(Of(&whole, 4, 1, 9), "whole", "")
	fl.Var(Of(&real, 0.5, 0, 1), "real", "")
	fl.Var(Of(&short, 0.13, 0, 1), "short", "")
	if usage := fl.FlagUsages(); !strings.Contains(usage, "--whole int") || !strings.Contains(usage, "(default 0.5)") || !strings.Contains(usage, "(default 0.13)") {
		t.Errorf("help %s", usage)
	}
	for arg, want := range map[string]string{
		"--whole=9": "", "--whole=0": "--whole\" flag: 0 is not between 1 and 9", "--whole=2.5": "not a whole number", "--whole=99999999999999999999": "not a whole number",
		"--real=1": "", "--real=NaN": "NaN is not between 0 and 1", "--real=-1": "-1 is not between", "--real=inf": "+Inf is not between", "--real=x": "\"x\" is not a number",
		"--short=1e-3": "", "--short=2": "2 is not between",
	} {
		if err := fl.Parse([]string{arg}); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", arg, err)
		}
	}
	if whole != 9 || real != 1 || short != 1e-3 {
		t.Errorf("%v %v %v", whole, real, short)
	}
}
