import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { openProcesses, type ProcessNodesOptions } from './process-nodes.js';

async function opened(processNodes: ProcessNodesOptions | undefined) {
  const reports: string[] = [];
  const report = (error: unknown, where: string): void => void reports.push(`${where}: ${String(error)}`);
  return { processes: await openProcesses({ processNodes, clock: new VirtualClock(), report }), reports };
}

const server = { url: 'https://[::1]:6443', certificateAuthority: 'PEM' };

it('nothing is opened without process nodes', async () => {
  assert.deepEqual(await opened(undefined), { processes: undefined, reports: [] });
  const none = { count: 0, imageCommands: ['wrong'], server };
  assert.deepEqual(await opened(none), { processes: undefined, reports: [] });
});

it('processes that cannot run are reported', async () => {
  const { processes, reports } = await opened({ count: 1, imageCommands: ['wrong'], server });
  assert.equal(processes, undefined);
  assert.match(reports.join(), /^processes: .*"wrong" is not IMAGE=COMMAND$/);
});
