import assert from 'node:assert/strict';
import { it } from 'node:test';
import { settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { WorkQueue } from '../workqueue/index.js';
import { runReconcileLoop } from './reconcile-loop.js';

it('lets hundreds of requests of a reconcile listen to its signal without a warning of Node', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error): number => warnings.push(name);
  process.on('warning', note);
  const clock = new VirtualClock();
  const queue = new WorkQueue<string>({ clock });
  const stop = new AbortController();
  queue.add('default/web');
  const reconcile = async (_: unknown, signal: AbortSignal): Promise<void> => {
    for (let count = 0; count < 500; count++) signal.addEventListener('abort', () => count);
    stop.abort();
  };
  const rest = { name: 'test', concurrency: 1, timeout: undefined, report: assert.fail, observer: undefined };
  await runReconcileLoop({ ...rest, queue, reconcile, clock }, stop.signal);
  // Warnings come in a later turn.
  await settle();
  process.off('warning', note);
  assert.deepEqual(warnings, []);
});
