import { setMaxListeners } from 'node:events';
import { type Clock, sleep } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import { DiscoveryClient } from '@binnacle/client/discovery';
import { readBody, type Transport } from '@binnacle/client/transport';
import { ChangeLog, type Load, LOAD_METRICS, loadBetween, matcher, parseMetrics, type Sample } from '../model/index.js';
import { Feed, watchableKinds } from '../server/index.js';
import { screenLines, type Size } from './screen.js';

const INTERVAL_MS = 2000;
const MOST_METRICS_BYTES = 32 * 1024 * 1024;

export interface TopOptions {
  readonly transport: Transport;
  /** The URL of the API server, to show. */
  readonly server: string;
  readonly clock: Clock;
  readonly size: () => Size;
  /** Receives each screen. */
  readonly show: (lines: readonly string[]) => void;
  /** End after the first screen with a load. */
  readonly once: boolean;
}

/** Shows what the server does, every two seconds, until the signal fires. Rejects when the server cannot be reached. */
export async function runTop(options: TopOptions, signal: AbortSignal): Promise<void> {
  const { transport, clock } = options;
  const ending = new AbortController();
  const either = AbortSignal.any([signal, ending.signal]);
  setMaxListeners(0, either);
  const discovery = new DiscoveryClient(transport);
  const [surface, version] = await Promise.all([discovery.surface(), discovery.serverVersion({ signal })]);
  const feed = new Feed({ transport, kinds: watchableKinds(surface), clock });
  const log = new ChangeLog();
  const following = Promise.all([feed.run(either), follow(feed, log, clock, either)]);
  const gitVersion = typeof version['gitVersion'] === 'string' ? version['gitVersion'] : '';
  try {
    await showAll(options, { feed, log, version: gitVersion }, signal);
  } finally {
    ending.abort(new Error('top has ended'));
    await following;
  }
}

async function follow(feed: Feed, log: ChangeLog, clock: Clock, signal: AbortSignal): Promise<void> {
  const isShown = matcher({ namespace: '', text: '', noise: false }, feed.kinds);
  using subscription = feed.subscribe();
  try {
    for await (const { changes = [], dropped } of subscription.batches(clock, signal)) {
      log.add(changes.filter(isShown), dropped);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

interface Shown {
  readonly feed: Feed;
  readonly log: ChangeLog;
  readonly version: string;
}

async function showAll(options: TopOptions, { feed, log, version }: Shown, signal: AbortSignal): Promise<void> {
  const { transport, server, clock, size, show, once } = options;
  let before: { readonly samples: readonly Sample[]; readonly time: number } | undefined;
  while (!signal.aborted) {
    let load: Load | undefined;
    let problem = '';
    try {
      const [samples, time] = [await readMetrics(transport, signal), clock.monotonic()];
      if (before !== undefined) load = loadBetween(before.samples, samples, (time - before.time) / 1000);
      before = { samples, time };
    } catch (error) {
      if (signal.aborted) return;
      problem = `no metrics: ${messageOf(error)}`;
    }
    const screen = { server, version, now: clock.now(), objects: feed.size, load, problem, kinds: feed.kinds };
    const isWhole = load !== undefined || problem !== '';
    if (!once || isWhole) show(screenLines({ ...screen, changes: log.changes }, size()));
    if (once && isWhole) return;
    await sleep(clock, INTERVAL_MS, signal).catch(() => undefined);
  }
}

async function readMetrics(transport: Transport, signal: AbortSignal): Promise<Sample[]> {
  const response = await transport.send({ method: 'GET', path: '/metrics' }, { signal });
  const text = Buffer.from(await readBody(response, MOST_METRICS_BYTES)).toString('utf8');
  if (response.status !== 200) throw new Error(`the server answers ${response.status}`);
  return parseMetrics(text, LOAD_METRICS);
}
