import { compareResourceVersions } from '@binnacle/apimachinery/meta';
import { StatusError } from '@binnacle/apimachinery/status';
import { DynamicClient } from '@binnacle/client/dynamic';
import type { Transport } from '@binnacle/client/transport';
import type { HistoryClient, PastEvent, Target } from './history-client.js';

export interface FollowParts {
  readonly transport: Transport;
  readonly client: HistoryClient;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls `found` with each event of a target after a resourceVersion, oldest first, until the signal fires. A watch says when there is
 * something to read; the history says what it was and who wrote it.
 */
export async function follow(
  { transport, client, signal }: FollowParts,
  target: Target,
  since: string,
  found: (event: PastEvent) => Promise<void>,
): Promise<void> {
  const watched = new DynamicClient(transport).resource(target.resource.resource);
  const scoped = target.namespace === undefined ? watched : watched.namespace(target.namespace);
  const selected = target.name === undefined ? {} : { fieldSelector: `metadata.name=${target.name}` };
  let seen = since;
  for (;;) {
    if (signal?.aborted === true) return;
    const stopping = signal === undefined ? {} : { signal };
    try {
      for await (const { object } of scoped.watch({ ...selected, ...stopping, resourceVersion: seen })) {
        // One read of the history may return several events.
        const { resourceVersion = '' } = object.metadata ?? {};
        if (compareResourceVersions(resourceVersion, seen) <= 0) continue;
        seen = await tell(client, target, { seen, signal }, found);
      }
    } catch (error) {
      // The history is longer than what watches can begin at.
      if (!(error instanceof StatusError && error.code === 410)) throw error;
    }
    const until = await client.newest(target, signal);
    await tell(client, target, { seen, until, signal }, found);
    seen = until;
  }
}

interface Bounds {
  readonly seen: string;
  readonly until?: string;
  readonly signal: AbortSignal | undefined;
}

/** Tells of the events since `seen`. Returns the resourceVersion of the newest. */
async function tell(
  client: HistoryClient,
  target: Target,
  { seen, until, signal }: Bounds,
  found: (event: PastEvent) => Promise<void>,
): Promise<string> {
  const at = (text: string) => ({ type: 'revision', text }) as const;
  const events: PastEvent[] = [];
  const bounds = { since: at(seen), until: until === undefined ? undefined : at(until), signal };
  for await (const event of client.events(target, bounds)) events.push(event);
  for (const event of events.reverse()) await found(event);
  return events.at(-1)?.resourceVersion ?? seen;
}
