import { type Clock, sleep } from '@binnacle/apimachinery/clock';
import type { Container, LifecycleHandler } from '@binnacle/client/kinds/core/v1';
import { httpTarget } from './probe-target.js';
import { get, localNetwork, type ProbeNetwork, type RunCommand } from './run-probe.js';

export interface HookParts {
  readonly container: Pick<Container, 'ports'>;
  /** The address at which processes of this machine reach the pod. */
  readonly address: string;
  readonly clock: Clock;
  readonly run: RunCommand;
  /** Default: that of this machine. */
  readonly network?: ProbeNetwork;
}

/**
 * Runs a hook to its end. Rejects when a command exits with another code than 0, and when a request gets no answer; the status of an answer does
 * not count. Rejects also when the signal fires. Upstream: `pkg/kubelet/lifecycle`.
 */
export async function runHook(
  { exec, httpGet, sleep: pause }: LifecycleHandler,
  { container, address, clock, run, network = localNetwork }: HookParts,
  signal: AbortSignal,
): Promise<void> {
  if (exec !== undefined) {
    const { exitCode } = await run(exec.command ?? [], signal);
    if (exitCode !== 0) throw new Error(`command terminated with exit code ${exitCode}`);
  } else if (httpGet !== undefined) {
    const target = httpTarget(httpGet, container, address);
    if (target.kind === 'unsupported') throw new Error(target.message);
    await get(target, { network, userAgent: 'kube-lifecycle/1.36' }, signal);
  } else if (pause !== undefined) await sleep(clock, pause.seconds * 1000, signal);
  else throw new Error('the hook has no action');
}
