package testsize

import (
	"flag"
	"testing"
)

func TestBrief(t *testing.T) {
	for _, tt := range []struct {
		env, names, short string
		brief             bool
	}{
		{"", "", "false", true},
		{"all", "", "false", false},
		{"all", "TestBrief", "true", true},
		{"", "TestBrief", "false", Race},
		{"all", "TestBrief", "false", false},
		{"large", "", "false", false},
	} {
		t.Setenv("FIBSBOT_TESTS", tt.env)
		for name, value := range map[string]string{"test.run": tt.names, "test.short": tt.short} {
			old := flag.Lookup(name).Value.String()
			if err := flag.Set(name, value); err != nil {
				t.Fatal(err)
			}
			defer flag.Set(name, old)
		}
		if Brief() != tt.brief {
			t.Errorf("%+v", tt)
		}
	}
}
