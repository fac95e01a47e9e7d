//go:build !js

// Package picture turns the drawings of package diagram into PNG files.
//
// The shapes are drawn by oksvg, which knows no text; numbers, names and scores are
// drawn here in Go's own font, at the places where the drawing has them.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package picture

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"regexp"
	"strconv"
	"strings"

	"fibsbot/engine/diagram"

	"github.com/srwiley/oksvg"
	"github.com/srwiley/rasterx"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// Width is that of a picture where the diagram names none, in pixels; MaxWidth the
// greatest.
const (
	Width    = 1200
	MaxWidth = 8000
)

var corner = regexp.MustCompile(`\brx="(\d+)"`)

// PNG draws a diagram as a PNG. Variables of a page mean nothing here: a diagram
// without a theme gets Plain. The error is w's, or of a width beyond MaxWidth.
func PNG(w io.Writer, d diagram.Diagram) error {
	if d.Theme == (diagram.Theme{}) || d.Theme == diagram.Variables {
		d.Theme = diagram.Plain
	}
	d.Width = cmp.Or(d.Width, Width)
	if d.Width < 1 || d.Width > MaxWidth {
		return fmt.Errorf("a picture %d pixels wide (use 1 to %d)", d.Width, MaxWidth)
	}
	svg := d.SVG()
	// oksvg rounds a corner only where both radii are given.
	shapes := corner.ReplaceAllString(svg, `rx="$1" ry="$1"`)
	icon, err := oksvg.ReadIconStream(strings.NewReader(shapes), oksvg.IgnoreErrorMode)
	if err != nil {
		return fmt.Errorf("draw: %w", err)
	}
	scale := float64(d.Width) / icon.ViewBox.W
	height := int(icon.ViewBox.H*scale + 0.5)
	icon.SetTarget(0, 0, float64(d.Width), float64(height))
	img := image.NewRGBA(image.Rect(0, 0, d.Width, height))
	icon.Draw(rasterx.NewDasher(d.Width, height, rasterx.NewScannerGV(d.Width, height, img, img.Bounds())), 1)
	if err := texts(img, svg, scale); err != nil {
		return fmt.Errorf("draw text: %w", err)
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		return err
	}
	_, err = w.Write(out.Bytes())
	return err
}

// texts draws the text elements of a drawing.
func texts(img *image.RGBA, svg string, scale float64) error {
	face, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return err
	}
	faces := map[float64]font.Face{}
	in := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := in.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "text" {
			continue
		}
		var text string
		if err := in.DecodeElement(&text, &start); err != nil {
			return err
		}
		at := map[string]string{}
		for _, a := range start.Attr {
			at[a.Name.Local] = a.Value
		}
		number := func(name string) float64 { v, _ := strconv.ParseFloat(at[name], 64); return v * scale }
		size := number("font-size")
		if faces[size] == nil {
			if faces[size], err = opentype.NewFace(face, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull}); err != nil {
				return err
			}
		}
		d := font.Drawer{Dst: img, Src: image.NewUniform(colour(at["fill"])), Face: faces[size]}
		x := fixed.Int26_6(number("x") * 64)
		switch at["text-anchor"] {
		case "middle":
			x -= d.MeasureString(text) / 2
		case "end":
			x -= d.MeasureString(text)
		}
		d.Dot = fixed.Point26_6{X: x, Y: fixed.Int26_6(number("y") * 64)}
		d.DrawString(text)
	}
}

// colour reads #rrggbb; anything else is black.
func colour(s string) color.Color {
	n, err := strconv.ParseUint(strings.TrimPrefix(s, "#"), 16, 32)
	if err != nil || len(s) != 7 {
		return color.Black
	}
	return color.RGBA{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n), A: 0xff}
}
