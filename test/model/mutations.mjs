/**
 * Changes to a correct history, each one broken promise as a client would have seen it. They cover promises that no
 * store can break, so they test only the checker. Each changes the entries in place and returns whether it found a
 * place to change.
 */

const watchesOf = (entries) => entries.filter(({ type }) => type === 'watch');
const listsOf = (entries) => entries.filter(({ type }) => type === 'list');
const bodyWith = (body, change) => JSON.stringify({ ...JSON.parse(body), ...change });

/** Changes the first watch in which `find(events, entry)` finds a place: `change(events, index, entry)`. */
const inWatch = (find, change) => (entries) => {
  for (const entry of watchesOf(entries)) {
    const index = entry.events.findIndex((_, at) => find(entry.events, at, entry));
    if (index < 0) continue;
    change(entry.events, index, entry);
    return true;
  }
  return false;
};

const isEvent = ({ type } = {}) => type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED';
/** An event with others before and after it, in a watch without initial ones. */
const inMiddle = (events, at, { from }) =>
  from.revision !== undefined && at > 1 && isEvent(events[at]) && isEvent(events[at - 1]) && isEvent(events[at + 1]);

const inFirst = (select, change) => (entries) => {
  const found = select(entries);
  if (found === undefined) return false;
  change(found, entries);
  return true;
};

const write = (wanted) => (entries) => entries.find((entry) => entry.type === 'write' && wanted(entry));
const page = (wanted) => (entries) =>
  listsOf(entries)
    .flatMap((list) => list.pages.map((one) => ({ ...one, list, page: one })))
    .find(wanted)?.page;
const created = write(({ op, outcome, dryRun }) => op === 'create' && outcome === 'done' && !dryRun);
const isConditionalUpdate = ({ op, outcome, dryRun, want }) =>
  op === 'update' && outcome === 'done' && !dryRun && want.revision !== undefined;
const updated = write(isConditionalUpdate);
/** Not a write that created its object, which no version can forbid. */
const replaced = write((entry) => entry.status === 200 && isConditionalUpdate(entry));
const ended = write(({ op, gone, dryRun }) => op === 'delete' && gone === true && !dryRun);

