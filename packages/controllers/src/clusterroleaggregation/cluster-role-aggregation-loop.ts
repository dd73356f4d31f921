import { finishInTurns } from '@binnacle/apimachinery/turns';
import { decodeUtf8, encodeJsonInSteps } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import { Controller, type ReconcileContext } from '@binnacle/client/controller';
import { ClusterRole } from '@binnacle/client/kinds/rbac/v1';
import type { CreateLoop } from '../loop/index.js';
import { aggregatedRules, hasRules } from './aggregated-rules.js';

/** The field manager that owns the rules of aggregated roles. */
const FIELD_MANAGER = 'clusterrole-aggregation-controller';

/** Upstream runs the same number of workers. */
const CONCURRENCY = 5;

/** Fills in the rules of ClusterRoles that have an aggregationRule. Upstream: kubernetes `pkg/controller/clusterroleaggregation`. */
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
    reconcile: ({ name }, reconciling) => aggregate(name, reconciling),
  }).bind(context);
};

async function aggregate(name: string, { client, lister, signal }: ReconcileContext): Promise<void> {
  const roles = lister(ClusterRole);
  const role = roles.get(name);
  if (role === undefined || !isAggregating(role)) return;
  const rules = await finishInTurns(aggregatedRules(role, roles.list()));
  if (await finishInTurns(hasRules(role, rules))) return;
  const {
    apiVersion,
    kind,
    metadata: { uid = '' },
  } = role;
  // The UID keeps apply from re-creating a role that was deleted meanwhile: the server answers with a conflict.
  const applied = { apiVersion, kind, metadata: { name, uid }, ...(rules.length === 0 ? {} : { rules }) };
  const body = decodeUtf8(await finishInTurns(encodeJsonInSteps(asJson(applied))));
  const options = { fieldManager: FIELD_MANAGER, force: true, signal };
  await client.resource(ClusterRole).patch(name, { type: 'apply', body }, options);
}

function isAggregating({ aggregationRule }: ClusterRole): boolean {
  return aggregationRule !== undefined;
}
