import { bodyOf, collectionPath, keyOf, revisionOf, selectors } from '../resources.mjs';
import { list } from './lister.mjs';

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';
const beginnings = { list: 50, announced: 30, plain: 20 };

/**
 * Watches one scope for the whole round, over as many streams as necessary. It resumes from its last revision, and
 * lists again after a 410. A `faithful` one never gives up its position on its own.
 */
export class Watcher {
  #name;
  #client;
  #random;
  /** Decides durations, and is called as often as they occur; another instance decides the requests. */
  #timing;
  #history;
  #resource;
  #scope;
  #faithful;
  #stream = new AbortController();
  #stopped = false;
  /** The revision to resume from; undefined = from the beginning. */
  position;
  /** The newest revision that it was shown. */
  shown = 0;

  constructor({ name, client, random, timing, history, resource, scope, faithful = false }) {
    this.#name = name;
    this.#client = client;
    this.#random = random;
    this.#timing = timing;
    this.#history = history;
    this.#resource = resource;
    this.#scope = scope;
    this.#faithful = faithful;
  }

  get scope() {
    return { resource: this.#resource.name, ...this.#scope };
  }

  async run(_running, pause) {
    while (!this.#stopped) {
      const random = this.#random;
      const faithful = this.#faithful;
      const beginning = faithful ? 'list' : random.weighted(beginnings);
      const forgets = random.chance(0.15) && !faithful;
      const seconds = faithful ? 600 : random.integer(3, 9);
      const bookmarks = random.chance(0.7) || faithful;
      const breaksAfter = random.chance(0.25) && !faithful ? random.integer(50, 3000) : 0;
      const slow = random.chance(0.15) && !faithful;
      if (forgets) this.position = undefined;
      if (this.position === undefined && beginning === 'list') await this.#list();
      if (this.#stopped) return;
      if (this.position === undefined && beginning === 'list') await pause(200);
      else await this.#watch({ beginning, seconds, bookmarks, breaksAfter, slow });
      await pause(this.#timing.integer(10, 100));
    }
  }

  stop() {
    this.#stopped = true;
    this.#stream.abort();
  }

  async #list() {
    const entry = await list({
      client: this.#client,
      history: this.#history,
      name: this.#name,
      resource: this.#resource,
      scope: this.#scope,
    });
    const [page] = entry.pages;
    if (page?.outcome !== 'answered') return;
    this.position = page.revision;
    this.shown = Math.max(this.shown, page.revision);
  }

  async #watch({ beginning, seconds, bookmarks, breaksAfter, slow }) {
    const random = this.#random;
    const begins = this.position === undefined;
    const announced = begins && beginning === 'announced';
    const any = random.chance(0.3);
    const from = begins ? { initial: any ? '0' : '', announced: announced && bookmarks } : { revision: this.position };
    const query = {
      watch: '1',
      ...selectors[this.#scope.selector].query,
      timeoutSeconds: String(seconds),
      ...(bookmarks ? { allowWatchBookmarks: '1' } : {}),
      ...(begins ? (any ? { resourceVersion: '0' } : {}) : { resourceVersion: String(this.position) }),
      ...(announced ? { sendInitialEvents: '1', resourceVersionMatch: 'NotOlderThan' } : {}),
    };
    const entry = this.#history.add({
      type: 'watch',
      client: this.#name,
      resource: this.#resource.name,
      ...this.#scope,
      from,
      events: [],
      invoked: this.#history.tick(),
    });
    this.#stream = new AbortController();
    const timer = breaksAfter === 0 ? undefined : setTimeout(() => this.#stream.abort(), breaksAfter);
    // The initial events end with the bookmark that announces it; without one, with the first later event.
    const state = { complete: !begins };
    const { status, ended, body } = await this.#client.stream(
      collectionPath(this.#resource, this.#scope.namespace),
      query,
      (line) => this.#note(entry, state, line),
      {
        signal: this.#stream.signal,
        pauseMs: () => (slow && this.#timing.chance(0.2) ? this.#timing.integer(20, 600) : 0),
      },
    );
    clearTimeout(timer);
    entry.returned = this.#history.tick();
    entry.status = status;
    entry.end ??= ended ? 'closed' : 'lost';
    if (status >= 400) Object.assign(entry, { end: 'error', status, reason: body?.reason, message: body?.message });
    if ((entry.code ?? entry.status) === 410) this.position = undefined;
  }

  #note(entry, state, line) {
    const at = this.#history.tick();
    if (line === undefined) {
      entry.events.push({ type: 'GARBLED', at });
      return;
    }
    const { type, object } = line;
    if (type === 'ERROR') {
      Object.assign(entry, { end: 'error', code: object.code, reason: object.reason, message: object.message });
      entry.events.push({ type, at });
      return;
    }
    const revision = revisionOf(object);
    this.shown = Math.max(this.shown, revision);
    if (type === 'BOOKMARK') {
      const end = object.metadata.annotations?.[INITIAL_EVENTS_END] === 'true';
      entry.events.push({ type, revision, at, ...(end ? { end } : {}) });
      state.complete ||= end || entry.from.announced !== true;
    } else {
      const body = this.#history.intern(bodyOf(this.#resource, object));
      entry.events.push({ type, revision, key: keyOf(object), body, at });
      if (type !== 'ADDED' && entry.from.announced !== true) state.complete = true;
    }
    // During the initial events, no single revision covers everything that was delivered.
    if (state.complete) this.position = revision;
  }
}
