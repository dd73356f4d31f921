/** ReadO and ReadL: which answers a get and a list may give for their demand. */
export class ReadCheck {
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

  /**
   * The lowest revision that a read may show: the client's token, or the newest revision that any client had seen.
   */
  #least(demand, invoked) {
    return demand === '' ? this.#timeline.reachedBefore(invoked) : Number(demand);
  }

  /**
   * The revision of the read is inferred: a single get shows the object's last change, and not the revision of the
   * read.
   */
  checkGet(entry) {
    const { resource, key, demand, outcome, invoked, returned } = entry;
    if (outcome === 'unknown') return;
    if (outcome === 'refused') {
      this.#checkRefusal(entry, entry, demand);
      return;
    }
    const least = this.#least(demand, invoked);
    const limit = this.#timeline.limitAt(returned);
    if (least > limit && this.#isFuture(demand, returned)) {
      this.#report('ReadO', `answered what was asked at least at ${demand}, which had not been reached`, entry);
      return;
    }
    for (const version of this.#log.between(resource, key, least, limit)) {
      if (version?.revision === entry.revision && version?.body === entry.body) return;
    }
    const shown = outcome === 'found' ? `revision ${entry.revision}` : 'that there is nothing';
    this.#report('ReadO', `showed ${shown}, which is older than ${least} or newer than ${limit}`, entry);
  }

  checkList(entry) {
    const { resource, demand, pages } = entry;
    const exact = entry.match === 'Exact' || (entry.match === '' && entry.limit > 0 && Number(demand) > 0);
    let snapshot;
    let shown = [];
    for (const page of pages) {
      if (page.outcome === 'unknown') return;
      if (page.outcome === 'refused') {
        this.#checkRefusal(entry, page, page.continued ? String(snapshot) : demand);
        // Pages after an expired token show a newer state.
        snapshot = undefined;
        if (page.restarts !== true) return;
        continue;
      }
      const { revision, items, invoked, returned } = page;
      const restarted = page.continued && snapshot === undefined;
      const wrong =
        page.continued && !restarted
          ? this.#notAt(revision, snapshot)
          : this.#notFresh(page, restarted ? '' : demand, exact && !restarted);
      if (wrong !== undefined) this.#report('ReadL', wrong, { ...entry, pages: undefined, invoked, returned });
      snapshot = revision;
      const last = shown.at(-1)?.[0];
      const rest = this.#log.state(resource, entry, revision).filter(({ key }) => last === undefined || key > last);
      shown = [...shown, ...items];
      this.#comparePage(entry, page, rest);
    }
  }

  #notAt(revision, snapshot) {
    return revision === snapshot ? undefined : `a page of revision ${revision} goes on with a list of ${snapshot}`;
  }

  #notFresh({ revision, invoked, returned }, demand, exact) {
    if (exact && revision !== Number(demand)) return `asked for exactly ${demand}, got ${revision}`;
    if (exact) return undefined;
    const least = this.#least(demand, invoked);
    if (revision < least) return `revision ${revision} is older than ${least}`;
    const limit = this.#timeline.limitAt(returned);
    return revision > limit ? `revision ${revision} knows of a write that began later, ${limit + 1}` : undefined;
  }

  #comparePage(entry, page, rest) {
    const { items, more, revision, invoked, returned } = page;
    const where = { ...entry, pages: undefined, invoked, returned };
    const expected = more ? rest.slice(0, items.length) : rest;
    const lines = (list) => list.map(([key, modified, body]) => `${key}@${modified} ${body}`);
    const wanted = lines(expected.map((version) => [version.key, version.revision, version.body]));
    const got = lines(items);
    const at = Math.max(wanted.length, got.length);
    for (let index = 0; index < at; index++) {
      if (wanted[index] === got[index]) continue;
      this.#report('State', `at ${revision}, item ${index} is ${got[index]}, and should be ${wanted[index]}`, where);
      return;
    }
    // `limit` is ignored where any state will do. With a selector, a page that promises more may be the last.
    const limited = entry.limit > 0 && (page.continued || !/^0+$/.test(entry.demand));
    if (limited && items.length > entry.limit)
      this.#report('ReadL', `${items.length} items, limit ${entry.limit}`, where);
    if (more && entry.selector === '' && (rest.length <= items.length || items.length === 0)) {
      this.#report('ReadL', 'promised more where there is none', where);
    }
    if (page.remaining !== undefined && page.remaining !== rest.length - items.length) {
      this.#report('ReadL', `${page.remaining} remaining, in truth ${rest.length - items.length}`, where);
    }
  }

  #isFuture(demand, returned) {
    return (
      demand !== '' &&
      Number(demand) > this.#timeline.limitAt(returned) &&
      Number.isFinite(this.#timeline.limitAt(returned))
    );
  }

  #checkRefusal(entry, answer, demand) {
    const { status, invoked, returned, reason, message } = answer;
    const revision = Number(demand);
    if (status === 429 || (status >= 500 && this.#excuses.failing)) return;
    if (status === 410 && revision > 0 && this.#excuses.expired(revision, returned)) return;
    // 504: the revision was not reached while the read waited.
    if (status === 504 && revision > this.#timeline.reachedBefore(invoked)) return;
    const predicate = entry.type === 'get' ? 'ReadO' : 'ReadL';
    this.#report(predicate, `refused with ${status} ${reason}, which it was no reason for: ${message}`, {
      ...entry,
      pages: undefined,
      invoked,
      returned,
    });
  }
}
