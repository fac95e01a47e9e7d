package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/config"
)

// TestGroup: an opponent of any name gets a folder, and two opponents get two.
func TestGroup(t *testing.T) {
	c := config.Default()
	c.Archive.Group = "opponent"
	dir := t.TempDir()
	seen := map[string]bool{}
	for _, name := range []string{"bob", "../../etc", strings.Repeat("n", 255), strings.Repeat("n", 254), strings.Repeat("x", 10_000)} {
		part := group(c, &job{them: name})
		if err := os.Mkdir(filepath.Join(dir, part), 0o755); err != nil || seen[part] || !filepath.IsLocal(part) {
			t.Errorf("%.20s: %q: %v", name, part, err)
		}
		seen[part] = true
	}
}
