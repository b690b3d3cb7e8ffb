// SPDX-License-Identifier: MIT
import { RAMP_CSS } from '../view/colors.js';
import { el } from './dom.js';
import { text } from './format.js';

/** The legend of the view: what colours and arrows stand for. */
export function legendNodes({ legend, theme, contacts, cell, thinned }) {
  const nodes = [];
  if (legend && legend.top > 0) {
    const ramp = el('div', { class: 'ramp' });
    ramp.style.background = RAMP_CSS;
    nodes.push(el('div', {}, legend.label), ramp,
      el('div', { class: 'ends' }, el('span', {}, '0'), el('span', {}, text(legend.top, legend.unit, 3))));
  } else if (legend) nodes.push(el('div', {}, `colour: ${legend.label}`));
  if (contacts.show.contacts && (contacts.force > 0 || contacts.impulse > 0)) {
    if (contacts.force > 0) nodes.push(key(theme.force, `contact force, ${text(contacts.newtonsPerMetre, 'N', 3)} a metre`));
    if (contacts.impulse > 0) nodes.push(key(theme.impulse, `impact impulse, ${text(contacts.impulsePerMetre, 'N s', 3)} a metre`));
    nodes.push(key(theme.normal, 'normal', 'key extra'));
  }
  if (thinned) nodes.push(el('div', { class: 'extra' }, thinned));
  nodes.push(el('div', { class: 'extra' }, `grid ${text(cell, 'm', 1)}`));
  return nodes;
}

function key(color, label, name = 'key') {
  const swatch = el('i', {});
  swatch.style.background = color;
  return el('div', { class: name }, swatch, el('span', {}, label));
}
