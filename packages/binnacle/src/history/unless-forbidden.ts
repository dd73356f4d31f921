import { formatGroupResource } from '@binnacle/apimachinery/meta';
import { StatusError } from '@binnacle/apimachinery/status';
import type { PastEvent, Target } from './history-client.js';
import type { NamedTarget } from './requests/request.js';

/** Runs a read. If the user did not name the kind and may not read it, this does nothing. */
export async function unlessForbidden(named: NamedTarget | undefined, read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (named !== undefined || !isRefusal(error)) throw error;
  }
}

/** Like {@link unlessForbidden}, for the events of a kind that the user did not name. */
export async function* eventsUnlessForbidden(
  events: AsyncIterable<PastEvent>,
): AsyncGenerator<PastEvent, void, undefined> {
  try {
    yield* events;
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}

/**
 * Reads one target after the other. If the user named none, it leaves out those that the user may not read, and those whose
 * former values are forgotten. At the end, an error names the forgotten ones.
 */
export async function readEach(
  targets: readonly Target[],
  named: NamedTarget | undefined,
  read: (target: Target) => Promise<void>,
): Promise<void> {
  const forgotten: { readonly name: string; readonly error: unknown }[] = [];
  for (const target of targets) {
    await unlessForbidden(named, () => read(target)).catch((error: unknown) => {
      if (named !== undefined || !isExpired(error)) throw error;
      forgotten.push({ name: formatGroupResource(target.resource.resource), error });
    });
  }
  const [first] = forgotten;
  if (first === undefined) return;
  // No kind has this revision, so the error of one says all.
  if (forgotten.length === targets.length) throw first.error;
  const names = forgotten.map(({ name }) => name).join(', ');
  throw new Error(`left out, because former values are forgotten: ${names}`);
}

/** A kind that the user may not read, or that another server serves. */
function isRefusal(error: unknown): boolean {
  return error instanceof StatusError && [403, 404, 405].includes(error.code);
}

function isExpired(error: unknown): boolean {
  return error instanceof StatusError && error.code === 410;
}
