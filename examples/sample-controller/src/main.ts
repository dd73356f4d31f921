import {
  ApiSink,
  connect,
  ControllerManager,
  DynamicClient,
  EventBroadcaster,
  LeaderElector,
  loadConfig,
  LogSink,
} from '@binnacle/client';
import { sampleController } from './sample-controller.js';

// KUBECONFIG, ~/.kube/config, or the pod's service account, as in kubectl.
await using transport = connect(await loadConfig());
const client = new DynamicClient(transport);
await using events = new EventBroadcaster([new ApiSink(client), new LogSink(console.log)]);

// Of several copies only the leader works.
const leadership = new LeaderElector(client, { namespace: 'default', name: 'sample-controller' });
const manager = new ControllerManager({ client, leadership, events });
manager.add(sampleController());

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
await manager.run(stop.signal);
