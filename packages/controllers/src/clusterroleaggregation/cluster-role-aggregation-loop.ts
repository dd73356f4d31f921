import { Controller, type ReconcileContext } from '@binnacle/client/controller';
import { ClusterRole } from '@binnacle/client/kinds/rbac/v1';
import { isConflict } from '@binnacle/client/rest';
import type { CreateLoop } from '../loop/index.js';
import { aggregatedRules, hasRules } from './aggregated-rules.js';

/** Who owns the rules of aggregating roles. */
const FIELD_MANAGER = 'clusterrole-aggregation-controller';

/** How many roles are seen to at a time, as upstream. */
const CONCURRENCY = 5;

/** Upstream: kubernetes `pkg/controller/clusterroleaggregation`. */
export const createClusterRoleAggregationLoop: CreateLoop = (context) => {
  const { lister } = context.informers.informer(ClusterRole);
  return new Controller({
    name: 'clusterrole-aggregation',
    watches: [
      {
        resource: ClusterRole,
        // Which selectors choose it is quicker asked of all the few aggregating roles than known.
        map: () =>
          lister
            .list()
            .filter(isAggregating)
            .map(({ metadata: { name = '' } }) => ({ name, namespace: undefined })),
      },
    ],
    concurrency: CONCURRENCY,
    reconcile: ({ name }, context) => aggregate(name, context),
  }).bind(context);
};

async function aggregate(name: string, { client, lister, signal }: ReconcileContext): Promise<void> {
  const roles = lister(ClusterRole);
  const role = roles.get(name);
  if (role === undefined || !isAggregating(role)) return;
  const rules = aggregatedRules(role, roles.list());
  if (hasRules(role, rules)) return;
  const {
    apiVersion,
    kind,
    metadata: { uid = '' },
  } = role;
  // With the UID, so that a role that has gone meanwhile does not come back with nothing but rules.
  const applied = { apiVersion, kind, metadata: { name, uid }, ...(rules.length === 0 ? {} : { rules }) };
  try {
    await client.resource(ClusterRole).apply(applied, { fieldManager: FIELD_MANAGER, force: true, signal });
  } catch (error) {
    // It has gone, and if another one came in its place, that will be heard of.
    if (!isConflict(error)) throw error;
  }
}

function isAggregating({ aggregationRule }: ClusterRole): boolean {
  return aggregationRule !== undefined;
}
