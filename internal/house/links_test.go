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
	pages := globbed(t, "*.md", "docs/*.md", "docs/*/*.md")
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

// maxWords is how many words all pages of docs may have together, as wc -w counts them.
const maxWords = 45_000

// TestDocs_words fails when docs grow: what is new replaces what is said twice or only history.
func TestDocs_words(t *testing.T) {
	words := 0
	for _, page := range globbed(t, "docs/*.md", "docs/*/*.md") {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		words += len(strings.Fields(string(data)))
	}
	if words < 10_000 || words > maxWords {
		t.Errorf("the pages of docs have %d words, want %d at most", words, maxWords)
	}
}

// globbed lists the files of the module that match one of the patterns.
func globbed(t *testing.T, patterns ...string) (files []string) {
	t.Helper()
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join("../..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	return files
}
