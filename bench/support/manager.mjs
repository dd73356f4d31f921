import { join } from 'node:path';
import { builtComponents } from '../../test/interop/components/build.mjs';
import { binnacle, Component } from './component.mjs';

/** The limits of requests would decide on the figures. */
const withoutLimits = ['--kube-api-qps=10000', '--kube-api-burst=10000'];

const commands = {
  binnacle: () => [...binnacle, 'controller-manager', '--leader-elect=false', ...withoutLimits],
  'kube-controller-manager': async (folder) => [
    (await builtComponents())('kube-controller-manager'),
    '--leader-elect=false',
    '--secure-port=0',
    `--flex-volume-plugin-dir=${join(folder, 'flex-volume')}`,
    ...withoutLimits,
  ],
};

export const managerNames = Object.keys(commands);

/** Starts controllers. `name` is one of {@link managerNames}, `store` that of the server. */
export async function startManager(name, { store, controllers = '*' }) {
  const access = [`--kubeconfig=${join(store.folder, 'kubeconfig')}`, `--controllers=${controllers}`];
  return new Component(name, [...(await commands[name](store.folder)), ...access], store.folder);
}
