/** Events as a multiset: equal ones are one entry with a count. */
import { byText } from './masker.mjs';

/** Written when a node comes or goes, so by other scenarios too. */
const nodeReasons = new Set(['RegisteredNode', 'RemovingNode']);
/** Repeated as time passes. */
const repeated = new Set([
  'TaintManagerEviction',
  'WaitForFirstConsumer',
  'ExternalProvisioning',
  'FailedBinding',
  'NoPods',
]);

const fields = ['kind', 'name', 'type', 'reason', 'message', 'from'];
export const eventKey = (event) => JSON.stringify(fields.map((field) => event[field]));

/** `keepsNodeEvents`: the scenario is about nodes. */
export function summarizeEvents(events, masker, keepsNodeEvents) {
  const entries = new Map();
  for (const event of events) {
    if (nodeReasons.has(event.reason) && !keepsNodeEvents) continue;
    const { involvedObject, type, reason, message = '', reportingComponent, source, series, count } = event;
    const mask = (text) => masker.text(text).replace(/<hash\d+>/g, '<hash>');
    const entry = {
      kind: involvedObject.kind,
      name: mask(involvedObject.name ?? ''),
      type,
      reason,
      message: mask(message),
      from: reportingComponent || source?.component,
    };
    const key = eventKey(entry);
    const known = entries.get(key) ?? { ...entry, count: 0 };
    known.count += series?.count ?? count ?? 1;
    entries.set(key, known);
  }
  return [...entries.values()].sort(byText);
}

/** The events that several plays agree on. An event that some plays lack is marked. */
export function combineEvents(plays) {
  const byKey = new Map();
  for (const event of plays.flat()) byKey.set(eventKey(event), [...(byKey.get(eventKey(event)) ?? []), event]);
  return [...byKey.values()].map((events) => {
    const [first] = events;
    const isInAll = events.length === plays.length;
    const isStable = first.type !== 'Warning' && !repeated.has(first.reason) && isInAll;
    const count = isStable && events.every((event) => event.count === first.count) ? first.count : '<any>';
    return { ...first, count, ...(isInAll ? {} : { sometimes: true }) };
  });
}
