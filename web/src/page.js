// SPDX-License-Identifier: MIT
import { Vector3 } from 'three';
import { Run } from './data/run.js';
import { Control, withoutToken } from './ui/control.js';
import { Panel, bodyPlots, contactPlots, jointPlots, runPlots, updateRunPlots } from './plots/panel.js';
import { byId, el } from './ui/dom.js';
import { EventList } from './ui/events.js';
import { count, power, text, timeDecimals } from './ui/format.js';
import { factsOf, factsTable, titleOf } from './ui/inspector.js';
import { bindKeys } from './ui/keys.js';
import { download, fileName, hashOf, momentOf, tableOf, zipOf } from './ui/save.js';
import { legendNodes } from './ui/legend.js';
import { Timeline } from './ui/timeline.js';
import { Viewer } from './view/viewer.js';

const SPEEDS = [1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8];
/** A run is first played so slowly that it lasts at least this long [s]. */
const LEAST_WATCH = 4;
const PLAY_ICON = 'M4 2v12l9-6z', PAUSE_ICON = 'M4 2h3v12H4zM9 2h3v12H9z';
/** Pictures for each second of film, and the most of them. */
const FILM_RATE = 30, MOST_PICTURES = 1200;
/** Below this width [px] or height events are a tab beside the plots. */
const NARROW = '(max-width: 900px), (max-height: 500px)';
/** More names than this are not offered as completions. */
const MOST_NAMES = 5000;

/** What the words of the headline mean. */
const SAID = {
  unaccounted: 'energy that the ledger does not explain; rounding only, or something is wrong',
  hash: 'of every number that the future depends on: equal on all machines that computed the same',
};

/** The page: holds the time and what is picked, and keeps all parts in step. */
export class Page {
  constructor(run, { live = false, token = '' } = {}) {
    this.run = run;
    this.time = 0;
    this.pick = null;
    this.playing = false;
    this.following = live;
    this.decimals = timeDecimals(run.head.step || run.duration / 1000);
    this.viewer = new Viewer(byId('canvas'), run);
    const seek = (t) => { this.following = false; this.pause(); this.seek(t); };
    this.seekHere = seek;
    this.runPanel = new Panel(byId('plots-run'), seek);
    this.pickPanel = new Panel(byId('plots-pick-list'), seek);
    this.timeline = new Timeline(byId('timeline'), run, seek);
    this.events = new EventList(byId('event-list'), run, run.variable ? 9 : this.decimals, (event) => this.#goToEvent(event));
    this.#setUpBar();
    this.#setUpTransport(live);
    this.#setUpView();
    this.#setUpKeys();
    this.#setUpSaving();
    this.#setUpLayout();
    this.setTheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (e) => this.setTheme(e.matches ? 'dark' : 'light'));
    this.runPanel.set(runPlots(run, seek));
    this.control = live && token ? new Control(this, token) : null;
    this.seek(live ? run.duration : 0);
    this.#goToLink();
    window.addEventListener('hashchange', () => this.#goToLink());
  }

  // --- time ---

  /** Goes to the recorded frame at or before t. */
  seek(t) {
    this.time = Math.min(this.run.duration, Math.max(0, t));
    const f = this.run.poseAt(this.time), { time } = this.run.poses;
    const label = `${time[f]?.toFixed(this.decimals) ?? '–'} s`;
    byId('clock').replaceChildren(el('b', {}, `t = ${label}`), ` frame ${count(f + 1)} of ${count(time.length)}`,
      this.#contactWords());
    this.viewer.show(this.time, this.pick);
    this.timeline.setTime(this.time, label);
    this.events.setTime(this.time);
    this.runPanel.setTime(this.time);
    this.#showFacts();
  }

  #contactWords() {
    const i = this.run.seriesAt(this.time), s = this.run.series;
    const many = (n, word) => `${count(n)} ${word}${n === 1 ? '' : 's'}`;
    return s.time.length ? `  ·  ${many(s.contacts[i], 'contact')}, ${many(s.islands[i], 'island')}` : '';
  }

  /** Moves by frames. */
  step(frames) {
    this.pause();
    this.following = false;
    const { time } = this.run.poses, f = this.run.poseAt(this.time);
    this.seek(time[Math.min(time.length - 1, Math.max(0, f + frames))]);
  }

  play() {
    if (this.time >= this.run.duration) this.seek(0);
    this.playing = true;
    this.following = false;
    this.#showPlaying();
    let last = performance.now();
    const tick = (now) => {
      if (!this.playing) return;
      const next = this.time + ((now - last) / 1000) * this.speed;
      this.viewer.pace(now - last);
      last = now;
      if (next >= this.run.duration) this.pause();
      this.seek(next);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  pause() {
    this.playing = false;
    this.#showPlaying();
  }

  toggle() { this.playing ? this.pause() : this.play(); }

  #showPlaying() {
    const button = byId('play');
    button.querySelector('path').setAttribute('d', this.playing ? PAUSE_ICON : PLAY_ICON);
    button.setAttribute('aria-label', this.playing ? 'Pause' : 'Play');
    byId('live').setAttribute('aria-pressed', String(this.following));
  }

  // --- what is picked ---

  setPick(pick) {
    this.pick = pick;
    const tab = byId('tab-pick');
    tab.disabled = pick === null;
    tab.textContent = pick ? titleOf(this.run, pick) : 'Picked';
    byId('picked-title').textContent = pick ? `${{ contact: 'Contact ', joint: 'Joint ' }[pick.kind] ?? ''}${titleOf(this.run, pick)}` : '';
    if (pick || this.tab !== 'events') this.#tab(pick ? 'pick' : 'run');
    const plots = pick === null ? [] : pick.kind === 'joint' ? jointPlots(this.run, pick.joint, this.seekHere) : pick.kind === 'body'
      ? bodyPlots(this.run, pick.body, this.seekHere) : contactPlots(this.run, pick.key, this.seekHere);
    this.pickPanel.set(plots);
    this.seek(this.time);
  }

  #tab(name) {
    this.tab = name;
    const narrow = matchMedia(NARROW).matches;
    for (const [each, part] of [['run', 'plots-run'], ['pick', 'plots-pick'], ['events', 'events']]) {
      byId(`tab-${each}`).setAttribute('aria-selected', String(each === name));
      byId(part).hidden = each !== name && (each !== 'events' || narrow);
    }
    this.events.draw();
    for (const panel of [this.runPanel, this.pickPanel]) {
      panel.resize();
      panel.setTime(this.time);
    }
  }

  #showFacts() {
    if (!this.pick) return;
    byId('facts').replaceChildren(factsTable(factsOf(this.run, this.pick, this.time)));
    this.pickPanel.setTime(this.time);
  }

