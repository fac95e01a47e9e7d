package licence

import (
	"strings"
	"testing"
)

func TestIdentify(t *testing.T) {
	for _, tt := range []struct{ name, body, want string }{
		{"LICENSE", "MIT License\n\nPermission is hereby granted, free\n of charge, to any person obtaining a copy", "MIT"},
		{"LICENSE", "  Apache License\n  Version 2.0, January 2004", "Apache-2.0"},
		{"LICENSE", "Redistributions in binary form must reproduce the above copyright ... nor the names of its", "BSD-3-Clause"},
		{"LICENSE", "Redistributions in binary form must reproduce the above copyright notice", "BSD-2-Clause"},
		{"LICENSE", "This project is covered by two different licenses: MIT and Apache.", "Apache-2.0 MIT"},
		{"NOTICE", "Copyright by somebody", ""},
		{"LICENSE", "All rights reserved. Ask first.", "error"},
		{"LICENSE", "GNU GENERAL PUBLIC LICENSE Version 3", "error"},
		{"LICENSE", "Mozilla Public License Version 2.0", "error"},
	} {
		got, err := identify("example.org/x", tt.name, tt.body)
		text := strings.Join(got, " ")
		if err != nil {
			text = "error"
		}
		if text != tt.want {
			t.Errorf("%.40q: %s (%v), want %s", tt.body, text, err, tt.want)
		}
	}
}
