// SPDX-License-Identifier: MIT
import { Color } from 'three';

// Samples of viridis without its darkest part; even steps of lightness, readable without colour vision.
const VIRIDIS = ['#46307e', '#3b528b', '#2c728e', '#21918c', '#28ae80', '#5ec962', '#addc30', '#fde725']
  .map((c) => new Color(c));

/** Colour of x in [0, 1]. */
export function ramp(x, out = new Color()) {
  const t = Math.min(1, Math.max(0, x)) * (VIRIDIS.length - 1);
  const i = Math.min(VIRIDIS.length - 2, Math.floor(t));
  return out.lerpColors(VIRIDIS[i], VIRIDIS[i + 1], t - i);
}

export const RAMP_CSS = `linear-gradient(90deg, ${VIRIDIS.map((c) => `#${c.getHexString()}`).join(', ')})`;

/** Colour of an island: hues by the golden angle, so neighbours in number differ. */
export function islandColor(island, out = new Color()) {
  return out.setHSL((island * 0.381966) % 1, 0.42, 0.55);
}

export const THEMES = {
  light: { background: '#eceef0', ground: '#dfe2e5', line: '#b9c0c7', static: '#b4bbc2', kinematic: '#d99a3d',
    dynamic: '#7f9bb8', select: '#0b6e99', pull: '#be185d', force: '#c2410c', impulse: '#7c3aed', normal: '#0f766e', cone: '#ca8a04',
    sky: '#ffffff', earth: '#aab0b6', idle: '#c3c9cf' },
  dark: { background: '#14181c', ground: '#1d2227', line: '#3a424b', static: '#59636e', kinematic: '#c98a34',
    dynamic: '#7390ae', select: '#5cc8f5', pull: '#f9a8d4', force: '#fb923c', impulse: '#c4a1ff', normal: '#4fd1c5', cone: '#eab308',
    sky: '#cfd8e3', earth: '#30363d', idle: '#4a525b' },
};