  #nextBody(by) {
    const n = this.run.numBodies, now = this.pick?.kind === 'body' ? this.pick.body : by > 0 ? -1 : n;
    this.setPick({ kind: 'body', body: (now + by + n) % n });
  }

  #nextJoint(by) {
    const n = this.run.joints.length, now = this.pick?.kind === 'joint' ? this.pick.joint : by > 0 ? -1 : n;
    if (n > 0) this.setPick({ kind: 'joint', joint: (now + by + n) % n });
  }

  #nextContact(by) {
    const { from, to } = this.run.contactRows(this.time);
    if (from === to) return;
    const row = this.pick?.kind === 'contact' ? this.run.contactRow(this.pick.key, this.time) : -1;
    const next = row < 0 ? (by > 0 ? from : to - 1) : from + ((row - from + by + to - from) % (to - from));
    this.setPick({ kind: 'contact', key: this.run.contacts.key[next] });
  }

  #goToEvent(event) {
    this.pause();
    this.following = false;
    this.seek(event.time);
    if (!(event.body1 < this.run.numBodies)) return;
    const { from, to } = this.run.contactRows(this.time), c = this.run.contacts;
    for (let r = from; r < to; r++) {
      if (c.body1[r] === event.body1 && c.body2[r] === event.body2) {
        this.setPick({ kind: 'contact', key: c.key[r] });
        return;
      }
    }
    this.setPick({ kind: 'body', body: event.body1 });
  }

  #nextEvent(by) {
    const { events } = this.events;
    const ahead = by > 0 ? events.findIndex((e) => e.time > this.time + 1e-9)
      : events.findLastIndex((e) => e.time < this.time - 1e-9);
    if (ahead >= 0) this.events.select(ahead);
  }

  // --- links and files ---

  /** Goes where the address says. */
  #goToLink() {
    const moment = momentOf(location.hash, this.run);
    if (!moment) return;
    this.seekHere(moment.time);
    this.setPick(moment.pick);
  }

  get link() { return withoutToken(location.href.replace(/#.*/, '')) + hashOf(this.time, this.pick, this.run); }

  #setUpSaving() {
    const state = byId('save-state'), name = (ending) => fileName(this.run.title, ending);
    const open = () => { state.textContent = ''; byId('save').showModal(); };
    this.openSaving = open;
    byId('save-open').addEventListener('click', open);
    byId('save-picture').addEventListener('click', async () => download(name(`-${this.time.toFixed(this.decimals)}s.png`), await this.viewer.picture()));
    byId('save-plots').addEventListener('click', () => download(name('.csv'), new Blob([this.plotTable()], { type: 'text/csv' })));
    byId('save-frames').addEventListener('click', async () => {
      const files = await this.pictures((done, all) => { state.textContent = `picture ${done} of ${all}`; });
      download(name('-frames.zip'), zipOf(files));
      state.textContent = `${files.length} pictures, for example: ffmpeg -framerate ${FILM_RATE} -i %05d.png run.mp4`;
    });
    byId('save-link').addEventListener('click', async () => {
      try {
        history.replaceState(null, '', location.search + new URL(this.link).hash);
        await navigator.clipboard.writeText(this.link);
        state.textContent = `copied: ${this.link}`;
      } catch {
        state.textContent = this.link;
      }
    });
    byId('save').addEventListener('close', () => { this.filming = false; });
  }

  /** The numbers of the plots in sight, as CSV. */
  plotTable() { return tableOf((this.tab === 'pick' ? this.pickPanel : this.runPanel).plots.map((p) => p.table())); }

  /** Pictures of the run from the present time on, [{ name, bytes }]; ends early when the dialog is closed. */
  async pictures(progress) {
    const begin = this.time, all = Math.min(MOST_PICTURES, Math.floor(((this.run.duration - begin) / this.speed) * FILM_RATE + 1e-6) + 1), files = [];
    this.filming = true;
    this.pause();
    for (let i = 0; i < all && this.filming; i++) {
      this.seek(begin + (i * this.speed) / FILM_RATE);
      const picture = await this.viewer.picture();
      files.push({ name: `${String(i).padStart(5, '0')}.png`, bytes: new Uint8Array(await picture.arrayBuffer()) });
      progress(i + 1, all);
    }
    this.filming = false;
    this.seek(begin);
    return files;
  }

  /** Where there is little room, events are a tab of the side. */
  #setUpLayout() {
    const narrow = matchMedia(NARROW), place = () => {
      (narrow.matches ? byId('side') : document.body).append(byId('events'));
      document.body.classList.toggle('narrow', narrow.matches);
      this.#tab(!narrow.matches && this.tab === 'events' ? 'run' : this.tab ?? 'run');
    };
    narrow.addEventListener('change', place);
    place();
  }

  // --- a growing run ---

  grown() {
    this.viewer.contacts.measure();
    this.viewer.bodies.topSpeed = null;
    updateRunPlots(this.run, this.runPanel.plots);
    if (this.pick) this.setPick(this.pick);
    this.#showSummary();
    this.seek(this.following ? this.run.duration : this.time);
  }

  /** The run began again: its first frames are there. */
  restarted() {
    if (this.pick?.kind === 'contact') this.pick = null;
    this.grown();
  }

  lost(error) { byId('notice').textContent = `The simulation has gone (${error.message}). What was received stays here.`; }

  // --- set-up ---

  setTheme(name) {
    this.themeName = name;
    document.documentElement.dataset.theme = name;
    this.viewer.setTheme(name);
    this.viewer.show(this.time, this.pick);
    this.runPanel.redraw();
    this.pickPanel.redraw();
    this.timeline.draw();
  }

  #setUpBar() {
    document.title = `${this.run.title} – Abut`;
    byId('title').textContent = this.run.title;
    byId('provenance').textContent = provenance(this.run);
    this.#showSummary();
    byId('color').addEventListener('change', (e) => {
      this.viewer.bodies.colorBy = e.target.value;
      this.viewer.show(this.time, this.pick);
    });
    byId('contacts').addEventListener('click', () => this.#toggleContacts());
    byId('cones').addEventListener('click', () => this.#toggleCones());
    byId('joints').hidden = this.run.joints.length === 0;
    byId('joints').addEventListener('click', () => this.#toggleJoints());
    byId('theme').addEventListener('click', () => this.setTheme(this.themeName === 'dark' ? 'light' : 'dark'));
    byId('help-open').addEventListener('click', () => byId('help').showModal());
    byId('tab-run').addEventListener('click', () => this.#tab('run'));
    byId('tab-pick').addEventListener('click', () => this.#tab('pick'));
    byId('tab-events').addEventListener('click', () => this.#tab('events'));
    byId('event-filter').addEventListener('input', (e) => {
      this.events.setFilter(e.target.value);
      this.#showEventCount();
    });
    byId('threshold').addEventListener('change', (e) => {
      this.viewer.contacts.threshold = Number(e.target.value);
      this.viewer.show(this.time, this.pick);
    });
    byId('unpick').addEventListener('click', () => this.setPick(null));
    const names = this.run.bodies.map((b) => b.name);
    byId('names').append(...[...names, ...this.run.joints.map((j) => j.name)].slice(0, MOST_NAMES).map((n) => el('option', { value: n })));
    byId('find').addEventListener('change', (e) => {
      const wanted = e.target.value, lower = wanted.toLowerCase();
      const body = names.indexOf(wanted) >= 0 ? names.indexOf(wanted) : names.findIndex((n) => n.toLowerCase().includes(lower));
      const joint = this.run.joints.findIndex((j) => j.name === wanted);
      if (wanted && joint >= 0) this.setPick({ kind: 'joint', joint });
      else if (wanted && body >= 0) this.setPick({ kind: 'body', body });
    });
  }

  #showSummary() {
    const { head, series } = this.run, last = series.time.length - 1;
    const largest = Math.max(...['kinetic', 'potential', 'drivers', 'forces', 'impact', 'friction'].map((n) => Math.abs(series[n][last] ?? 0)));
    const off = Math.abs(series.unaccounted[last] ?? 0);
    const item = (label, value, alarm = false) => el('span', { class: alarm ? 'alarm' : '', title: SAID[label] ?? '' }, `${label} `, el('b', {}, value));
    const items = [
      item('bodies', count(this.run.numBodies)),
      item('time', text(this.run.duration, 's', 4)),
      item('step', this.run.variable ? 'variable' : text(head.step, 's', 4)),
      this.run.variable ? null : item('unaccounted', `${power(off)} J`, off > 1e-9 * largest),
      this.run.notes.hash ? item('hash', this.run.notes.hash) : null,
    ];
    byId('summary').replaceChildren(...items.filter(Boolean));
    this.#showEventCount();
  }

  #showEventCount() {
    const all = this.run.events.length, some = this.events.events.length;
    byId('event-count').textContent = some === all ? count(all) : `${count(some)} of ${count(all)}`;
  }

  #toggleContacts() {
    const { show } = this.viewer.contacts;
    show.contacts = !show.contacts;
    byId('contacts').setAttribute('aria-pressed', String(show.contacts));
    this.viewer.show(this.time, this.pick);
  }

  #toggleCones() {
    const { show } = this.viewer.contacts;
    show.cones = !show.cones;
    byId('cones').setAttribute('aria-pressed', String(show.cones));
    this.viewer.show(this.time, this.pick);
  }

  #toggleJoints() {
    const { joints } = this.viewer;
    joints.shown = !joints.shown;
    byId('joints').setAttribute('aria-pressed', String(joints.shown));
    this.viewer.show(this.time, this.pick);
  }

  #setUpTransport(live) {
    const select = byId('speed');
    select.append(...SPEEDS.map((s) => el('option', { value: String(s) }, s < 1 ? `1/${1 / s} ×` : `${s} ×`)));
    this.setSpeed(live ? 1 : SPEEDS.findLast((s) => s <= 1 && this.run.duration / s >= LEAST_WATCH) ?? SPEEDS[0]);
    select.addEventListener('change', () => this.setSpeed(Number(select.value)));
    byId('play').addEventListener('click', () => this.toggle());
    byId('first').addEventListener('click', () => this.seekHere(0));
    byId('back').addEventListener('click', () => this.step(-1));
    byId('forward').addEventListener('click', () => this.step(1));
    byId('live').hidden = !live;
    byId('live').addEventListener('click', () => this.follow());
  }

  /** Shows the newest frame from now on. */
  follow() {
    this.pause();
    this.following = true;
    this.#showPlaying();
    this.seek(this.run.duration);
  }

  setSpeed(speed) {
    this.speed = speed;
    byId('speed').value = String(speed);
  }

  #faster(by) {
    const i = SPEEDS.indexOf(this.speed);
    this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, i + by))]);
  }

  #setUpView() {
    const canvas = byId('canvas'), hover = byId('hover');
    let down = null;
    canvas.addEventListener('pointerdown', (e) => { down = [e.offsetX, e.offsetY]; });
    canvas.addEventListener('pointerup', (e) => {
      if (!down || e.button !== 0 || Math.hypot(e.offsetX - down[0], e.offsetY - down[1]) > 4) return;
      this.setPick(this.viewer.pickAt(e.offsetX, e.offsetY));
    });
    canvas.addEventListener('pointermove', (e) => {
      if (e.buttons || this.playing) { hover.style.display = 'none'; return; }
      clearTimeout(this.hoverTimer);
      this.hoverTimer = setTimeout(() => this.#hover(e.offsetX, e.offsetY), 60);
    });
    canvas.addEventListener('pointerleave', () => {
      clearTimeout(this.hoverTimer);
      hover.style.display = 'none';
    });
    this.viewer.onrender = (legend) => this.#showLegend(legend);
  }

  #hover(x, y) {
    const hover = byId('hover'), pick = this.viewer.pickAt(x, y);
    hover.style.display = pick ? 'block' : 'none';
    if (!pick) return;
    hover.textContent = titleOf(this.run, pick);
    hover.style.left = `${x + 14}px`;
    hover.style.top = `${y + 10}px`;
  }

  #showLegend(legend) {
    const { contacts, bodies, theme } = this.viewer;
    const thinned = this.run.notes.contactsEvery > 1 ? `contacts of every ${this.run.notes.contactsEvery}th frame are kept` : '';
    const state = JSON.stringify([legend?.label, legend?.top, theme.force, contacts.show, contacts.gain, contacts.force, thinned]);
    if (state === this.legendState) return;
    this.legendState = state;
    byId('legend').replaceChildren(...legendNodes({ legend, theme, contacts, cell: bodies.cell, thinned }));
  }

  #scaleArrows(by) {
    this.viewer.contacts.gain *= by;
    this.viewer.show(this.time, this.pick);
  }

  #look(x, y, z) { this.#frame(new Vector3(x, y, z)); }

  #frame(side = null) {
    this.viewer.lookedAround = true;
    this.viewer.frame(this.viewer.boxNow(), side);
  }

  #setUpKeys() {
    bindKeys({
      ' ': () => (this.control && this.following ? this.control.toggle() : this.toggle()),
      '.': () => this.control?.step(), 'Shift+r': () => this.control?.restart(), g: () => this.control?.togglePulls(),
      ArrowLeft: () => this.step(-1), 'Shift+ArrowLeft': () => this.step(-10),
      ArrowRight: () => this.step(1), 'Shift+ArrowRight': () => this.step(10),
      Home: () => this.seekHere(0), End: () => this.seekHere(this.run.duration),
      '+': () => this.#faster(1), '=': () => this.#faster(1), '-': () => this.#faster(-1),
      e: () => this.#nextEvent(1), 'Shift+e': () => this.#nextEvent(-1),
      f: () => this.#frame(),
      1: () => this.#look(1, 0, 0.02), 2: () => this.#look(0, -1, 0.02), 3: () => this.#look(0, -0.001, 1),
      c: () => this.#toggleContacts(), k: () => this.#toggleCones(), j: () => this.#toggleJoints(),
      '[': () => this.#scaleArrows(1 / 1.5), ']': () => this.#scaleArrows(1.5),
      n: () => this.#nextContact(1), 'Shift+n': () => this.#nextContact(-1),
      b: () => this.#nextBody(1), 'Shift+b': () => this.#nextBody(-1),
      m: () => this.#nextJoint(1), 'Shift+m': () => this.#nextJoint(-1),
      '/': () => byId('find').focus(),
      s: () => this.viewer.setShadows(!this.viewer.sun.castShadow),
      t: () => this.setTheme(this.themeName === 'dark' ? 'light' : 'dark'),
      l: () => { if (!byId('live').hidden) this.follow(); },
      p: () => this.openSaving(),
      '?': () => byId('help').showModal(), 'Shift+?': () => byId('help').showModal(),
      Escape: () => { document.activeElement?.blur?.(); this.setPick(null); },
    });
  }
}

/** Where the numbers come from and how exact they are. */
function provenance(run) {
  const { notes, head } = run;
  return [head.tool ? `Made by ${head.tool}.` : '', notes.precision ?? '', notes.thinning ?? '',
    notes.hash ? `Hash of the last state: ${notes.hash}, the same on every machine.` : ''].filter(Boolean).join('\n');
}

export { Run };
