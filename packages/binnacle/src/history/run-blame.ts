import { blame, type Version } from './blame.js';
import type { PastEvent } from './history-client.js';
import { HistoryReader } from './history-reader.js';
import type { HistoryParts } from './parts.js';
import { blameLines } from './printed.js';
import type { RequestOf } from './requests/request.js';

/** Prints who set each field of an object. */
export async function runBlame({ target, scope }: RequestOf<'blame'>, parts: HistoryParts): Promise<void> {
  const reader = new HistoryReader(parts);
  const events = reader.events([await reader.target(target, scope)], target);
  let forgotten: PastEvent | undefined;
  const reached = (event: PastEvent): void => {
    forgotten = event;
  };
  const fields = await blame(versionsOf(events, reached));
  const [first] = fields;
  if (first === undefined) throw new Error(`the server has no history of ${target.kind}/${target.name}`);
  await parts.print(`${blameLines(fields).join('\n')}\n`);
  if (forgotten === undefined || fields.every(({ event }) => event !== undefined)) return;
  const { resourceVersion } = forgotten;
  await parts.print(
    `Fields without a revision were set at ${resourceVersion} or before. The values from before it are forgotten.\n`,
  );
}

/** `reached`: called with the event whose previous value is forgotten. */
async function* versionsOf(
  events: AsyncIterable<PastEvent>,
  reached: (event: PastEvent) => void,
): AsyncGenerator<Version<PastEvent>, void, undefined> {
  for await (const event of events) {
    const isPreviousForgotten = event.forgotten?.previous === true;
    if (isPreviousForgotten) reached(event);
    yield { event, object: event.object, previous: event.previous, isPreviousForgotten };
  }
}
