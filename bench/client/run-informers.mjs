/** One program of `informers.mjs`, in its own process: `node --expose-gc run-informers.mjs CLIENT OBJECTS INFORMERS`. */
import { setTimeout as pause } from 'node:timers/promises';
import { print, toDigits } from '../support/figures.mjs';

const NAMESPACE = 'default';
/** Loaded by a variable name: its types refer to Node's, after which the linter no longer resolves `node:test`. */
const CLIENT_NODE = '@kubernetes/client-node';
const [name, objects, informers] = process.argv.slice(2);
const count = Number(informers);

/** Each function resolves once all informers have synced, to the total number of their objects. */
const programs = {
  async binnacle() {
    const { SharedInformer } = await import('@binnacle/client');
    const maps = await configMaps();
    const all = Array.from({ length: count }, () => new SharedInformer(maps));
    return async () => {
      for (const informer of all) void informer.run(new AbortController().signal);
      await Promise.all(all.map((informer) => informer.synced()));
      return all.reduce((sum, { indexer }) => sum + indexer.size, 0);
    };
  },
  async 'binnacle-shared'() {
    const { SharedInformer } = await import('@binnacle/client');
    const informer = new SharedInformer(await configMaps());
    let heard = 0;
    const onAdd = () => {
      heard++;
    };
    for (let handler = 0; handler < count; handler++) informer.addHandler({ onAdd });
    return async () => {
      void informer.run(new AbortController().signal);
      await informer.synced();
      return heard;
    };
  },
  async 'client-node'() {
    const { CoreV1Api, KubeConfig, makeInformer } = await import(CLIENT_NODE);
    const config = new KubeConfig();
    config.loadFromDefault();
    const api = config.makeApiClient(CoreV1Api);
    const path = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
    const list = () => api.listNamespacedConfigMap({ namespace: NAMESPACE });
    const all = Array.from({ length: count }, () => makeInformer(config, path, list));
    return async () => {
      await Promise.all(all.map((informer) => informer.start()));
      return all.reduce((sum, informer) => sum + informer.list(NAMESPACE).length, 0);
    };
  },
};

async function configMaps() {
  const { connect, DynamicClient, loadConfig } = await import('@binnacle/client');
  const { ConfigMap } = await import('@binnacle/client/kinds/core/v1');
  return new DynamicClient(connect(await loadConfig())).resource(ConfigMap).namespace(NAMESPACE);
}

const synced = await programs[name]();
const before = await retained();
const cpu = process.cpuUsage();
const start = performance.now();
const held = await synced();
const milliseconds = performance.now() - start;
const { user, system } = process.cpuUsage(cpu);
const expected = Number(objects) * count;
if (held !== expected) throw new Error(`${name}: ${held} objects received, expected ${expected}`);
const after = await retained();
print({
  syncMilliseconds: Math.round(milliseconds),
  cpuMilliseconds: Math.round((user + system) / 1000),
  retainedMegabytes: toDigits((after - before) / 2 ** 20, 1),
  peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1024),
});
process.exit();

/** Bytes of heap and buffers after two collections: the second frees what the first finalizes. */
async function retained() {
  for (let round = 0; round < 3; round++) {
    globalThis.gc();
    await pause(100);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
