import { resources } from '../resources.mjs';
import { Log } from './log.mjs';
import { ReadCheck } from './reads.mjs';
import { Timeline } from './timeline.mjs';
import { WatchCheck } from './watches.mjs';
import { WriteCheck } from './writes.mjs';

/** Per predicate: otherwise many violations of one predicate would hide the others. */
const MOST_VIOLATIONS = 10;

/**
 * Checks a history against docs/spec/consistency.md. Returns the violations, each `{ predicate, text, entry }`, the
 * first ten of each predicate, and counts of the checks. It needs only the history, so it also works on a saved one.
 *
 * `inconclusive`: the recording watch started too late for a part that was rightly compacted. The events of that part
 * are unknown, and it yields no violations.
 */
export function check(history) {
  const violations = [];
  const report = (predicate, text, entry) => {
    const same = violations.filter((violation) => violation.predicate === predicate);
    if (same.length < MOST_VIOLATIONS) violations.push({ predicate, text, entry });
  };
  const log = new Log(history, report);
  const timeline = new Timeline();
  for (const entry of history.entries) tellTimeline(timeline, entry);

  const writes = new WriteCheck(history, log, timeline, report);
  writes.explainEvents(resources.map(({ name }) => name));
  timeline.seal();
  const excuses = { expired: expiry(history, timeline), failing: history.entries.some(({ type }) => type === 'flaky') };
  writes.checkOutcomes(history, excuses.failing);

  const reads = new ReadCheck(log, timeline, excuses, report);
  const watches = new WatchCheck(log, timeline, excuses, report);
  for (const entry of history.entries) {
    if (entry.type === 'get') reads.checkGet(entry);
    if (entry.type === 'list') reads.checkList(entry);
    if (entry.type === 'watch') watches.check(entry);
    if (entry.type === 'stalled')
      report('WatchL', `showed ${entry.shown} long after ${entry.wanted} was written`, entry);
    if (entry.type === 'fault' && entry.kind === 'restart' && entry.code !== 0)
      report('Server', `ended with ${entry.code}`, entry);
  }
  const isGap = ({ type, client, code, status }) =>
    type === 'watch' && client.startsWith('recorder') && (code ?? status) === 410;
  const inconclusive = history.entries.some(isGap) && !violations.some(({ text }) => text.startsWith('ended with 410'));
  return { violations: inconclusive ? [] : violations, inconclusive, counts: countOf(history, log) };
}

/** Records every revision that a client was shown as reached. */
function tellTimeline(timeline, entry) {
  if ((entry.type === 'write' || entry.type === 'get') && entry.revision !== undefined)
    timeline.saw(entry.returned, entry.revision);
  for (const page of entry.pages ?? []) timeline.saw(page.returned, page.revision);
  if (entry.type === 'watch') for (const { at, revision } of entry.events) timeline.saw(at, revision);
}

/** Whether history at a revision may have been compacted when an answer came: only then 410 is right. */
function expiry(history, timeline) {
  const compactions = history.entries.filter(({ type }) => type === 'compaction');
  const retained = history.entries.some(({ type }) => type === 'retention');
  return (revision, returned) =>
    (retained && revision < timeline.reachedBefore(returned)) ||
    compactions.some((one) => one.invoked < returned && revision < (one.revision ?? timeline.reachedBefore(returned)));
}

function countOf(history, log) {
  const counts = {
    events: log.events.size,
    writes: 0,
    unknown: 0,
    refused: 0,
    gets: 0,
    lists: 0,
    watches: 0,
    delivered: 0,
    bookmarks: 0,
    expired: 0,
    faults: 0,
  };
  for (const entry of history.entries) {
    if (entry.type === 'write') {
      counts.writes += 1;
      if (entry.outcome === 'unknown') counts.unknown += 1;
      if (entry.outcome === 'refused') counts.refused += 1;
    }
    if (entry.type === 'get') counts.gets += 1;
    if (entry.type === 'list') counts.lists += 1;
    if (entry.type === 'fault' || entry.type === 'compaction') counts.faults += 1;
    if ([entry.code, entry.status, ...(entry.pages ?? []).map(({ status }) => status)].includes(410))
      counts.expired += 1;
    if (entry.type !== 'watch') continue;
    counts.watches += 1;
    counts.delivered += entry.events.length;
    counts.bookmarks += entry.events.filter(({ type }) => type === 'BOOKMARK').length;
  }
  return counts;
}
