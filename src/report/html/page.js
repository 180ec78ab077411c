(function () {
  'use strict';
  var data = JSON.parse(document.getElementById('data').textContent);
  var mutants = data.mutants, files = data.files, units = data.units;
  var ofFile = files.map(function () { return []; }), ofUnit = units.map(function () { return []; });
  mutants.forEach(function (m) {
    ofFile[m.file].push(m);
    if (m.unit !== null) ofUnit[m.unit].push(m);
  });
  var byId = new Map(mutants.map(function (m) { return [m.id, m]; }));
  var state = { kind: '', text: '', shown: [] };

  // Text only ever becomes text nodes: names may have anything in them.
  function el(name, attributes, children) {
    var node = document.createElement(name);
    Object.keys(attributes || {}).forEach(function (key) {
      var value = attributes[key];
      if (typeof value === 'function') node.addEventListener(key, value);
      else if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value);
    });
    [].concat(children === undefined ? [] : children).forEach(function (child) {
      if (child !== null && child !== undefined) node.append(child);
    });
    return node;
  }
  function $(id) { return document.getElementById(id); }
  function put(id, children) { $(id).replaceChildren.apply($(id), [].concat(children)); }
  function ink(status) { return 'color: var(--' + status + ')'; }
  function kindOf(m) { return m.dismissed ? 'dismissed' : m.status; }
  function place(m) { return files[m.file].path + ':' + m.start[0] + ':' + m.start[1]; }
  function link(m) { return '#m=' + encodeURIComponent(m.id); }
  function unit(m) { return m.unit === null ? '' : units[m.unit].id; }

  function killedOf(list) { return list.filter(function (m) { return m.status === 'killed'; }).length; }

  // Every other piece of a brief is source text.
  function brief(m) {
    return m.brief.split('\u0001').map(function (text, index) { return index % 2 ? el('code', {}, text) : text; });
  }
  function plain(m) { return m.brief.split('\u0001').join(''); }

  function bar(list) {
    var counts = new Map();
    list.forEach(function (m) { counts.set(kindOf(m), (counts.get(kindOf(m)) || 0) + 1); });
    var parts = data.kinds.filter(function (kind) { return counts.has(kind.name); });
    return el('div', { class: 'bar', role: 'img', 'aria-label': parts.map(function (kind) {
      return counts.get(kind.name) + ' ' + kind.words;
    }).join(', ') }, parts.map(function (kind) {
      var share = counts.get(kind.name) * 100 / list.length;
      return el('i', { style: 'background: var(--' + kind.name + '); width: ' + share + '%' });
    }));
  }

  function table(head, rows) {
    return el('table', {}, [
      el('thead', {}, el('tr', {}, head.map(function (text) { return el('th', {}, text); }))),
      el('tbody', {}, rows.map(function (cells) {
        return el('tr', {}, cells.map(function (cell) {
          return el('td', {}, cell);
        }));
      })),
    ]);
  }

  function diff(text) {
    var hunk = false;
    return el('pre', { class: 'lines' }, text.replace(/\n$/, '').split('\n').map(function (line) {
      var kind = line.startsWith('@@') ? 'hunk' : !hunk ? 'hunk' : line[0] === '+' ? 'add' : line[0] === '-' ? 'del' : '';
      hunk = hunk || line.startsWith('@@');
      return el('span', { class: 'l ' + kind }, line || ' ');
    }));
  }

  function values(list, bytes) {
    if (list.length) {
      return el('div', { class: 'box' }, table(['name', 'value', 'type'], list.map(function (value) {
        return [value.name, el('span', { class: 'mono wrap' }, value.value), el('span', { class: 'soft mono' }, value.kind)];
      })));
    }
    return bytes ? el('pre', {}, bytes[1] + ' bytes: ' + bytes[0]) : null;
  }

  function detail(m) {
    var chain = m.chain.map(function (step) {
      var sign = step[1] === true ? '✓ ' : step[1] === false ? '✗ ' : '? ';
      return el('span', { class: step[1] === true ? 'yes' : step[1] === false ? 'no' : '' }, sign + step[0]);
    });
    var tests = m.tests.map(function (number) {
      var test = data.tests[number];
      var proof = test.verified ? 'passes on the original, fails on the mutant' : 'not proved';
      return [
        el('h3', {}, ['Test ', el('code', {}, test.name), el('span', { class: 'tag ' + (test.verified ? 'yes' : 'no') }, proof)]),
        test.source ? el('pre', {}, test.source) : el('code', {}, test.file),
      ];
    }).flat();
    return el('div', { class: 'detail' }, [
      el('p', { class: 'wrap' }, [el('b', { style: ink(kindOf(m)) }, m.words), m.change ? el('span', { class: 'tag' }, m.change) : null]),
      el('p', { class: 'wrap' }, brief(m)), el('p', { class: 'wrap' }, m.verdict),
      chain.length ? el('div', { class: 'chain' }, chain) : null,
      m.diff ? el('h3', {}, 'Change') : null, m.diff ? diff(m.diff) : null,
    ].concat(tests, [
      m.values.length || m.bytes ? el('h3', {}, 'Killing input') : null, values(m.values, m.bytes),
      el('dl', {}, m.facts.map(function (fact) { return [el('dt', {}, fact[0]), el('dd', {}, fact[1])]; }).flat()),
      el('p', {}, [el('a', { href: link(m) }, 'link to this mutant'), ' · ',
        el('a', { href: '#f=' + encodeURIComponent(files[m.file].path) }, 'source of ' + files[m.file].path)]),
    ]));
  }

  function toggle(m) {
    m.open = m.open ? (m.open.remove(), null) : detail(m);
    if (m.open) rowOf(m).after(m.open);
    rowOf(m).setAttribute('aria-expanded', String(Boolean(m.open)));
  }

  // Rows are made when they are first shown.
  function rowOf(m) {
    if (!m.row) {
      m.row = el('button', {
        type: 'button', class: 'row', 'aria-expanded': 'false', title: unit(m), click: function () { toggle(m); },
      }, [
        el('span', { class: 'status', style: ink(kindOf(m)) }, m.change || m.words),
        el('span', { class: 'mono' }, m.operator),
        el('span', { class: 'mono' }, place(m)),
        el('span', {}, brief(m).concat(el('span', { class: 'soft' }, '  ' + m.verdict))),
      ]);
    }
    return m.row;
  }
  mutants.forEach(function (m) {
    var words = [m.id, place(m), unit(m), m.operator, plain(m), m.verdict, m.words, m.change || ''];
    m.text = words.join('\n').toLowerCase();
  });

  function isShown(m) {
    var kind = state.kind === '' || (state.kind === 'new' ? m.isNew : kindOf(m) === state.kind);
    return kind && m.text.indexOf(state.text) >= 0;
  }
  function filter() {
    state.shown = mutants.filter(isShown);
    put('rows', state.shown.map(function (m) { return m.open ? [rowOf(m), m.open] : [rowOf(m)]; }).flat());
    put('count', state.shown.length + ' of ' + mutants.length + ' mutants');
    document.querySelectorAll('.tools button').forEach(function (button) {
      button.setAttribute('aria-pressed', String(button.dataset.kind === state.kind));
    });
  }
  function button(kind, words, number) {
    var dot = kind && kind !== 'new' ? el('i', { class: 'dot', style: ink(kind) }) : null;
    var press = function () { state.kind = kind; filter(); };
    return el('button', { type: 'button', 'data-kind': kind, click: press }, [dot, words + ' ' + number]);
  }

  function source(file) {
    var of = ofFile[file];
    var lines = files[file].source === null ? [] : files[file].source.replace(/\n$/, '').split('\n');
    var at = new Map();
    of.forEach(function (m) { at.set(m.start[0], (at.get(m.start[0]) || []).concat(m)); });
    var body = lines.map(function (text, index) {
      var here = at.get(index + 1) || [];
      var pieces = [], from = 0;
      here.slice().sort(function (a, b) { return a.start[2] - b.start[2]; }).forEach(function (m) {
        var start = m.start[2] - 1, end = m.end[0] === m.start[0] ? m.end[2] - 1 : text.length;
        if (start < from || end <= start) return;
        pieces.push(text.slice(from, start), el('mark', { title: plain(m) }, text.slice(start, end)));
        from = end;
      });
      pieces.push(text.slice(from));
      var hits = here.map(function (m) {
        var hit = el('button', { type: 'button', class: 'hit', title: m.words + ': ' + plain(m), 'aria-expanded': 'false' },
          el('i', { class: 'dot', style: ink(kindOf(m)) }));
        hit.addEventListener('click', function () {
          var open = hit.getAttribute('aria-expanded') === 'true';
          var line = hit.closest('.line');
          while (line.nextSibling && line.nextSibling.className === 'detail') {
            line.nextSibling.remove();
            line.querySelectorAll('.hit').forEach(function (other) { other.setAttribute('aria-expanded', 'false'); });
          }
          if (!open) { line.after(detail(m)); hit.setAttribute('aria-expanded', 'true'); }
        });
        return hit;
      });
      return el('div', { class: 'line mono' }, [el('span', { class: 'n' }, String(index + 1)),
        el('span', { class: 'text' }, pieces), el('span', {}, hits)]);
    });
    if (!lines.length) body = [el('p', { class: 'soft', style: 'padding: 0 14px' }, 'The source is not there.')];
    put('source', [el('h2', { id: 'open-file' }, ['Source of ', el('code', {}, files[file].path)]),
      el('div', { class: 'card source' }, body)]);
  }

  // `#m=ID` opens a mutant, `#f=PATH` a file.
  function follow() {
    var hash = location.hash.slice(1), what = hash.slice(0, 2);
    if (what !== 'm=' && what !== 'f=') return;
    var name = decodeURIComponent(hash.slice(2));
    if (what === 'f=') {
      var file = files.findIndex(function (f) { return f.path === name; });
      if (file >= 0) { source(file); $('open-file').scrollIntoView(); }
      return;
    }
    var m = byId.get(name);
    if (!m) return;
    if (!isShown(m)) { state.kind = ''; state.text = ''; $('search').value = ''; filter(); }
    if (!m.open) toggle(m);
    rowOf(m).scrollIntoView();
    rowOf(m).focus({ preventScroll: true });
  }

  function move(step) {
    var shown = state.shown.map(rowOf);
    var at = shown.indexOf(document.activeElement);
    var next = shown[at < 0 ? 0 : Math.min(shown.length - 1, Math.max(0, at + step))];
    if (next) { next.focus(); next.scrollIntoView({ block: 'nearest' }); }
  }

  function kills() {
    var times = mutants.filter(function (m) { return m.seconds !== null; }).map(function (m) { return m.seconds; });
    if (times.length < 2) { $('time').hidden = true; return; }
    times.sort(function (a, b) { return a - b; });
    var last = times[times.length - 1] || 1;
    var points = ['0,100'];
    times.forEach(function (time, index) {
      var x = (time * 1000 / last).toFixed(1);
      points.push(x + ',' + (100 - index * 96 / times.length).toFixed(1), x + ',' + (100 - (index + 1) * 96 / times.length).toFixed(1));
    });
    $('kills').querySelector('polyline').setAttribute('points', points.join(' '));
    put('last', times.length + ' kills; the last one ' + last.toFixed(1) + ' s after its unit began');
  }

  // What units are driven by, in the order of their number.
  function drivers(list) {
    var counts = new Map();
    list.forEach(function (u) { counts.set(u.driver, (counts.get(u.driver) || 0) + 1); });
    var names = Array.from(counts.keys()).sort(function (a, b) { return counts.get(b) - counts.get(a); });
    return names.map(function (name) { return counts.get(name) + ' ' + name; }).join(', ');
  }

  // A class stands below its first base.
  function classes() {
    var named = new Map(data.classes.map(function (c) { return [c.name, c]; }));
    var below = new Map(), rows = [], seen = new Set();
    data.classes.forEach(function (c) {
      var base = named.has(c.bases[0]) ? c.bases[0] : '';
      below.set(base, (below.get(base) || []).concat(c));
    });
    function row(name, notes, depth, numbers, search) {
      var of = numbers.map(function (number) { return ofUnit[number]; }).flat(), killed = killedOf(of);
      var find = function () {
        state.text = search.toLowerCase(); state.kind = ''; $('search').value = search; filter();
        $('mutants').scrollIntoView();
      };
      var shown = of.length && search ? el('button', { type: 'button', class: 'plain', click: find }, name) : name;
      rows.push([
        el('div', { class: 'mono wrap', style: 'padding-left: ' + depth * 18 + 'px' },
          [depth ? el('span', { class: 'soft' }, '└ ') : null, shown, notes ? el('span', { class: 'soft' }, ' ' + notes) : null]),
        drivers(numbers.map(function (number) { return units[number]; })) || '–',
        of.length ? killed + ' of ' + of.length : '–', of.length ? bar(of) : '',
      ]);
    }
    function add(c, depth) {
      if (seen.has(c.name)) return;
      seen.add(c.name);
      var notes = [c.abstract ? 'abstract' : '', c.bases.length > 1 ? 'also ' + c.bases.slice(1).join(', ') : ''];
      row(c.name, notes.filter(Boolean).join('; '), depth, c.units, c.name.replace(/<.*/, '') + '::');
      (below.get(c.name) || []).forEach(function (other) { add(other, depth + 1); });
    }
    (below.get('') || []).forEach(function (c) { add(c, 0); });
    var members = new Set(data.classes.map(function (c) { return c.units; }).flat());
    var free = units.map(function (u, number) { return number; }).filter(function (number) { return !members.has(number); });
    if (free.length) row('functions of no class', '', 0, free, '');
    $('hierarchy').hidden = !data.classes.length;
    put('classes', table(['Class', 'Drivers', 'Killed', ''], rows));
  }

  put('project', data.headline);
  put('about', data.about);
  put('score', data.score);
  put('scoreName', data.scoreName);
  $('bar').append(bar(mutants));
  put('facts', data.facts.map(function (fact) {
    return el('span', {}, [el('span', { class: 'soft' }, fact[0] + ' '), el('b', {}, fact[1])]);
  }));
  $('interrupted').hidden = !data.interrupted;
  var news = mutants.filter(function (m) { return m.isNew; }).length;
  var present = data.kinds.map(function (kind) {
    return [kind, mutants.filter(function (m) { return kindOf(m) === kind.name; }).length];
  }).filter(function (pair) { return pair[1] > 0; });
  $('tools').prepend.apply($('tools'), [button('', 'all', mutants.length)].concat(
    data.hasBaseline ? [button('new', 'new survivors', news)] : [],
    present.map(function (pair) { return button(pair[0].name, pair[0].words, pair[1]); })));
  if (present.some(function (pair) { return pair[0].name === 'live'; })) state.kind = news ? 'new' : 'live';
  filter();
  $('search').addEventListener('input', function () { state.text = $('search').value.toLowerCase(); filter(); });

  put('files', table(['File', 'Killed', 'Survivors', ''], files.map(function (file, number) {
    var of = ofFile[number], killed = killedOf(of);
    var live = of.filter(function (m) { return m.survives; }).length;
    return [el('a', { href: '#f=' + encodeURIComponent(file.path), class: 'mono wrap' }, file.path),
      killed + ' of ' + of.length, String(live), bar(of)];
  })));
  put('units', units.length ? table(['Unit under test', 'Driver', 'Copy', 'Killed', ''], units.map(function (u, number) {
    var of = ofUnit[number], killed = killedOf(of);
    return [el('div', {}, [el('div', { class: 'mono wrap' }, u.id), el('div', { class: 'soft wrap' }, u.about)]),
      u.driver, u.copy, killed + ' of ' + of.length, of.length ? bar(of) : ''];
  })) : el('p', { class: 'soft', style: 'padding: 0 14px' }, 'No unit was tested.'));
  classes();
  kills();
  $('faulty').hidden = !data.faults.length;
  put('faults', table(['Unit', 'What happened', 'Input'], data.faults.map(function (fault) {
    return [el('div', {}, [el('div', { class: 'mono wrap' }, fault.unit), el('div', { class: 'soft' }, fault.place)]),
      fault.what, values(fault.values, fault.bytes) || el('code', { class: 'wrap' }, fault.input)];
  })));
  $('run').hidden = !data.tests.length;

  document.addEventListener('keydown', function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.tagName === 'INPUT') { if (event.key === 'Escape') event.target.blur(); return; }
    if (event.key === 'j') move(1);
    else if (event.key === 'k') move(-1);
    else if (event.key === '/') { $('search').focus(); event.preventDefault(); }
  });
  window.addEventListener('hashchange', follow);
  follow();
})();
