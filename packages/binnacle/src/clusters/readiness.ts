import { type Clock, sleep } from '@binnacle/apimachinery/clock';
import { isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { clientConfigOf, KubeconfigError, parseKubeconfig } from '@binnacle/client/kubeconfig';
import { exchange } from '@binnacle/client/rest';
import { connect, readBody, type Transport } from '@binnacle/client/transport';
import { readTextIfPresent } from '../files/index.js';

/** How often to ask. */
const ASK_MS = 50;
const ANSWER_LIMIT_MS = 5000;

export interface Expected {
  /** The file that the server writes its kubeconfig to. */
  readonly kubeconfig: string;
  readonly nodes: number;
  /** Whether the server still runs. */
  readonly isRunning: () => boolean;
  /** Until when to ask, in milliseconds of the clock's `monotonic`. */
  readonly until: number;
}

/**
 * Waits for a server, and then for its nodes. Resolves with its URL. Rejects with an Error when the process has ended, or when the time is
 * over or the signal fires.
 */
export async function untilReady(expected: Expected, clock: Clock, signal: AbortSignal): Promise<string> {
  const { isRunning, until, nodes } = expected;
  for (let step = 'the server does not answer'; ; ) {
    const text = await readTextIfPresent(expected.kubeconfig).catch(() => undefined);
    if (text !== undefined) {
      const state = await stateOf(text, nodes, clock);
      if (state.type === 'ready') return state.server;
      step = state.reason;
    }
    if (!isRunning()) throw new Error('the server has ended');
    if (clock.monotonic() >= until) throw new Error(`${step} in time; --wait gives it longer`);
    await sleep(clock, ASK_MS, signal);
  }
}

type State =
  | { readonly type: 'ready'; readonly server: string }
  | { readonly type: 'not yet'; readonly reason: string };

async function stateOf(kubeconfig: string, nodes: number, clock: Clock): Promise<State> {
  try {
    const config = await clientConfigOf(parseKubeconfig(kubeconfig), {}, { clock });
    await using transport = connect(config, { userAgent: 'binnacle/cluster', onWarning: () => undefined });
    if (!(await isServing(transport))) return { type: 'not yet', reason: 'the server is not ready' };
    const list = await exchange(transport, { method: 'GET', path: '/api/v1/nodes' }, { timeout: ANSWER_LIMIT_MS });
    const ready = itemsOf(list).filter(isNodeReady).length;
    if (ready < nodes) return { type: 'not yet', reason: `only ${ready} of ${nodes} nodes are ready` };
    return { type: 'ready', server: config.server };
  } catch (error) {
    if (error instanceof KubeconfigError) throw error;
    // No one listens yet, or the file is that of an earlier run.
    return { type: 'not yet', reason: 'the server does not answer' };
  }
}

async function isServing(transport: Transport): Promise<boolean> {
  const response = await transport.send({ method: 'GET', path: '/readyz' }, { timeout: ANSWER_LIMIT_MS });
  await readBody(response);
  return response.status === 200;
}

const itemsOf = ({ items }: JsonObject): JsonValue[] => (Array.isArray(items) ? items : []);

function isNodeReady(node: JsonValue): boolean {
  const status = isObject(node) ? node['status'] : undefined;
  const conditions = isObject(status) ? status['conditions'] : undefined;
  return (
    Array.isArray(conditions) &&
    conditions.some((each) => isObject(each) && each['type'] === 'Ready' && each['status'] === 'True')
  );
}