export const mutations = {
  'a watch misses an event': inWatch(inMiddle, (events, at) => events.splice(at, 1)),
  'a watch shows an event twice': inWatch(inMiddle, (events, at) => events.splice(at, 0, events[at])),
  'a watch swaps two events': inWatch(inMiddle, (events, at) => {
    [events[at], events[at + 1]] = [events[at + 1], events[at]];
  }),
  'a watch shows what never was': inWatch(inMiddle, (events, at) => {
    events[at] = { ...events[at], body: bodyWith(events[at].body, { labels: { tier: 'z' } }) };
  }),
  'a bookmark is ahead of an event': inWatch(inMiddle, (events, at) => {
    events.splice(at, 0, { type: 'BOOKMARK', revision: events[at].revision, at: events[at].at });
  }),
  'a bookmark goes back': inWatch(inMiddle, (events, at) => {
    events.splice(at + 1, 0, { type: 'BOOKMARK', revision: events[at].revision - 1, at: events[at].at });
  }),
  'what enters a selection is MODIFIED': inWatch(
    (events, at, { selector, from }) => selector !== '' && from.revision !== undefined && events[at].type === 'ADDED',
    (events, at) => {
      events[at] = { ...events[at], type: 'MODIFIED' };
    },
  ),
  'what leaves a selection is not DELETED': inWatch(
    (events, at, { selector, from }) =>
      selector !== '' && from.revision !== undefined && events[at].type === 'DELETED' && isEvent(events[at + 1]),
    (events, at) => events.splice(at, 1),
  ),
  'initial events miss an object': inWatch(
    (events, at, { from }) =>
      from.revision === undefined && events[at].type === 'ADDED' && events.slice(at).some(({ end }) => end),
    (events, at) => events.splice(at, 1),
  ),
  'initial events are announced too early': inWatch(
    (events, at) => events[at].end === true && isEvent(events[at - 1]),
    (events, at) => {
      [events[at - 1], events[at]] = [events[at], events[at - 1]];
    },
  ),
  'a watch ends with 410 that needs none': inWatch(
    (_, at, { from }) => at === 0 && from.revision !== undefined,
    (_, __, entry) => Object.assign(entry, { end: 'error', code: 410, from: { revision: 1_000_000 } }),
  ),
  'a list misses an object': inFirst(
    page(({ items }) => items?.length > 1),
    ({ items }) => items.pop(),
  ),
  'a list shows an object twice': inFirst(
    page(({ items }) => items?.length > 1),
    ({ items }) => items.push(items.at(-1)),
  ),
  'a list is older than it says': inFirst(
    page(({ items, revision, list }) => items?.some(([, modified]) => modified === revision) && list.selector === ''),
    ({ items, revision }) => {
      const item = items.find(([, modified]) => modified === revision);
      item[1] -= 1;
    },
  ),
  'a list is older than it may be': inFirst(
    // The very first page: it is empty, and so was the state before.
    page(
      ({ list, revision, invoked }) =>
        list.demand === '' && list.limit === 0 && invoked > 300 && revision !== undefined,
    ),
    (found) => {
      found.items = [];
      found.revision = 1;
    },
  ),
  'a page is of another state than the first': inFirst(
    page(({ continued, revision }) => continued && revision !== undefined),
    (found) => {
      found.revision += 1;
    },
  ),
  'an exact list is of another revision': inFirst(
    page(({ list, revision }) => list.match === 'Exact' && revision !== undefined),
    (found) => {
      found.revision += 1;
    },
  ),
  'remaining items are miscounted': inFirst(
    page(({ remaining }) => remaining > 0),
    (found) => {
      found.remaining += 1;
    },
  ),
  'a list is refused with 410': inFirst(
    page(({ list, revision }) => list.demand !== '' && list.demand !== '0' && revision !== undefined),
    (found) => {
      Object.assign(found, { outcome: 'refused', status: 410, reason: 'Expired', list: undefined });
      delete found.items;
      delete found.revision;
    },
  ),
  'a get shows an object that has been replaced': (entries) => {
    for (const get of entries) {
      if (get.type !== 'get' || get.demand !== '' || get.outcome !== 'found') continue;
      // The write that replaced it must have been acknowledged too, or either version is right.
      const before = entries.filter((one) => isDone(one, get) && one.returned < get.invoked);
      const older = before.find((one) => one.revision < get.revision);
      if (older === undefined || !before.some((one) => one.revision === get.revision)) continue;
      Object.assign(get, { revision: older.revision, body: older.body });
      return true;
    }
    return false;
  },
  'gets do not find what is there': (entries) => {
    const found = entries.filter(({ type, outcome, demand }) => type === 'get' && outcome === 'found' && demand === '');
    for (const get of found)
      Object.assign(get, { outcome: 'absent', status: 404, revision: undefined, body: undefined });
    return found.length > 0;
  },
  'an acknowledged create is not there': inFirst(created, (entry) => {
    entry.token = 'nobody';
  }),
  'a refused create is there': inFirst(created, (entry) => {
    Object.assign(entry, { outcome: 'refused', status: 409, revision: undefined });
  }),
  'a dry run is there': inFirst(created, (entry) => {
    Object.assign(entry, { dryRun: true, revision: undefined });
  }),
  'an update passes with a stale version': inFirst(replaced, (entry) => {
    entry.want.revision -= 1;
  }),
  'an update writes something else': inFirst(updated, (entry) => {
    entry.sent.labels = { tier: 'z' };
  }),
  'an update passes with another uid': inFirst(updated, (entry) => {
    entry.want.uid = 'another';
  }),
  'a delete is acknowledged twice': inFirst(ended, (entry, entries) => entries.push({ ...entry, token: 'twice' })),
  'a delete passes with a stale version': inFirst(ended, (entry) => {
    entry.want = { revision: 1 };
  }),
  'an acknowledged delete has not been done': inFirst(ended, (entry) => {
    entry.uid = 'another';
  }),
  'a write is answered before it was sent': inFirst(updated, (entry) => {
    entry.invoked = 1_000_000;
    entry.returned = 1_000_001;
  }),
  'a conflict has no reason': inFirst(updated, (entry) => {
    Object.assign(entry, { outcome: 'refused', status: 409, token: 'nobody', want: {}, revision: undefined });
  }),
  'a watcher is never shown the last write': (entries) =>
    entries.push({ type: 'stalled', resource: 'configmaps', shown: 1, wanted: 2 }) > 0,
};

function isDone(entry, { resource, key }) {
  return (
    entry.type === 'write' &&
    entry.outcome === 'done' &&
    entry.resource === resource &&
    entry.key === key &&
    entry.body !== undefined &&
    !entry.dryRun
  );
}
