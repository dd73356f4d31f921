/**
 * WatchO and WatchL: a watch shows exactly the events after its beginning, in order, once each, through its
 * selection. Bookmarks are never ahead of the events nor behind. Initial events are one state.
 */
export class WatchCheck {
  #log;
  #timeline;
  /** Legitimate reasons for a refusal: `expired(revision, returned)`, and whether the store fails at times. */
  #excuses;
  #report;

  constructor(log, timeline, excuses, report) {
    this.#log = log;
    this.#timeline = timeline;
    this.#excuses = excuses;
    this.#report = report;
  }

  check(entry) {
    const predicate = entry.selector.startsWith('name=') ? 'WatchO' : 'WatchL';
    const wrong = this.#wrongWith(entry);
    if (wrong !== undefined) this.#report(predicate, wrong, { ...entry, events: `${entry.events.length} events` });
  }

  #wrongWith(entry) {
    const { events, from } = entry;
    if (events.some(({ type }) => type === 'GARBLED')) return 'a line that is not JSON';
    const refused = this.#refusal(entry);
    if (refused !== undefined) return refused;
    const shown = events.filter(({ type }) => type !== 'ERROR');
    if (from.revision !== undefined) return this.#follow(entry, shown, from.revision);
    const announced = shown.findIndex(({ end }) => end === true);
    if (announced >= 0) return this.#announced(entry, shown, announced);
    if (from.announced === true)
      return shown.find(({ type }) => type !== 'ADDED') && 'another event among the initial ones';
    return this.#plain(entry, shown);
  }

  #refusal({ end, code, status, reason, message, from, invoked, returned }) {
    const excused = status === 429 || ((code ?? status) >= 500 && this.#excuses.failing);
    if (end !== 'error' || excused) return undefined;
    const expired =
      (code ?? status) === 410 && from.revision !== undefined && this.#excuses.expired(from.revision, returned);
    return expired ? undefined : `ended with ${code ?? status} ${reason}: ${message} (${invoked})`;
  }

  /** The initial events are the state at the bookmark that ends them. */
  #announced(entry, shown, end) {
    const { revision } = shown[end];
    const least = this.#least(entry);
    if (revision < least) return `initial events of revision ${revision}, older than ${least}`;
    const wrong = this.#isState(entry, shown.slice(0, end), revision);
    if (wrong !== undefined) return wrong;
    return this.#follow(entry, shown.slice(end + 1), revision);
  }

  /** Without a final bookmark: some number of first events is a state, and the others follow it. */
  #plain(entry, shown) {
    if (shown.length === 0) return undefined;
    const least = this.#least(entry);
    const firstOther = shown.findIndex(({ type }) => type !== 'ADDED');
    const most = firstOther < 0 ? shown.length : firstOther;
    let wrong;
    for (let count = most; count >= 0; count--) {
      for (const revision of this.#candidates(entry, shown, count, least)) {
        wrong =
          this.#isState(entry, shown.slice(0, count), revision) ?? this.#follow(entry, shown.slice(count), revision);
        if (wrong === undefined) return undefined;
      }
    }
    return `no state from ${least} on is what the first events show, with the others following (${wrong})`;
  }

  /** The revisions whose state the first `count` events could be, given the later events. */
  #candidates(entry, shown, count, least) {
    const next = shown[count];
    const low = Math.max(least, ...shown.slice(0, count).map(({ revision }) => revision));
    if (next !== undefined) {
      const high = next.type === 'BOOKMARK' ? next.revision : next.revision - 1;
      return high < low ? [] : next.type === 'BOOKMARK' ? this.#steps(entry, low, high) : [high];
    }
    return this.#steps(entry, low, this.#timeline.limitAt(shown.at(-1).at));
  }

  /** `low`, and each revision up to `high` at which something changes. */
  #steps({ resource }, low, high) {
    const steps = [low];
    for (const { revision } of this.#log.following(resource, low)) {
      if (revision > high || steps.length > 500) break;
      steps.push(revision);
    }
    return steps;
  }

  #isState(entry, initial, revision) {
    const expected = this.#log.state(entry.resource, entry, revision);
    if (expected.length !== initial.length)
      return `${initial.length} initial events, ${expected.length} objects at ${revision}`;
    for (const [index, { type, key, revision: modified, body }] of initial.entries()) {
      const wanted = expected[index];
      if (type === 'ADDED' && wanted.key === key && wanted.revision === modified && wanted.body === body) continue;
      return `initial event ${index} is ${type} ${key}@${modified}, and should be ${wanted.key}@${wanted.revision}`;
    }
    return undefined;
  }

  /** The events in `shown` are exactly the log after `from`, up to the last one. */
  #follow(entry, shown, from) {
    const log = this.#log.following(entry.resource, from);
    let reached = from;
    let ahead = log.next();
    for (const { type, revision, key, body } of shown) {
      if (revision < reached || (type !== 'BOOKMARK' && revision === reached)) {
        return `${type} ${key ?? ''} at ${revision} comes after ${reached}`;
      }
      for (; !ahead.done && ahead.value.revision <= revision; ahead = log.next()) {
        const wanted = this.#log.seen(ahead.value, entry);
        if (wanted === undefined) continue;
        if (type === 'BOOKMARK')
          return `bookmark ${revision} comes before ${wanted.type} ${ahead.value.key} at ${ahead.value.revision}`;
        if (ahead.value.revision < revision)
          return `${wanted.type} ${ahead.value.key} at ${ahead.value.revision} is missing before ${revision}`;
        if (wanted.type !== type || ahead.value.key !== key || wanted.body !== body) {
          return `${type} ${key} ${body} at ${revision}, should be ${wanted.type} ${ahead.value.key} ${wanted.body}`;
        }
        reached = revision;
      }
      if (type !== 'BOOKMARK' && reached !== revision)
        return `${type} ${key} at ${revision} is not in the log, or not to be seen here`;
      reached = Math.max(reached, revision);
    }
    return undefined;
  }

  #least({ from, invoked }) {
    return from.initial === '' ? this.#timeline.reachedBefore(invoked) : 0;
  }
}
