import { type Clock, sleep } from '@binnacle/apimachinery/clock';
import type { Profile } from '../cycle/index.js';
import { type Attempt, type Extender, failure, type Status, success, unschedulable } from '../framework/index.js';

/** Runs the Reserve plugins. When one rejects, all are undone. */
export function reserve(profile: Profile, attempt: Attempt, nodeName: string): Status {
  for (const plugin of profile.with('reserve')) {
    const status = plugin.reserve?.(attempt, nodeName) ?? success;
    if (status.code === 'Success') continue;
    unreserve(profile, attempt, nodeName);
    return { ...status, plugin: plugin.name };
  }
  return success;
}

export function unreserve(profile: Profile, attempt: Attempt, nodeName: string): void {
  for (const plugin of profile.with('unreserve').toReversed()) plugin.unreserve?.(attempt, nodeName);
}

/** Permits and prepares the binding of a reserved pod, which may take minutes. Does not reject: if a plugin fails, the code is `Error`. */
export async function prepareBinding(
  profile: Profile,
  attempt: Attempt,
  nodeName: string,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Status> {
  try {
    const permitted = await permit(profile, attempt, nodeName, clock, signal);
    if (permitted.code !== 'Success') return permitted;
    for (const plugin of profile.with('preBind')) {
      const status = (await plugin.preBind?.(attempt, nodeName, signal)) ?? success;
      if (status.code !== 'Success') return { ...status, plugin: plugin.name };
    }
    return success;
  } catch (error) {
    return failure(error);
  }
}

/** Writes the binding of a prepared pod. Does not reject: if a plugin fails, the code is `Error`. */
export async function bindPod(
  profile: Profile,
  attempt: Attempt,
  nodeName: string,
  signal: AbortSignal,
): Promise<Status> {
  try {
    if (await bindByExtender(profile.extenders, attempt, nodeName, signal)) return bound(profile, attempt, nodeName);
    for (const plugin of profile.with('bind')) {
      const status = (await plugin.bind?.(attempt, nodeName, signal)) ?? success;
      if (status.code === 'Skip') continue;
      if (status.code !== 'Success') return { ...status, plugin: plugin.name };
      return bound(profile, attempt, nodeName);
    }
    return failure(new Error('no plugin has bound the pod'));
  } catch (error) {
    return failure(error);
  }
}

function bound(profile: Profile, attempt: Attempt, nodeName: string): Status {
  for (const each of profile.with('postBind')) each.postBind?.(attempt, nodeName);
  return success;
}

/** Resolves to false if the Bind plugins are to bind the pod. Rejects with the failure of an extender. Upstream: `extendersBinding`. */
async function bindByExtender(
  extenders: readonly Extender[],
  { pod }: Attempt,
  nodeName: string,
  signal: AbortSignal,
): Promise<boolean> {
  for (const extender of extenders) {
    if (extender.bind === undefined || !extender.isInterested(pod)) continue;
    try {
      await extender.bind(pod, nodeName, signal);
      return true;
    } catch (error) {
      if (!extender.isIgnorable) throw error;
    }
  }
  return false;
}

async function permit(
  profile: Profile,
  attempt: Attempt,
  nodeName: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<Status> {
  for (const plugin of profile.with('permit')) {
    const { status, decision, timeout = 0 } = plugin.permit?.(attempt, nodeName) ?? { status: success };
    let final = status;
    if (status.code === 'Wait') {
      const ended = new AbortController();
      const expired = sleep(clock, timeout, AbortSignal.any([signal, ended.signal])).then(() =>
        unschedulable(`rejected due to timeout after waiting ${timeout} ms at plugin ${plugin.name}`),
      );
      expired.catch(() => undefined);
      final = await Promise.race([decision ?? expired, expired]);
      ended.abort();
    }
    if (final.code !== 'Success') return { ...final, plugin: plugin.name };
  }
  return success;
}
