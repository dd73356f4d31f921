import { Controller } from '@binnacle/client/controller';
import { ConfigMap, Secret } from '@binnacle/client/kinds/core/v1';
import { isBootstrapToken, signingToken, TOKEN_NAMESPACE } from '../bootstraptokens/index.js';
import { type OwnerContext, reconcileOwner, unlessGone } from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import { signedData } from './plan.js';

const clusterInfo = { namespace: 'kube-public', name: 'cluster-info' };

/** Upstream: kubernetes `pkg/controller/bootstrap` bootstrapsigner. */
export const createBootstrapSignerLoop: CreateLoop = ({ informers, ...context }) =>
  new Controller({
    name: 'bootstrap_signer_queue',
    watches: [
      {
        resource: ConfigMap,
        predicate: ({ object: { metadata } }) =>
          metadata.namespace === clusterInfo.namespace && metadata.name === clusterInfo.name,
        map: () => [clusterInfo],
      },
      { resource: Secret, predicate: ({ object }) => isBootstrapToken(object), map: () => [clusterInfo] },
    ],
    reconcile: reconcileOwner({ resource: ConfigMap, writes: [], informers }, sign),
  }).bind({ ...context, informers });

async function sign(configMap: ConfigMap, { writer, lister, clock }: OwnerContext): Promise<void> {
  const secrets = lister(Secret).namespace(TOKEN_NAMESPACE).list().filter(isBootstrapToken);
  const tokens = secrets.map((secret) => signingToken(secret, clock.now())).filter((token) => token !== undefined);
  const data = signedData(configMap, tokens);
  if (data === undefined) return;
  await unlessGone(writer.update(ConfigMap, { ...configMap, data }));
}
