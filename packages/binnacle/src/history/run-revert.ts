import { isObject, type JsonObject, stringifyJson } from '@binnacle/apimachinery/json';
import { exchange } from '@binnacle/client/rest';
import { inert } from '../printing/index.js';
import { objectPath, type PastEvent, type Target } from './history-client.js';
import { HistoryReader } from './history-reader.js';
import type { HistoryParts } from './parts.js';
import { forgottenText, objectName } from './printed.js';
import type { RequestOf } from './requests/request.js';
import { planReverts, type RevertsPlan } from './revert.js';

const DONE = {
  nothing: 'is already as before',
  update: 'is reverted',
  create: 'is created again',
  delete: 'is deleted',
};

type WritePlan = Exclude<RevertsPlan<never>, { readonly type: 'conflict' | 'nothing' }>;

interface EventsOfObject {
  readonly place: Target;
  /** Newest first. */
  readonly events: readonly PastEvent[];
}

/** Undoes events, by one write of each object. Writes nothing if one of the events conflicts. */
export async function runRevert(request: RequestOf<'revert'>, parts: HistoryParts): Promise<void> {
  const { force, dryRun } = request;
  const reader = new HistoryReader(parts);
  const writes = [];
  for (const { place, events } of await eventsToUndo(request, reader)) {
    const live = await reader.client.find(place, parts.signal);
    writes.push({ place, live, plan: planReverts(events, live, force), name: events.map(objectName)[0] ?? '' });
  }
  const conflicts = writes.flatMap(({ plan, name }) => (plan.type === 'conflict' ? [conflictText(plan, name)] : []));
  if (conflicts.length > 0) throw new Error(conflicts.join('\n'));
  for (const { place, live, plan, name } of writes) {
    if (plan.type === 'conflict') continue;
    if (plan.type !== 'nothing') await write(plan, place, live, dryRun, parts);
    await parts.print(`${name} ${DONE[plan.type]}${dryRun && plan.type !== 'nothing' ? ' (dry run)' : ''}\n`);
  }
}

async function eventsToUndo(
  { revisions, target, scope }: RequestOf<'revert'>,
  reader: HistoryReader,
): Promise<Iterable<EventsOfObject>> {
  const newestFirst = [...new Set(revisions)].sort((a, b) => Number(b) - Number(a));
  const objects = new Map<string, EventsOfObject>();
  for (const revision of newestFirst) {
    const { event, place } = await reader.eventAt(revision, target, scope);
    const forgotten = forgottenText(event);
    if (forgotten !== '') {
      throw new Error(`the write of ${objectName(event)} at revision ${revision} cannot be undone: ${forgotten}`);
    }
    const path = objectPath(place);
    const events = objects.get(path)?.events ?? [];
    objects.set(path, { place, events: [...events, event] });
  }
  return objects.values();
}

async function write(
  plan: WritePlan,
  place: Target,
  live: JsonObject | undefined,
  dryRun: boolean,
  { transport, signal }: HistoryParts,
): Promise<void> {
  const query = new URLSearchParams({ fieldManager: 'binnacle-revert', ...(dryRun ? { dryRun: 'All' } : {}) });
  const path = plan.type === 'create' ? objectPath({ ...place, name: undefined }) : objectPath(place);
  const metadata = isObject(live?.['metadata']) ? live['metadata'] : {};
  const { uid = null, resourceVersion = null } = metadata;
  // A server ignores the query of a delete that has options in its body.
  const deletion = { preconditions: { uid, resourceVersion }, ...(dryRun ? { dryRun: ['All'] } : {}) };
  const body = plan.type === 'delete' ? deletion : plan.object;
  const method = { create: 'POST', update: 'PUT', delete: 'DELETE' }[plan.type];
  const headers = { 'content-type': 'application/json' };
  const request = { method, path: `${path}?${query.toString()}`, headers, body: stringifyJson(body) };
  await exchange(transport, request, { signal });
}

function conflictText(
  { fields, event }: Extract<RevertsPlan<PastEvent>, { readonly type: 'conflict' }>,
  name: string,
): string {
  const lines = fields.map((field) => `\n  ${inert(field)}`).join('');
  return `${name} has changed since ${event.resourceVersion}; --force overwrites these fields:${lines}`;
}
