import {
  connect,
  ControllerManager,
  DynamicClient,
  LeaderElector,
  loadConfig,
  SharedInformerFactory,
} from '@binnacle/client';
import { accessController } from './access-controller.js';
import { bucketController } from './bucket-controller.js';
import { FolderStore } from './object-store.js';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: main.js FOLDER (the folder of the buckets)');
  process.exit(2);
}
const store = new FolderStore(folder);

await using transport = connect(await loadConfig());
const client = new DynamicClient(transport);
const informers = new SharedInformerFactory(client);
const leadership = new LeaderElector(client, { namespace: 'default', name: 'bucket-operator' });

// Both controllers share one watch of Buckets and one of accesses.
const manager = new ControllerManager({ client, informers, leadership });
manager.add(bucketController(store));
manager.add(accessController(store, informers));

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
await manager.run(stop.signal);
