package house

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	mdLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	mdHeading = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	notAnchor = regexp.MustCompile(`[^a-z0-9 _-]`)
)

// anchor is the link to a heading, as GitHub makes it.
func anchor(heading string) string {
	return strings.ReplaceAll(notAnchor.ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), ""), " ", "-")
}

// TestDocs_links follows every link between pages and pictures, to its heading too, and
// finds pages and pictures that no page leads to.
func TestDocs_links(t *testing.T) {
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md"} {
		found, err := filepath.Glob(filepath.Join("../..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	linked := map[string]bool{}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range mdLink.FindAllStringSubmatch(string(text), -1) {
			u, err := url.Parse(m[1])
			if err != nil {
				t.Errorf("%s: %s is not a link: %v", page, m[1], err)
				continue
			}
			if u.Scheme != "" {
				continue
			}
			target := page
			if u.Path != "" {
				target = filepath.Join(filepath.Dir(page), u.Path)
			}
			linked[target] = true
			data, err := os.ReadFile(target)
			if st, statErr := os.Stat(target); statErr == nil && st.IsDir() {
				continue
			}
			if err != nil {
				t.Errorf("%s: the link %s leads nowhere", page, m[1])
				continue
			}
			if u.Fragment == "" || !strings.HasSuffix(target, ".md") {
				continue
			}
			known := false
			for _, h := range mdHeading.FindAllStringSubmatch(string(data), -1) {
				known = known || anchor(h[1]) == u.Fragment
			}
			if !known {
				t.Errorf("%s: %s has no heading #%s", page, target, u.Fragment)
			}
		}
	}
	pictures, err := filepath.Glob("../../docs/pictures/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(pages, pictures...) {
		if file != "../../README.md" && !linked[file] {
			t.Errorf("no page links to %s", file)
		}
	}
	if len(pages) < 20 {
		t.Fatalf("only %d pages found", len(pages))
	}
}
