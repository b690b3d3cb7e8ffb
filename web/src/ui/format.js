// SPDX-License-Identifier: MIT
// Numbers for people: SI prefixes where a unit takes them, a fixed count of digits, a true minus sign.

const PREFIXES = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n']];

/** [number, unit] as texts: 0.001465, 'm' gives ['1.4650', 'mm']. Below 1e-12 the power of ten is shown. */
export function quantity(value, unit, digits = 5) {
  if (value === null || value === undefined || Number.isNaN(value)) return ['–', ''];
  if (!Number.isFinite(value)) return [value > 0 ? '∞' : '−∞', unit];
  if (value === 0) return ['0', unit];
  const size = Math.abs(value);
  if (unit === '' || unit === 'kg' || unit === '%') return [plain(value, digits), unit];
  if (size < 1e-10 || size >= 1e12) return [power(value), unit];
  const [scale, prefix] = PREFIXES.find(([s]) => size >= s * 0.99999) ?? PREFIXES[PREFIXES.length - 1];
  return [plain(value / scale, digits), prefix + unit];
}

export function text(value, unit, digits = 5) {
  const [number, u] = quantity(value, unit, digits);
  return u ? `${number} ${u}` : number;
}

export function plain(value, digits = 5) {
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return minus(String(value));
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e7) return power(value);
  return minus(value.toPrecision(digits).includes('e') ? String(Number(value.toPrecision(digits))) : value.toPrecision(digits));
}

/** 2.3e-16 as "2.3e−16". */
export function power(value, digits = 2) {
  if (value === 0) return '0';
  return minus(value.toExponential(digits - 1).replace('e+', 'e'));
}

export function minus(s) { return s.replaceAll('-', '−'); }

/** Decimals that tell times `step` apart. */
export function timeDecimals(step) {
  return step > 0 ? Math.min(6, Math.max(2, Math.ceil(-Math.log10(step) + 0.3))) : 3;
}

export function count(n) {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');
}
