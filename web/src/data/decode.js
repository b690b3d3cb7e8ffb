// SPDX-License-Identifier: MIT
// Reads the container that apps/abut/report_container.cpp writes:
//   "ABP1", u32 length of the head, head (JSON, UTF-8), zeros up to a multiple of 8, columns.
// The head lists the columns: { name: { codec, offset, count, ... } }, offsets from the first column.
//
//   f64 f32 i32 u32 u8   little-endian numbers
//   x64                  doubles, each XORed with the one `lag` places before (0: none), in byte planes
//   q32                  whole numbers times `step`, as differences of `order` 1 or 2 from the value
//                        `lag` places before, or from the last one of the same key; in byte planes
//   x32                  floats, each row XORed with the last one of the same key; in byte planes

const RAW = { f64: Float64Array, f32: Float32Array, i32: Int32Array, u32: Uint32Array, u8: Uint8Array };

/** Bytes of a base64 text. */
export function bytesOfBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Undoes zlib's compression. */
export async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** { head, column(name) } of a container. Throws if it is not one. */
export function openContainer(bytes) {
  if (bytes.length < 8 || String.fromCharCode(...bytes.subarray(0, 4)) !== 'ABP1') {
    throw new Error('the data is not a page container (ABP1)');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headEnd = 8 + view.getUint32(4, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(8, headEnd)));
  const start = (headEnd + 7) & ~7;
  const decoded = new Map();
  const column = (name) => {
    if (!decoded.has(name)) {
      const spec = head.columns?.[name];
      if (!spec) throw new Error(`the data has no column ${name}`);
      decoded.set(name, decode(bytes, start + spec.offset, spec, column));
    }
    return decoded.get(name);
  };
  return { head, column };
}

function decode(bytes, at, spec, column) {
  const Type = RAW[spec.codec];
  if (Type) {
    const size = spec.count * Type.BYTES_PER_ELEMENT;
    return new Type(bytes.slice(at, at + size).buffer);
  }
  if (spec.codec === 'x64') return decodeXor(bytes, at, spec);
  if (spec.codec === 'x32') return decodeFloats(bytes, at, spec, column);
  if (spec.codec === 'q32') return decodeSteps(bytes, at, spec, column);
  throw new Error(`unknown codec ${spec.codec}`);
}

function decodeXor(bytes, at, { count, lag }) {
  const out = new Uint8Array(count * 8);
  for (let plane = 0; plane < 8; plane++) {
    const from = at + plane * count;
    for (let i = 0; i < count; i++) {
      const before = lag && i >= lag ? out[(i - lag) * 8 + plane] : 0;
      out[i * 8 + plane] = bytes[from + i] ^ before;
    }
  }
  return new Float64Array(out.buffer);
}

/** Words whose bytes stand in four planes. */
function words(bytes, at, count) {
  const out = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    out[i] = bytes[at + i] | (bytes[at + count + i] << 8) | (bytes[at + 2 * count + i] << 16) |
      (bytes[at + 3 * count + i] << 24);
  }
  return out;
}

function decodeFloats(bytes, at, { count, key, width }, column) {
  const out = words(bytes, at, count);
  byKey(out, column(key), width, (a, b) => a ^ b);
  return new Float32Array(out.buffer);
}

function decodeSteps(bytes, at, { count, lag, order, step, key, width }, column) {
  const whole = words(bytes, at, count);
  if (key) byKey(whole, column(key), width, (a, b) => a + b);
  else {
    for (let i = lag; i < count; i++) {
      const one = whole[i - lag];
      const two = order === 2 && i >= 2 * lag ? whole[i - 2 * lag] : 0;
      whole[i] += order === 2 ? 2 * one - two : one;
    }
  }
  const out = new Float32Array(count);
  for (let i = 0; i < count; i++) out[i] = whole[i] * step;
  return out;
}

function byKey(whole, keys, width, join) {
  const last = new Map();
  for (let row = 0; row < keys.length; row++) {
    const before = last.get(keys[row]);
    if (before !== undefined) {
      for (let k = 0; k < width; k++) whole[row * width + k] = join(whole[row * width + k], whole[before * width + k]);
    }
    last.set(keys[row], row);
  }
}
