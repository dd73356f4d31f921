/** The pods of a namespace, as its watch tells of them: which were created, which were told to go, and each moment that broke the rule. */
export class PodLedger {
  #pods = new Map();
  #leaving = new Set();
  /** Names in the order of events. */
  created = [];
  deleted = [];
  /** What `rule` said. */
  broken = [];
  /** Returns what is wrong with all pods at a time in milliseconds, or undefined. */
  rule = () => undefined;

  /** `now` is not before the event. */
  record({ type, object }, now) {
    const { uid, name, deletionTimestamp } = object.metadata;
    if (!this.#pods.has(uid)) this.created.push(name);
    this.#pods.set(uid, object);
    const isLeaving = type === 'DELETED' || deletionTimestamp !== undefined;
    if (isLeaving && !this.#leaving.has(uid)) {
      this.#leaving.add(uid);
      this.deleted.push(name);
    }
    const present = [...this.#pods.values()].filter(({ metadata }) => !this.#leaving.has(metadata.uid));
    const problem = this.rule(present, now);
    if (problem !== undefined) this.broken.push(`${type} ${name}: ${problem}`);
  }
}

/** Records what happens to pods after a resource version, until the signal. Rejects when the watch does. */
export async function recordPods(pods, ledger, { resourceVersion, signal }) {
  let last = resourceVersion;
  try {
    while (!signal.aborted) {
      for await (const event of pods.watch({ resourceVersion: last, signal })) {
        last = event.object.metadata.resourceVersion;
        ledger.record(event, Date.now());
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** At most `most` pods that have not ended, and at least `least` available ones. */
export const between =
  ({ most, least = 0, minReadySeconds = 0 }) =>
  (pods, now) => {
    const active = pods.filter(({ status }) => !['Succeeded', 'Failed'].includes(status?.phase));
    if (active.length > most) return `${active.length} pods, but ${most} are the most`;
    const available = active.filter((pod) => isAvailable(pod, minReadySeconds, now));
    return available.length < least ? `${available.length} available, but ${least} are the least` : undefined;
  };

function isAvailable({ status }, minReadySeconds, now) {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'True' && Date.parse(ready.lastTransitionTime) + minReadySeconds * 1000 <= now;
}
