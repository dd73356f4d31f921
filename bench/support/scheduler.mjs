import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtComponents } from '../../test/interop/components/build.mjs';
import { binnacle, Component } from './component.mjs';

const commands = {
  binnacle: async (access) => [...binnacle, 'scheduler', '--leader-elect=false', `--kubeconfig=${access}`],
  // It reads the rest in the file.
  'kube-scheduler': async () => [(await builtComponents())('kube-scheduler'), '--secure-port=0'],
};

export const schedulerNames = Object.keys(commands);

/** Builds a scheduler that has not been built, and says so. */
export async function readyScheduler(name) {
  if (!Object.hasOwn(commands, name)) throw new Error(`no scheduler is called ${name}: ${schedulerNames.join(' or ')}`);
  if (name === 'binnacle') return;
  process.stderr.write(`${name} is built now unless it has been; that takes minutes\n`);
  await builtComponents();
}

/** Starts a scheduler without limits of requests. `name` is one of {@link schedulerNames}, `store` that of the server. */
export async function startScheduler(name, { folder }) {
  const access = join(folder, 'kubeconfig');
  const configuration = join(folder, 'scheduler.yaml');
  writeFileSync(
    configuration,
    `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {kubeconfig: ${JSON.stringify(access)}, qps: 100000, burst: 100000}
leaderElection: {leaderElect: false}
`,
  );
  return new Component(name, [...(await commands[name](access)), `--config=${configuration}`], folder);
}
