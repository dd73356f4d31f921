/** One play of a scenario. */
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCondition } from '../interop/components/objects.mjs';
import { Actions } from './actions.mjs';
import { summarizeEvents } from './events.mjs';
import { isClusterScoped } from './kinds.mjs';
import { startNode } from './player-node.mjs';
import { poll } from './poll.mjs';

const POLL_MS = 300;
/** A snapshot is taken after this long without a change. */
const QUIET_MS = 1500;
const LONGEST_WAIT_FOR_QUIET_MS = 12_000;

const isReady = hasCondition('Ready');
const runsReady = (pod) => pod.status.phase === 'Running' && isReady(pod);

/** The `t` of a scenario. */
export class Play extends Actions {
  #patience;
  #stopNodes = [];

  /** `patience` multiplies all timeouts. */
  constructor(name, { patience = 1, ...options }) {
    super(name, options);
    this.#patience = patience;
  }

  /** Plays the scenario in a namespace of its own, which the caller deletes. Resolves to the steps. */
  async play(scenario) {
    await this.#createNamespace();
    try {
      await scenario(this);
      this.steps.push({ events: await this.#events() });
    } catch (error) {
      this.steps.push({ settled: 'no exception', ok: false, message: String(error.stack ?? error).slice(0, 400) });
    }
    for (const stop of this.#stopNodes) stop();
    await this.#removeClusterScoped();
    await this.#removeWorkloads();
    return this.steps;
  }

  // Waits.

  sleep(milliseconds) {
    return sleep(milliseconds);
  }

  /** Polls until `check` returns a value that is true, and resolves to it. An error of `check` means not yet. */
  async until(what, check, seconds = 40) {
    const end = Date.now() + seconds * 1000 * this.#patience;
    for (;;) {
      const result = await Promise.resolve()
        .then(check)
        .catch(() => false);
      const isOver = Date.now() > end;
      if (result || isOver) this.steps.push({ settled: what, ok: Boolean(result) });
      if (result) return result;
      if (isOver) return false;
      await sleep(POLL_MS);
    }
  }

  pods(count, selector, { ready = false, timeout = 40, what } = {}) {
    const label = `${count} ${ready ? 'ready ' : ''}pods${selector ? ` ${selector}` : ''}`;
    return this.until(
      what ?? label,
      async () => {
        const pods = (await this.list('Pod', selector)).filter(({ metadata }) => !metadata.deletionTimestamp);
        return pods.length === count && (!ready || pods.every(runsReady)) && pods;
      },
      timeout,
    );
  }

  gone(kind, name, seconds) {
    return this.until(`${kind} ${this.mask.text(name)} gone`, async () => !(await this.get(kind, name)), seconds);
  }

  event(reason, seconds, pattern) {
    const matches = (event) => event.reason === reason && (!pattern || pattern.test(event.message));
    const label = `event ${reason}${pattern ? ` ${pattern.source}` : ''}`;
    return this.until(label, async () => (await this.list('Event')).some(matches), seconds);
  }

  cond(kind, name, type, status, reason, seconds) {
    const matches = hasCondition(type, status, reason);
    const label = `${kind} ${name} condition ${type}=${status}${reason ? ` ${reason}` : ''}`;
    return this.until(label, async () => matches(await this.get(kind, name)), seconds);
  }

  // Snapshots.

  /**
   * Keeps objects once nothing changes any longer. An entry of `kinds` is a kind, then names, all objects by default, and
   * `full` for whole pods. Of cluster-scoped kinds without names it keeps those that name this play.
   */
  async snap(name, kinds, { quiet = QUIET_MS } = {}) {
    const end = Date.now() + LONGEST_WAIT_FOR_QUIET_MS;
    let lists = await this.#listAll(kinds);
    for (let since = Date.now(); Date.now() - since < quiet && Date.now() <= end; ) {
      await sleep(POLL_MS);
      const later = await this.#listAll(kinds);
      if (versionsOf(later) !== versionsOf(lists)) since = Date.now();
      lists = later;
    }
    const objects = lists.map(({ kind, items, isWhole }) => [kind, this.mask.objects(kind, items, isWhole)]);
    this.steps.push({ snapshot: name, objects: Object.fromEntries(objects) });
  }

  async #listAll(kinds) {
    const lists = [];
    for (const entry of kinds) {
      const [kind, ...words] = entry.split(' ');
      const names = words.filter((word) => word !== 'full');
      lists.push({ kind, items: await this.#listNamed(kind, names), isWhole: words.includes('full') });
    }
    return lists;
  }

  async #listNamed(kind, names) {
    if (!isClusterScoped(kind)) {
      const items = await this.list(kind);
      return names.length === 0 ? items : items.filter(({ metadata }) => names.includes(metadata.name));
    }
    if (names.length === 0) {
      return (await this.list(kind)).filter(({ metadata }) => metadata.name.includes(this.unique));
    }
    const found = await Promise.all(names.map((name) => this.get(kind, name)));
    return found.filter((object) => object !== undefined);
  }

  async #events() {
    const inDefault = (await this.raw('GET', '/api/v1/namespaces/default/events')).body?.items ?? [];
    const own = inDefault.filter(({ involvedObject }) => involvedObject.name?.includes(this.unique));
    return summarizeEvents([...(await this.list('Event')), ...own], this.mask, this.name.startsWith('nodes/'));
  }

  // Nodes.

  /** Makes a node without a kubelet; see {@link startNode}. */
  async node(name, options) {
    this.clusterScoped.push(['Node', name]);
    const stop = await startNode(this, name, options);
    this.#stopNodes.push(stop);
    return stop;
  }

  // The beginning and the end.

  async #createNamespace() {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: this.namespace } };
    const { status, body } = await this.raw('POST', '/api/v1/namespaces', namespace);
    if (status !== 201) throw new Error(`namespace: ${JSON.stringify(body)}`);
    const hasDefaults = async () => {
      const defaults = [this.get('ServiceAccount', 'default'), this.get('ConfigMap', 'kube-root-ca.crt')];
      return (await Promise.all(defaults)).every(Boolean);
    };
    await poll(hasDefaults, 60, 200);
    await sleep(POLL_MS);
  }

  async #removeClusterScoped() {
    for (const [kind, name] of this.clusterScoped.reverse()) {
      const options = kind === 'Node' ? { gracePeriodSeconds: 0 } : undefined;
      await this.raw('DELETE', this.path(kind, name), options);
      if ((await this.get(kind, name))?.metadata?.finalizers?.length) await this.#dropFinalizers(kind, name);
      if (kind === 'Node') await this.raw('DELETE', this.path('Lease', name, undefined, 'kube-node-lease'));
    }
  }

  async #removeWorkloads() {
    for (const { metadata } of await this.list('Pod')) {
      if (metadata.finalizers?.length) await this.#dropFinalizers('Pod', metadata.name);
    }
    for (const kind of workloads) await this.raw('DELETE', this.path(kind), { propagationPolicy: 'Background' });
    await sleep(POLL_MS);
    await this.raw('DELETE', this.path('Pod'), { gracePeriodSeconds: 0 });
  }

  #dropFinalizers(kind, name) {
    return this.raw('PATCH', this.path(kind, name), { metadata: { finalizers: null } }, 'merge');
  }
}

/** Owners first. */
const workloads = [
  'HorizontalPodAutoscaler',
  'CronJob',
  'Job',
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'ReplicationController',
  'Service',
];

const versionsOf = (lists) =>
  JSON.stringify(lists.map(({ items }) => items.map(({ metadata }) => metadata.uid + metadata.resourceVersion)));
