// Package chromium opens pages in headless Chromium for tests.
package chromium

import (
	"context"
	"os/exec"
	"sync"
	"testing"
	"time"

	"fibsbot/internal/testsize"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// Patience bounds what a loaded machine may take for one step.
const Patience = 3 * time.Minute

// shared is the browser of all tests of a package that need no flags of their own.
var shared struct {
	sync.Mutex
	ctx  context.Context
	stop func()
}

// Shared returns a browser context of its own, with its own storage and cookies, in the package's
// one Chromium. Tests with it run in parallel. It skips the test without Chromium, with -short and
// with the race detector. TestMain must call [Run].
func Shared(t *testing.T) context.Context {
	t.Helper()
	path := need(t, shells...)
	t.Parallel()
	shared.Lock()
	if shared.ctx == nil {
		ctx, stop, err := start(context.Background(), path)
		if err != nil {
			shared.Unlock()
			t.Fatalf("start chromium: %v", err)
		}
		shared.ctx, shared.stop = ctx, stop
	}
	shared.Unlock()
	ctx, closeWindow, err := window(shared.ctx)
	if err != nil {
		t.Fatalf("open a window: %v", err)
	}
	t.Cleanup(closeWindow)
	return ctx
}

// window opens a window in a new browser context, which further tabs inherit: Chromium opens no tab
// in a context that has no window.
func window(browser context.Context) (context.Context, func(), error) {
	c := chromedp.FromContext(browser)
	do := cdp.WithExecutor(browser, c.Browser)
	id, err := target.CreateBrowserContext().WithDisposeOnDetach(true).Do(do)
	if err != nil {
		return nil, nil, err
	}
	first, err := target.CreateTarget("about:blank").WithBrowserContextID(id).WithNewWindow(true).Do(do)
	if err != nil {
		return nil, nil, err
	}
	ctx, closeTab := chromedp.NewContext(browser, chromedp.WithTargetID(first))
	if err := chromedp.Run(ctx); err != nil {
		return nil, nil, err
	}
	chromedp.FromContext(ctx).BrowserContextID = id
	return ctx, func() {
		closeTab()
		_ = target.DisposeBrowserContext(id).Do(do) // the browser is closed later in any case
	}, nil
}

// Own starts a whole Chromium with these flags for one test: it has profiles, and installs sites.
func Own(t *testing.T, flags ...chromedp.ExecAllocatorOption) context.Context {
	t.Helper()
	ctx, stop, err := start(t.Context(), need(t, whole), flags...)
	if err != nil {
		t.Fatalf("start chromium: %v", err)
	}
	t.Cleanup(stop)
	return ctx
}

// Run runs the tests of a package, closes their shared browser and returns the exit status.
func Run(m *testing.M) int {
	code := m.Run()
	if shared.stop != nil {
		shared.stop()
	}
	return code
}

// whole is the program of Chromium.
const whole = "chromium"

// shells are programs for shared browsers, the best first: one without windows takes half the processor's
// time. Debian's command for it is a script, which would be killed in its place.
var shells = []string{"/usr/lib/chromium/chromium-headless-shell", "chrome-headless-shell", whole}

// need returns the path of the first of these programs that is installed, or skips the test.
func need(t *testing.T, programs ...string) string {
	t.Helper()
	testsize.Large(t)
	if testing.Short() {
		t.Skip("starts a browser")
	}
	for _, name := range programs {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no chromium installed (Debian: apt-get install chromium)")
	return ""
}

// start leaves the folder of the profile to chromedp: Chromium's children may still write when a
// test ends, and the test's own folder would fail it then.
func start(ctx context.Context, path string, flags ...chromedp.ExecAllocatorOption) (context.Context, func(), error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("renderer-process-limit", "1"), chromedp.WSURLReadTimeout(Patience))
	ctx, stopAll := chromedp.NewExecAllocator(ctx, append(options, flags...)...)
	ctx, closeTab := chromedp.NewContext(ctx, chromedp.WithErrorf(func(string, ...any) {})) // newer events are errors to it
	stop := func() {
		_ = chromedp.Cancel(ctx) // waits until the browser has gone
		closeTab()
		stopAll()
	}
	if err := chromedp.Run(ctx); err != nil {
		stop()
		return nil, nil, err
	}
	return ctx, stop, nil
}
