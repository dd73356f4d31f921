import { getOwn, type JsonObject } from '@binnacle/apimachinery/json';

/** Fields of an Event of the core group, and what they are called in events.k8s.io. All others have one name in both. */
const renamed: readonly (readonly [core: string, events: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
];
const toEvents = new Map(renamed);
const toCore = new Map(renamed.map(([core, events]) => [events, core]));

export const coreEventToEvents = (event: JsonObject): JsonObject => rename(event, toEvents);
export const eventsEventToCore = (event: JsonObject): JsonObject => rename(event, toCore);

function rename(event: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const result: JsonObject = {};
  for (const field of Object.keys(event)) result[names.get(field) ?? field] = getOwn(event, field);
  return result;
}
