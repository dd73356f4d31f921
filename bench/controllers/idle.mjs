/**
 * All controllers of Binnacle and of kube-controller-manager, one after the other, on one server in memory that holds settled Deployments without nodes.
 * Figures: CPU in percent of a core, resident memory and requests of an idle manager.
 */
import { parseArgs } from 'node:util';
import { inParallel, megabytes, print, toDigits } from '../support/figures.mjs';
import { managerNames, startManager } from '../support/manager.mjs';
import { newRequests, requestCounts } from '../support/request-counts.mjs';
import { Server, Store } from '../support/server.mjs';
import { until } from '../support/until.mjs';

const { values: options } = parseArgs({
  options: {
    deployments: { type: 'string', default: '1000' },
    replicas: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '30' },
  },
});
const deployments = Number(options.deployments);
const replicas = Number(options.replicas);
const seconds = Number(options.seconds);
/** For the first lists and the last status writes. */
const SETTLE_SECONDS = 20;
const COLLECTION = '/apis/apps/v1/namespaces/default/deployments';

const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

const store = await Store.open('memory');
const server = await Server.start(store);
const client = server.connect();
try {
  const creator = await startManager(managerNames[0], { store });
  await createAll();
  await pause(SETTLE_SECONDS);
  await creator.stop();
  for (const name of managerNames) {
    const manager = await startManager(name, { store });
    await pause(SETTLE_SECONDS);
    await measure(name, manager);
    await manager.stop();
  }
} finally {
  client.close();
  await server.stop();
  await store.close();
}

async function createAll() {
  await until(() => client.read('/api/v1/namespaces/default/serviceaccounts/default'));
  await inParallel(deployments, 16, (index) => client.send('POST', COLLECTION, JSON.stringify(deployment(index))));
  await until(async () => {
    const { items } = await client.read(COLLECTION);
    return items.every(({ status }) => status?.replicas === replicas);
  });
}

async function measure(name, manager) {
  const before = await counts();
  const cpu = manager.cpuSeconds();
  await pause(seconds);
  print({
    manager: name,
    deployments,
    pods: deployments * replicas,
    cpuPercent: toDigits(((manager.cpuSeconds() - cpu) / seconds) * 100, 2),
    residentMegabytes: megabytes(manager.residentBytes()),
    requests: newRequests(before, await counts()),
  });
}

/** On a connection of its own: the server closes one that is idle. */
async function counts() {
  const reader = server.connect();
  const text = await reader.text('/metrics');
  reader.close();
  return requestCounts(text);
}

function deployment(index) {
  const labels = { app: `web-${index}` };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'img:1' }] } };
  return { metadata: { name: `web-${index}` }, spec: { replicas, selector: { matchLabels: labels }, template } };
}
