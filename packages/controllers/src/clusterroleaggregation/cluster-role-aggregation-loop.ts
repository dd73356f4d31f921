import { decodeUtf8, encodeJsonInSteps } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import { Controller, type ReconcileContext } from '@binnacle/client/controller';
import { ClusterRole } from '@binnacle/client/kinds/rbac/v1';
import { inTurns } from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import { aggregatedRules, hasRules } from './aggregated-rules.js';

/** The owner of the rules of aggregating roles. */
const FIELD_MANAGER = 'clusterrole-aggregation-controller';

/** Upstream runs as many workers. */
const CONCURRENCY = 5;

/** Upstream: kubernetes `pkg/controller/clusterroleaggregation`. */
export const createClusterRoleAggregationLoop: CreateLoop = (context) => {
  const { lister } = context.informers.informer(ClusterRole);
  return new Controller({
    name: 'clusterrole-aggregation',
    watches: [
      {
        resource: ClusterRole,
        // Aggregating roles are few, so reconciling all is simpler than an index of selectors.
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
  const rules = await inTurns(aggregatedRules(role, roles.list()));
  if (await inTurns(hasRules(role, rules))) return;
  const {
    apiVersion,
    kind,
    metadata: { uid = '' },
  } = role;
  // With a UID, apply does not re-create a role that has been deleted in between. It is a conflict until the cache knows.
  const applied = { apiVersion, kind, metadata: { name, uid }, ...(rules.length === 0 ? {} : { rules }) };
  const body = decodeUtf8(await inTurns(encodeJsonInSteps(asJson(applied))));
  const options = { fieldManager: FIELD_MANAGER, force: true, signal };
  await client.resource(ClusterRole).patch(name, { type: 'apply', body }, options);
}

function isAggregating({ aggregationRule }: ClusterRole): boolean {
  return aggregationRule !== undefined;
}
