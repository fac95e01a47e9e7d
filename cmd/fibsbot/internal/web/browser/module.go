package browser

// moduleMarker is a file that only a module has.
const moduleMarker = "fibsbot.js"

// WriteModule writes the engine to the folder dir as a JavaScript module for other pages, with
// its types and an example. A folder that has files must hold an earlier module: the files of
// the new one replace it.
func WriteModule(dir, version string, p *Program) error {
	if err := usable(dir, moduleMarker); err != nil {
		return err
	}
	out, err := engineFiles(p)
	if err != nil {
		return err
	}
	out[licencesName] = p.Licences
	v := values{Version: version, Size: len(p.Packed)}
	if out[moduleMarker], err = v.fill("module/" + moduleMarker); err != nil {
		return err
	}
	for _, name := range []string{"fibsbot.d.ts", "example.html"} {
		if out[name], err = files.ReadFile("site/module/" + name); err != nil {
			return err
		}
	}
	return save(dir, out)
}
