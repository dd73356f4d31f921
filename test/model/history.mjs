import { readFileSync, writeFileSync } from 'node:fs';

/**
 * What all clients of a round saw. They live in one process, so that one counter orders all invocations and responses:
 * what returned at a lower tick than something else was invoked had come to its end before that began.
 *
 * Entries (`at`, `invoked` and `returned` are ticks; revisions are numbers; `body` as `bodyOf` gives it):
 * - write: client, op (create, update, patch, delete, nothing), resource, key, token, dryRun, sent, want { revision, uid },
 *   outcome: done (with `revision` and `body`, or `gone` and `uid`), refused (status, reason) or unknown
 * - get: client, resource, key, demand, outcome: found (revision, body), absent, refused or unknown
 * - list: client, resource, namespace, selector, demand, match, limit, pages [{ invoked, returned, token, outcome, status,
 *   revision, items [[key, revision, body]], remaining, more }]
 * - watch: client, resource, namespace, selector, from { revision } or { initial, announced }, events
 *   [{ type, revision, key, body, at, end }], end: closed, lost or error (status)
 * - compaction: revision, at · fault: kind, at · stalled: what a watch did not show in time
 */
export class History {
  entries = [];
  #tick = 0;
  #bodies = new Map();

  tick() {
    this.#tick += 1;
    return this.#tick;
  }

  add(entry) {
    this.entries.push(entry);
    return entry;
  }

  /** Shares equal texts: many clients see the same body. */
  intern(text) {
    const known = this.#bodies.get(text);
    if (known !== undefined) return known;
    if (this.#bodies.size > 20_000) this.#bodies.clear();
    this.#bodies.set(text, text);
    return text;
  }

  save(file) {
    writeFileSync(file, this.entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  }

  static load(file) {
    const history = new History();
    for (const line of readFileSync(file, 'utf8').split('\n')) if (line !== '') history.add(JSON.parse(line));
    return history;
  }
}
