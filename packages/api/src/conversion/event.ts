import { getOwn, type JsonObject } from '@binnacle/apimachinery/json';

/** The Event fields whose names differ between the core group and events.k8s.io. */
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
