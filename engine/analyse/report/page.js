(() => {
  'use strict';
  const $ = id => document.getElementById(id);
  // The decisions wait as text in the part for readers without scripts: nothing of it is
  // built, or even searched, before it is looked at. The mark of each, a letter, is apart.
  const text = $('all').textContent;
  const names = { v: 'very_bad', b: 'bad', d: 'doubtful', o: 'ok' };
  const marks = [...$('all').dataset.marks].map(c => names[c]);
  const total = marks.length;
  const article = n => {
    const from = text.indexOf('<article id=d' + n + ' '), to = text.indexOf('<article id=d', from + 1);
    return text.slice(from, to < 0 ? text.length : to);
  };
  const card = $('card'), limit = $('lim'), curve = document.querySelector('.curve');
  let now = 0, lit = [];

  const wanted = () => limit.value.split(' ');
  const seek = (from, way, kinds) => {
    for (let i = from + way; i >= 1 && i <= total; i += way) if (kinds.includes(marks[i - 1])) return i;
    return 0;
  };

  function show(n, from) {
    if (!total) return;
    n = Math.min(total, Math.max(1, n));
    now = n;
    card.innerHTML = article(n).replace('<article id=d' + n, '<article'); // the address must not scroll to it
    for (const c of card.querySelectorAll('.ids code')) {
      const b = document.createElement('button');
      const name = ['XGID', 'OGID'].find(k => c.textContent.startsWith(k + '=')) || 'Position and Match ID';
      b.className = 'cp';
      b.type = 'button';
      b.textContent = 'Copy ' + name;
      b.onclick = () => copy(c.textContent, b);
      c.replaceWith(b);
      b.title = c.textContent;
    }
    $('where').textContent = n + ' of ' + total;
    $('pv').disabled = n === 1;
    $('nx').disabled = n === total;
    $('pe').disabled = !seek(n, -1, wanted());
    $('ne').disabled = !seek(n, 1, wanted());
    for (const a of lit) a.classList.remove('on');
    lit = [...document.querySelectorAll('.sheet a[href="#d' + n + '"]')];
    for (const a of lit) a.classList.add('on');
    // To ask where things are before the page has been laid out would lay it out twice.
    if (from !== 'sheet') requestAnimationFrame(follow);
    point(n);
    if (from !== 'load') history.replaceState(null, '', '#d' + n);
  }

  // The sheet moves so that the play in hand is in the middle of what is seen of it.
  function follow() {
    const tab = $('sheet');
    if (!lit.length || !tab.classList.contains('on') || !matchMedia('(min-width:64rem)').matches || tab.scrollHeight <= tab.clientHeight) return;
    const box = tab.getBoundingClientRect();
    tab.scrollTop += lit[0].getBoundingClientRect().top - (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2;
  }

  function copy(value, button) {
    const done = () => {
      button.classList.add('ok');
      setTimeout(() => button.classList.remove('ok'), 900);
    };
    const old = () => {
      const t = document.createElement('textarea');
      t.value = value;
      document.body.append(t);
      t.select();
      if (document.execCommand('copy')) done();
      t.remove();
    };
    if (navigator.clipboard && window.isSecureContext) navigator.clipboard.writeText(value).then(done, old);
    else old();
  }

  // The curve: a click leads to the decision nearest to it.
  const at = curve ? curve.dataset.at.split(' ').map(Number) : [];
  const left = curve ? +curve.dataset.left : 0, right = curve ? +curve.dataset.right : 0;
  function point(n) {
    if (!curve) return;
    let i = at.findIndex(v => v >= n);
    if (i < 0) i = at.length - 1;
    const x = left + i * (right - left) / (at.length - 1), line = curve.querySelector('.now');
    line.setAttribute('x1', x);
    line.setAttribute('x2', x);
  }
  curve?.addEventListener('click', e => {
    if (e.target.closest('a')) return;
    const box = curve.getBoundingClientRect();
    const x = (e.clientX - box.left) / box.width * curve.viewBox.baseVal.width;
    const i = Math.round((x - left) / (right - left) * (at.length - 1));
    go(at[Math.min(at.length - 1, Math.max(0, i))], 'curve');
  });

  function go(n, from) {
    show(n, from);
    const box = $('view').getBoundingClientRect();
    if (from && (box.top < 0 || box.top > innerHeight * 0.6)) $('view').scrollIntoView();
  }
  const step = way => show(now + way);
  const error = (way, kinds) => {
    const n = seek(now, way, kinds || wanted());
    if (n) show(n);
  };
  $('pv').onclick = () => step(-1);
  $('nx').onclick = () => step(1);
  $('pe').onclick = () => error(-1);
  $('ne').onclick = () => error(1);
  limit.onchange = () => show(now);

  document.addEventListener('click', e => {
    const a = e.target.closest('a[href^="#"]');
    if (!a || e.ctrlKey || e.metaKey) return;
    const to = a.getAttribute('href').slice(1), n = /^d(\d+)$/.exec(to);
    if (n) {
      e.preventDefault();
      go(+n[1], a.closest('.sheet') ? 'sheet' : 'link');
    } else if (a.closest('#tabs')) {
      e.preventDefault();
      open(to);
    }
  });
  function open(id) {
    for (const t of document.querySelectorAll('.tab')) t.classList.toggle('on', t.id === id);
    if (id === 'errors' && sift && !form.querySelector('output').textContent) sift();
    for (const t of document.querySelectorAll('#tabs a')) t.classList.toggle('on', t.getAttribute('href') === '#' + id);
    if (id === 'sheet') requestAnimationFrame(follow);
  }

  const keys = {
    ArrowRight: () => step(1), ArrowLeft: () => step(-1), j: () => step(1), k: () => step(-1), l: () => step(1), h: () => step(-1),
    e: () => error(1), n: () => error(1), p: () => error(-1), E: () => error(-1),
    b: () => error(1, ['very_bad']), B: () => error(-1, ['very_bad']), Home: () => show(1), End: () => show(total),
    g: () => open('sheet'), x: () => open('errors'), s: () => open('stats'), r: () => open('rolls'),
  };
  document.addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
    const f = keys[e.key];
    if (f) {
      e.preventDefault();
      f();
    }
  });

  // A finger across the board: left for the next decision, right for the one before.
  let touch = null;
  card.addEventListener('touchstart', e => { touch = e.touches.length === 1 ? e.touches[0] : null; }, { passive: true });
  card.addEventListener('touchend', e => {
    if (!touch) return;
    const t = e.changedTouches[0], dx = t.clientX - touch.clientX, dy = t.clientY - touch.clientY;
    touch = null;
    if (Math.abs(dx) > 45 && Math.abs(dx) > 2 * Math.abs(dy)) step(dx < 0 ? 1 : -1);
  }, { passive: true });

  // The list of errors.
  const form = $('filter');
  let sift = null; // what the filter shows; until the list is opened, its rows are as the page has them
  if (form) {
    const rows = [...document.querySelectorAll('.errors tbody tr')];
    sift = () => {
      const f = form.elements, kind = f.kind.value;
      let n = 0;
      for (const r of rows) {
        const d = r.dataset;
        const ok = (!f.player.value || d.player === f.player.value) && (!kind || (kind[0] === '=' ? d.fault === kind.slice(1) : d.kind === kind)) &&
          (!f.phase.value || d.phase === f.phase.value) && (!f.plan.value || d.plan === f.plan.value) && +d.size >= +f.size.value;
        r.hidden = !ok;
        r.classList.remove('small');
        n += ok;
      }
      form.querySelector('output').textContent = n + ' of ' + rows.length;
    };
    form.onchange = sift;
    for (const th of document.querySelectorAll('.errors th[data-by]')) th.onclick = () => {
      const by = th.dataset.by, up = th.getAttribute('aria-sort') === 'descending' || (by !== 'size' && !th.hasAttribute('aria-sort'));
      for (const o of document.querySelectorAll('.errors th')) o.removeAttribute('aria-sort');
      th.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      const key = r => by === 'step' || by === 'size' ? +r.dataset[by] : r.dataset[by];
      rows.sort((a, b) => { const x = key(a), y = key(b); return (x < y ? -1 : x > y ? 1 : a.dataset.step - b.dataset.step) * (up ? 1 : -1); });
      document.querySelector('.errors tbody').append(...rows);
    };
  }

  // On paper every marked error has its board.
  addEventListener('beforeprint', () => {
    $('print').innerHTML = '<h2>Errors</h2>' + marks.map((m, i) => m === 'ok' ? '' : article(i + 1)).join('');
  });
  addEventListener('afterprint', () => { $('print').textContent = ''; });
  addEventListener('hashchange', () => {
    const n = /^#d(\d+)$/.exec(location.hash);
    if (n && +n[1] !== now) show(+n[1]);
  });

  open('sheet');
  const start = /^#d(\d+)$/.exec(location.hash);
  show(start ? +start[1] : seek(0, 1, ['very_bad', 'bad']) || 1, 'load');
})();
