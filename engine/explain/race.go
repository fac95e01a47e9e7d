package explain

import "fibsbot/engine"

// race adds what differs in races.
func (c *comparison) race(e *engine.Engine) {
	c.off(0.9)
	var waste [2]float64
	known := false
	if db := e.Bearoff(); db != nil {
		x, ok := db.Side(&c.s[0].at.Me)
		y, ok2 := db.Side(&c.s[1].at.Me)
		waste, known = [2]float64{x.Wastage, y.Wastage}, ok && ok2
	}
	for i := range c.s {
		if known && waste[1-i]-waste[i] > 0.05 {
			c.add(i, Fact{Kind: Waste, Figures: [2]float64{waste[i], waste[1-i]}}, 0.8)
		}
	}
}

// off adds which play bears off more.
func (c *comparison) off(share float64) {
	x, _ := c.rules.Off(&c.s[0].at)
	y, _ := c.rules.Off(&c.s[1].at)
	switch {
	case x > y:
		c.add(0, Fact{Kind: Off, Figures: [2]float64{float64(x), float64(y)}}, share)
	case y > x:
		c.add(1, Fact{Kind: Off, Figures: [2]float64{float64(y), float64(x)}}, share)
	}
}
