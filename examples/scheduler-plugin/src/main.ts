import { readFile } from 'node:fs/promises';
import { connect, loadConfig } from '@binnacle/client';
import { readSchedulerConfiguration } from '@binnacle/scheduler/config';
import { runScheduler } from '@binnacle/scheduler/loop';
import { price } from './price.js';

const text = await readFile(process.argv[2] ?? 'scheduler.yaml', 'utf8');
const { configuration } = readSchedulerConfiguration(text, { plugins: { Price: price } });

// KUBECONFIG, ~/.kube/config, or the pod's service account, as in kubectl.
const config = await loadConfig();
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
await runScheduler(
  {
    configuration,
    connect: ({ userAgent }) => connect(config, { userAgent }),
    report: (error, where) => console.error(`${where}: ${String(error)}`),
  },
  stop.signal,
);
