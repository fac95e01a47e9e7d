package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fibsbot/internal/licence"
)

// bom is a CycloneDX 1.5 document, the part of it that is used. It has no serial number:
// the same sources make the same document.
type bom struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
	Depends    []depends   `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type     string     `json:"type"`
	Ref      string     `json:"bom-ref"`
	Name     string     `json:"name"`
	Version  string     `json:"version"`
	PURL     string     `json:"purl"`
	Licences []licensed `json:"licenses"`
}

type licensed struct {
	Licence struct {
		ID string `json:"id"`
	} `json:"license"`
}

type depends struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn,omitempty"`
}

func licencesOf(ids []string) (out []licensed) {
	for _, id := range ids {
		var l licensed
		l.Licence.ID = id
		out = append(out, l)
	}
	return out
}

// sbom writes the list of components.
func (r *release) sbom(mods []licence.Module) error {
	self := "pkg:golang/fibsbot@" + r.version
	b := bom{Format: "CycloneDX", Spec: "1.5", Version: 1, Metadata: metadata{Timestamp: r.at.Format(time.RFC3339),
		Component: component{Type: "application", Ref: self, Name: "fibsbot", Version: r.version, PURL: self, Licences: licencesOf([]string{"Apache-2.0"})}}}
	all := depends{Ref: self}
	for _, m := range mods {
		purl := fmt.Sprintf("pkg:golang/%s@%s", m.Path, strings.ReplaceAll(m.Version, "+", "%2B"))
		b.Components = append(b.Components, component{Type: "library", Ref: purl, Name: m.Path, Version: m.Version, PURL: purl, Licences: licencesOf(m.Licences)})
		all.On = append(all.On, purl)
	}
	b.Depends = []depends{all}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(b); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, "fibsbot-"+strings.TrimPrefix(r.version, "v")+".cdx.json"), text.Bytes(), 0o644)
}

// sums writes SHA256SUMS, which sha256sum -c reads.
func (r *release) sums() error {
	list, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, e := range list { // in order
		data, err := os.ReadFile(filepath.Join(r.out, e.Name()))
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		fmt.Fprintf(&b, "%s  %s\n", hex.EncodeToString(sum[:]), e.Name())
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(b.String()), 0o644)
}
