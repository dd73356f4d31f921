import { type Clock, sleep } from '@binnacle/apimachinery/clock';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { DiscoveryClient } from '@binnacle/client/discovery';
import { fieldsOf } from './item.js';

/** How long a server may take to serve a new definition, and how often to ask. */
const LIMIT_MS = 30_000;
const ASK_MS = 50;

export interface Waiting {
  readonly discovery: DiscoveryClient;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/** Resolves when a server serves the resource of a definition, or after {@link LIMIT_MS}. Its objects then fail with the reason. */
export async function untilServed(definition: JsonObject, { discovery, clock, signal }: Waiting): Promise<void> {
  const { group, names, versions } = fieldsOf(definition['spec']);
  const plural = fieldsOf(names)['plural'];
  const version = Array.isArray(versions)
    ? versions.map(fieldsOf).find(({ served }) => served === true)?.['name']
    : undefined;
  if (typeof group !== 'string' || typeof plural !== 'string' || typeof version !== 'string') return;
  const end = clock.monotonic() + LIMIT_MS;
  while (!(await discovery.serves({ group, version, resource: plural }))) {
    if (clock.monotonic() >= end) return;
    await sleep(clock, ASK_MS, signal);
  }
}
