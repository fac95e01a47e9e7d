package watch

import (
	"os"
	"testing"
)

// TestWatcher_archiveOffAndOwnStopText: watch.archive: false leaves no file, and
// watch.texts.stop answers a request to stop.
func TestWatcher_archiveOffAndOwnStopText(t *testing.T) {
	dir := t.TempDir()
	cfg := wanted("carl")
	cfg.Archive, cfg.Channel, cfg.Texts.Stop = false, ChannelKibitz, "Bin schon still."
	d := newTester(t, nil, cfg, dir)
	d.hear(who("carl", "dora", 1900.5), who("dora", "carl", 1700))
	d.hear("You're now watching carl.", start("carl", "dora"), "carl moves 8-5 6-5 .", "dora rolls 6 and 4", "dora moves 1-11 .")
	d.expect("the answer", d.hear("15 dora stop"), "tellx dora Bin schon still.")
	d.expect("a second request", d.hear("15 dora stop"))
	if err := d.w.Close(d.now); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 0 {
		t.Errorf("files %v, %v", files, err)
	}
}
