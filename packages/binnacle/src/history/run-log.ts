import { touches } from '@binnacle/apimachinery/differences';
import { follow } from './follow.js';
import type { PastEvent, Target } from './history-client.js';
import { HistoryReader } from './history-reader.js';
import type { HistoryParts } from './parts.js';
import { changesOf, eventLine, eventText } from './printed.js';
import { unlessForbidden } from './unless-forbidden.js';
import type { RequestOf } from './requests/request.js';

type Print = (event: PastEvent) => Promise<void>;

/** Prints events, newest first. */
export async function runLog(request: RequestOf<'log'>, parts: HistoryParts): Promise<void> {
  const { target, scope, since, until, patch, limit } = request;
  const reader = new HistoryReader(parts);
  const targets = await reader.targets(target, scope);
  const print: Print = async (event) => parts.print(`${patch ? eventText(event) : eventLine(event)}\n`);
  if (request.follow) return followLog(reader, targets, request, parts, print);
  let shown = 0;
  for await (const event of reader.events(targets, target, { since, until })) {
    if (!isWanted(event, request)) continue;
    await print(event);
    shown += 1;
    if (shown === limit) return;
  }
}

/** Prints one event, with each changed field. */
export async function runShow(
  { revision, target, scope }: Omit<RequestOf<'show'>, 'action'>,
  parts: HistoryParts,
): Promise<void> {
  const { event } = await new HistoryReader(parts).eventAt(revision, target, scope);
  await parts.print(eventText(event));
}

/** The newest events, oldest first, and then those to come. */
async function followLog(
  reader: HistoryReader,
  targets: readonly Target[],
  request: RequestOf<'log'>,
  { transport, signal }: HistoryParts,
  print: Print,
): Promise<void> {
  const { target: named, since, limit } = request;
  const { client } = reader;
  const [first] = targets;
  if (first === undefined) return;
  const until = await client.newest(first, signal);
  const past: PastEvent[] = [];
  for await (const event of reader.events(targets, named, { since, until: { type: 'revision', text: until } })) {
    if (isWanted(event, request)) past.push(event);
    if (past.length === limit) break;
  }
  for (const event of past.reverse()) await print(event);
  const found: Print = async (event) => {
    if (isWanted(event, request)) await print(event);
  };
  const parts = { transport, client, signal };
  await Promise.all(targets.map((each) => unlessForbidden(named, () => follow(parts, each, until, found))));
}

function isWanted(event: PastEvent, { by, field }: RequestOf<'log'>): boolean {
  if (by !== undefined && event.writer?.user !== by && event.writer?.manager !== by) return false;
  // An event whose values are forgotten may have changed the field.
  return (
    field === undefined || event.forgotten !== undefined || changesOf(event).some((change) => touches(change, field))
  );
}
