// SPDX-License-Identifier: MIT

/** Binds the page's keys. `actions` maps a key, with "Shift+" before it where it counts, to a function. */
export function bindKeys(actions) {
  window.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector('dialog[open]')) return; // it closes itself
    const inField = event.target.matches?.('input, select');
    if (inField && event.key !== 'Escape') return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = (event.shiftKey && actions[`Shift+${name}`]) || actions[name];
    if (!action) return;
    // Space and Enter on a button press the button.
    if (event.target.matches?.('button') && (event.key === ' ' || event.key === 'Enter') && event.target.id !== 'play') {
      if (event.key === 'Enter') return;
      event.target.blur();
    }
    event.preventDefault();
    action();
  });
}
