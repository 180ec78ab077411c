// What a person does on the page: the tests append it, and read what it notes.
(function () {
  'use strict';
  function $(id) { return document.getElementById(id); }
  function rows() { return Array.from(document.querySelectorAll('#rows > .row')); }
  function details() { return document.querySelectorAll('.detail').length; }
  function press(kind) { document.querySelector('button[data-kind="' + kind + '"]').click(); }
  function key(name) { document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true })); }
  function search(text) { $('search').value = text; $('search').dispatchEvent(new Event('input')); }
  function focused() { return rows().indexOf(document.activeElement); }
  var said = {
    first: $('count').textContent,
    buttons: Array.from($('tools').querySelectorAll('button')).map(function (button) { return button.textContent; }),
    open: details(),
  };
  press('killed'); said.killed = rows().length;
  search('no such text'); said.none = rows().length;
  search('CLAMP'); press(''); said.all = rows().length;
  key('/'); said.searched = document.activeElement.id;
  key('Escape');
  key('j'); said.next = focused();
  key('j'); key('j'); said.last = focused();
  document.activeElement.click(); said.opened = details();
  document.activeElement.click(); said.closed = details();
  var note = document.createElement('pre');
  note.id = 'said';
  note.textContent = JSON.stringify(said);
  document.body.append(note);
})();
