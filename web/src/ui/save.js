// SPDX-License-Identifier: MIT
// What the page gives away: pictures, numbers, frames, links.

/** Hands bytes to the browser as a file. */
export function download(name, blob) {
  const url = URL.createObjectURL(blob), link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** A name for files: letters, digits, dots and dashes of the title. */
export const fileName = (title, ending) => `${title.replace(/[^\p{L}\p{N}.-]+/gu, '_').slice(0, 60) || 'run'}${ending}`;

const cell = (v) => (v === null || v === undefined ? '' : String(v));
const quoted = (s) => `"${s.replaceAll('"', '""')}"`;

/** Plots as a table: [{ title, unit, time, series: [{ label, values }] }]; plots with other times stand in blocks of their own. */
export function tableOf(specs) {
  const blocks = new Map();
  for (const spec of specs) {
    if (!blocks.has(spec.time)) blocks.set(spec.time, []);
    for (const s of spec.series) blocks.get(spec.time).push({ title: `${spec.title}, ${s.label}${spec.unit ? ` [${spec.unit}]` : ''}`, values: s.values });
  }
  const lines = [];
  for (const [time, columns] of blocks) {
    if (lines.length) lines.push('');
    lines.push(['time [s]', ...columns.map((c) => c.title)].map(quoted).join(','));
    for (let i = 0; i < time.length; i++) lines.push([time[i], ...columns.map((c) => c.values[i])].map(cell).join(','));
  }
  return `${lines.join('\n')}\n`;
}

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  return c;
});

function crcOf(bytes) {
  let c = 0xffffffff;
  for (const b of bytes) c = (c >>> 8) ^ CRC[(c ^ b) & 0xff];
  return ~c >>> 0;
}

/** Numbers as bytes, least significant first: [value, bytes], ... */
function packed(...fields) {
  const out = [];
  for (const [value, size] of fields) for (let k = 0; k < size; k++) out.push(Math.floor(value / 2 ** (8 * k)) & 0xff);
  return Uint8Array.from(out);
}

/** Files [{ name, bytes }] as a ZIP archive, stored as they are. */
export function zipOf(files) {
  const parts = [], directory = [];
  let at = 0, listed = 0;
  for (const { name, bytes } of files) {
    const label = new TextEncoder().encode(name);
    const facts = [[20, 2], [0x800, 2], [0, 2], [0, 2], [0x5a21, 2], [crcOf(bytes), 4], [bytes.length, 4], [bytes.length, 4], [label.length, 2], [0, 2]];
    const head = packed([0x04034b50, 4], ...facts);
    const entry = packed([0x02014b50, 4], [20, 2], ...facts, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]);
    parts.push(head, label, bytes);
    directory.push(entry, label);
    at += head.length + label.length + bytes.length;
    listed += entry.length + label.length;
  }
  const end = packed([0x06054b50, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [listed, 4], [at, 4], [0, 2]);
  return new Blob([...parts, ...directory, end], { type: 'application/zip' });
}

/** What a link says of a moment: #t=1.25&body=crate, &joint=knee or &contact=7. */
export function hashOf(time, pick, run) {
  const words = new URLSearchParams({ t: String(Number(time.toPrecision(12))) });
  if (pick?.kind === 'body') words.set('body', run.name(pick.body));
  if (pick?.kind === 'joint') words.set('joint', run.joints[pick.joint].name);
  if (pick?.kind === 'contact') words.set('contact', String(pick.key));
  return `#${words}`;
}

/** The way back: { time, pick } or null. What the run does not have is left out. */
export function momentOf(hash, run) {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  const time = Number(words.get('t') ?? NaN);
  if (!Number.isFinite(time)) return null;
  const body = run.bodies.findIndex((b) => b.name === words.get('body')), key = Number(words.get('contact') ?? NaN);
  if (body >= 0) return { time, pick: { kind: 'body', body } };
  const joint = run.joints.findIndex((j) => j.name === words.get('joint'));
  if (joint >= 0) return { time, pick: { kind: 'joint', joint } };
  if (run.contacts.key?.includes(key)) return { time, pick: { kind: 'contact', key } };
  return { time, pick: null };
}
