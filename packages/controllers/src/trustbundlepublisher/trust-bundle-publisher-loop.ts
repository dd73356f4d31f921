import { Controller, type ReconcileContext, type ReconcileResult } from '@binnacle/client/controller';
import { ClusterTrustBundle } from '@binnacle/client/kinds/certificates/v1beta1';
import { Namespace } from '@binnacle/client/kinds/core/v1';
import { isAlreadyExists, isConflict } from '@binnacle/client/rest';
import { unlessGone } from '../common/index.js';
import { type CreateLoop, idleLoop } from '../loop/index.js';
import { planTrustBundles, SIGNER } from './plan.js';

/** The event of the other write usually ends this wait. */
const CONFLICT_MILLISECONDS = 1000;

/** Upstream: kubernetes `pkg/controller/certificates/clustertrustbundlepublisher`. */
export const createTrustBundlePublisherLoop: CreateLoop = (context) => {
  const { certificateAuthority } = context;
  if (certificateAuthority === '') return idleLoop;
  const signer = [{ namespace: undefined, name: SIGNER }];
  return new Controller({
    name: 'ca_cert_publisher_cluster_trust_bundles',
    watches: [
      { resource: ClusterTrustBundle, select: { fieldSelector: `spec.signerName=${SIGNER}` }, map: () => signer },
      // Every cluster has it, so there is one request even without bundles.
      {
        resource: Namespace,
        predicate: ({ type, object }) => type === 'create' && object.metadata.name === 'kube-system',
        map: () => signer,
      },
    ],
    reconcile: async (_, reconcileContext) => publish(certificateAuthority, reconcileContext),
  }).bind(context);
};

async function publish(
  authority: string,
  { client, lister, signal }: ReconcileContext,
): Promise<ReconcileResult | void> {
  const bundles = client.resource(ClusterTrustBundle);
  const { create, update, remove } = planTrustBundles(lister(ClusterTrustBundle).list(), authority);
  try {
    if (create !== undefined) await bundles.create(create, { signal });
    if (update !== undefined) await bundles.update(update, { signal });
    for (const { metadata } of remove) await unlessGone(bundles.delete(metadata.name ?? '', { signal }));
  } catch (error) {
    // The cache is stale.
    if (!isAlreadyExists(error) && !isConflict(error)) throw error;
    return { requeueAfter: CONFLICT_MILLISECONDS };
  }
}
