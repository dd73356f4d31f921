/**
 * A controller of one's own: keeps the number of ready pods of each Deployment in a ConfigMap beside it. It uses the client
 * as it would in a cluster, and takes its clock and its random source from the simulation.
 */
import { Controller, ControllerManager, isNotFound } from '@binnacle/client';
import { Deployment } from '@binnacle/client/kinds/apps/v1';
import { ConfigMap } from '@binnacle/client/kinds/core/v1';

const counting = () =>
  new Controller({
    name: 'count-pods',
    for: Deployment,
    async reconcile({ namespace, name }, { client, lister, signal }) {
      const deployment = lister(Deployment).namespace(namespace).get(name);
      const configMaps = client.resource(ConfigMap).namespace(namespace);
      if (deployment === undefined) {
        await configMaps.delete(`${name}-count`, { signal }).catch((error) => {
          if (!isNotFound(error)) throw error;
        });
        return;
      }
      const data = { ready: String(deployment.status?.readyReplicas ?? 0) };
      const metadata = { name: `${name}-count`, namespace };
      const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
      await configMaps.apply(configMap, { fieldManager: 'count-pods', force: true, signal });
    },
  });

export const countPods = {
  name: 'count-pods',
  async run({ client, clock, random, report }, signal) {
    const manager = new ControllerManager({ client, clock, random, report: (error) => report(error, 'count-pods') });
    manager.add(counting());
    await manager.run(signal);
  },
};
