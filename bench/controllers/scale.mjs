/**
 * Scales a Deployment from 0, without nodes, with Binnacle's controllers and with kube-controller-manager's, in turns on one server in memory, and
 * with the controllers inside such a server. Figures: pods created per second, CPU until then, and requests per pod until the manager is silent.
 */
import { parseArgs } from 'node:util';
import { print, timed, toDigits } from '../support/figures.mjs';
import { managerNames, startManager } from '../support/manager.mjs';
import { newRequests, requestCounts, sumOf, writesOf } from '../support/request-counts.mjs';
import { Server, Store } from '../support/server.mjs';
import { silence, until } from '../support/until.mjs';

const { values: options } = parseArgs({
  options: { replicas: { type: 'string', default: '1000' }, rounds: { type: 'string', default: '3' } },
});
const replicas = Number(options.replicas);
const CONTROLLERS = 'deployment-controller,replicaset-controller,serviceaccount-controller';

const deployment = {
  metadata: { name: 'web' },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'img:1' }] } },
  },
};

const perPod = (seconds) => Math.round((seconds * 1e6) / replicas);

const store = await Store.open('memory');
const server = await Server.start(store);
const embeddingStore = await Store.open('memory');
const embedding = await Server.start(embeddingStore, { controllers: CONTROLLERS });
try {
  for (let round = 0; round < Number(options.rounds); round++) {
    await measure('binnacle serve', { server: embedding, manager: embedding, namespace: `round-${round}` });
    for (const name of managerNames) {
      const manager = await startManager(name, { store, controllers: CONTROLLERS });
      await measure(name, { server, manager, namespace: `round-${round}-${name}` });
      await manager.stop();
    }
  }
} finally {
  await Promise.all([server.stop(), embedding.stop()]);
  await Promise.all([store.close(), embeddingStore.close()]);
}

async function measure(name, { server, manager, namespace }) {
  const client = server.connect();
  const core = `/api/v1/namespaces/${namespace}`;
  const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const counts = async () => requestCounts(await client.text('/metrics'));
  await client.send('POST', '/api/v1/namespaces', JSON.stringify({ metadata: { name: namespace } }));
  await until(() => client.read(`${core}/serviceaccounts/default`));
  await client.send('POST', deployments, JSON.stringify(deployment));
  await until(async () => (await client.read(`${deployments}/web`)).status.observedGeneration === 1);
  await silence(counts);
  await scale(name, { client, counts, manager, server, deployments, pods: `${core}/pods` });
  // The next round starts without them.
  await client.send('DELETE', `${deployments}/web`);
  await client.send('DELETE', `/apis/apps/v1/namespaces/${namespace}/replicasets`);
  await client.send('DELETE', `${core}/pods?gracePeriodSeconds=0`);
  client.close();
}

async function scale(name, { client, counts, manager, server, deployments, pods }) {
  const { resourceVersion } = (await client.read(`${pods}?limit=1`)).metadata;
  const watch = client.watch(`${pods}?watch=1&resourceVersion=${resourceVersion}`, replicas);
  await watch.open;
  const before = await counts();
  const managerCpu = manager.cpuSeconds();
  const replicasPatch = `{"spec":{"replicas":${replicas}}}`;
  const { wallSeconds, cpuSeconds } = await timed(server, async () => {
    await client.send('PATCH', `${deployments}/web`, replicasPatch, 'application/merge-patch+json');
    await watch.done;
  });
  const managerSeconds = manager.cpuSeconds() - managerCpu;
  await silence(counts);
  const { 'PATCH deployments': _own, ...requests } = newRequests(before, await counts());
  print({
    manager: name,
    replicas,
    podsPerSecond: Math.round(replicas / wallSeconds),
    requestsPerPod: toDigits(sumOf(requests) / replicas, 3),
    // One process is both for `binnacle serve`.
    managerCpuMicrosecondsPerPod: perPod(managerSeconds),
    serverCpuMicrosecondsPerPod: perPod(cpuSeconds),
    writes: writesOf(requests),
  });
}
