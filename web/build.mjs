// SPDX-License-Identifier: MIT
// Bundles src/ into one HTML file without references to anything outside it.
//   node build.mjs --html FILE [--cpp FILE]
// --cpp also writes the page as C++ source for the tool. If the packages cannot be had, that source
// holds an empty page and the reason, and is dated 1970 so that the next build tries again.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const option = (name) => {
  const i = process.argv.indexOf(`--${name}`);
  return i > 0 ? process.argv[i + 1] : null;
};

function write(file, text) {
  mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
  writeFileSync(file, text);
}

/** Installs the packages of the lock file if they are not there. */
function packages() {
  const lock = path.join(here, 'package-lock.json'), stamp = path.join(here, 'node_modules', '.abut-lock');
  const wanted = readFileSync(lock, 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--fetch-retries=1', '--fetch-retry-mintimeout=2000'], { cwd: here, encoding: 'utf8' });
  if (npm.error || npm.status !== 0) {
    const lines = (npm.stderr || npm.stdout || '').split('\n').map((line) => line.replace(/^npm (ERR!|error) ?/, '').trim());
    throw new Error(`npm ci failed: ${npm.error?.message ?? lines.filter((line) => line && !/log of this run|^npm /.test(line)).slice(0, 3).join('; ')}`);
  }
  writeFileSync(stamp, wanted);
}

async function bundle() {
  const { build } = await import('esbuild');
  const result = await build({
    entryPoints: [path.join(here, 'src/main.js')], bundle: true, minify: true, format: 'iife', write: false,
    target: ['chrome110', 'firefox115', 'safari16.4'], legalComments: 'none', logLevel: 'error', charset: 'utf8',
  });
  const css = readFileSync(path.join(here, 'node_modules/uplot/dist/uPlot.min.css'), 'utf8') +
    readFileSync(path.join(here, 'src/page.css'), 'utf8');
  const script = result.outputFiles[0].text;
  if (/<\/script|<!--/i.test(script)) throw new Error('the bundle would end its own script element');
  const notice = '/* Includes three.js and uPlot, both under the MIT licence. */';
  return readFileSync(path.join(here, 'src/page.html'), 'utf8')
    .replace('/*CSS*/', () => css).replace('/*JS*/', () => notice + script);
}

/** A C++ source with the page as string literals short enough for every compiler. */
function source(page, reason) {
  const escape = (s) => s.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r').replace(/\t/g, '\\t')
    .replace(/\?/g, '\\?').replace(/[^\x20-\x7e]/g, (c) => `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`);
  const bytes = Buffer.from(page, 'utf8').toString('latin1');
  const pieces = [];
  for (let i = 0; i < bytes.length; i += 8000) pieces.push(`    {"${escape(bytes.slice(i, i + 8000))}", ${Math.min(8000, bytes.length - i)}},`);
  return `// Written by web/build.mjs.
#include "report_template.hpp"
namespace abut::tool {
namespace {
constexpr std::string_view kPieces[] = {
${pieces.join('\n')}
    {"", 0}};
}  // namespace
std::string pageTemplate() {
  std::string page;
  for (const std::string_view piece : kPieces) page += piece;
  return page;
}
std::string pageMissingBecause() { return "${escape(Buffer.from(reason, 'utf8').toString('latin1'))}"; }
}  // namespace abut::tool
`;
}

const cpp = option('cpp'), html = option('html');
try {
  packages();
  const page = await bundle();
  if (html) write(html, page);
  if (cpp) write(cpp, source(page, ''));
} catch (error) {
  if (!cpp) throw error;
  console.log(`web: the tool is built without its page, because ${error.message}`);
  write(cpp, source('', `the page could not be bundled when the tool was built (${error.message}); npm needs its registry once, so check the network and run scripts/build`));
  utimesSync(cpp, 0, 0);
}
