import { buildFrom } from '@binnacle/apimachinery/disposal';
import { createInProcessServer } from '../http/index.js';
import { withoutTurns } from '../slices/index.js';
import { StartSteps } from './readings/start-steps.js';
import { completeOptions } from './config.js';
import { createServer } from './create-server.js';
import { keepFlowControl } from './upkeep/flow-control-keeper.js';
import { makeReady } from './upkeep/make-ready.js';
import type { RunningServer, ServerOptions } from './options.js';

export type InProcessServerOptions = Pick<
  ServerOptions,
  'kv' | 'isFork' | 'clock' | 'random' | 'runtimeConfig' | 'faults' | 'report'
>;

/** Published as the address of the server. No one connects to it. */
const address = { bindAddress: '127.0.0.1', securePort: 6443 };

/**
 * The whole server without listeners, credentials and background work, for simulations: it acts only when a request or
 * its clock tells it to. It connects to nothing, never yields the thread for the sake of the machine's time, admits all
 * requests whatever memory the process has, and keeps all history. A request that waits for the clock would stop a
 * simulation, so retries of admission do not pause.
 */
export async function startInProcessServer(
  options: InProcessServerOptions,
): Promise<Pick<RunningServer, 'send' | 'stop'>> {
  const completed = completeOptions({
    ...address,
    ...options,
    tls: { certificate: '', privateKey: '', clientCertificateAuthorities: [] },
    tokens: [],
    serviceAccounts: {
      keys: () => Promise.reject(new Error('this server issues no tokens')),
      issuers: ['https://kubernetes.default.svc.cluster.local'],
    },
    serviceClusterIpRange: '10.0.0.0/24',
    historyRetentionMs: 0,
    minRequestTimeoutSeconds: 0,
    priorityAndFairness: false,
    maxRequestsInFlight: 0,
    maxMutatingRequestsInFlight: 0,
    maxMemoryBytes: Number.POSITIVE_INFINITY,
    egressDenyCidrs: ['0.0.0.0/0', '::/0'],
  });
  const config = { ...completed, retries: { pause: () => Promise.resolve(), random: completed.random } };
  return buildFrom(async (stages) => {
    stages.use(withoutTurns());
    const draining = new AbortController();
    // No probe waits for the steps of its start.
    const steps = new StartSteps([]);
    const { api, aggregator, handler, inFlight, memory } = createServer(
      config,
      { termination: { initiated: draining.signal, refuses: false }, steps },
      () => address.securePort,
    );
    stages.use(memory);
    stages.defer(() => api.stop());
    stages.defer(() => aggregator?.stop());
    const inProcess = createInProcessServer(handler, config.clock);
    stages.defer(async () => {
      draining.abort();
      await inFlight.abortLongRunning(new Error('the server is shutting down'), 0);
      await inProcess.close({ drainMs: 0 });
    });
    stages.use(await makeReady(config, api, address.securePort, steps));
    stages.use(await keepFlowControl(api, config));
    await aggregator?.start();
    return { send: async (request, signal) => inProcess.send(request, signal), stop: () => stages.dispose() };
  });
}
