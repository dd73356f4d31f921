import type { Pod } from '@binnacle/api/types/core-v1';
import type { Eviction, PodDisruptionBudget } from '@binnacle/api/types/policy-v1';
import { labelSelectorFromObject } from '@binnacle/apimachinery/labels';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { internalError, StatusError, tooManyRequests } from '@binnacle/apimachinery/status';
import { formatTime } from '@binnacle/apimachinery/time';
import type { KindCodec } from '../codec/index.js';
import {
  admissionRun,
  checkName,
  type KindLookup,
  readObject,
  registryDeleteOptions,
  type ResourceEndpoint,
  writeScope,
} from '../endpoints/index.js';
import { type RequestContext, respondJson } from '../http/index.js';
import { noAdmission, type WriteScope } from '../registry/index.js';
import { deleteOptionsFrom, parseCreateOptions } from '../request/index.js';

/** How often a lost race for a budget is run again. */
const ATTEMPTS = 20;
const TERMINAL: ReadonlySet<string> = new Set(['Succeeded', 'Failed', 'Pending']);

/**
 * `pods/x/eviction`: a delete that asks the disruption budgets first.
 * Upstream: `pkg/registry/core/pod/storage/eviction.go`.
 */
export function evictionHandler(codec: KindCodec, kindExists: KindLookup, budgets: () => ResourceEndpoint | undefined) {
  return async (context: RequestContext, endpoint: ResourceEndpoint): Promise<void> => {
    const options = parseCreateOptions(context.query);
    const sent = await readObject(context, codec, options.fieldValidation, kindExists);
    checkName(context, sent);
    const eviction = sent as unknown as Eviction;
    const deletion = deleteOptionsFrom(
      new URLSearchParams(),
      eviction.deleteOptions === undefined ? undefined : asJson(eviction.deleteOptions as unknown as KubernetesObject),
    );
    const { name, namespace } = context.info;
    const scope = writeScope(context, options.dryRun || deletion.dryRun);
    const pod = (await endpoint.store.reader.get(namespace, name, '')).decode();
    if (needsBudget(pod)) await takeFromBudget(pod, scope, budgets(), endpoint.now());
    const view = { ...endpoint.main, subresource: 'eviction' };
    const admission = admissionRun(context, endpoint, view, scope.dryRun);
    await endpoint.store.delete(scope, name, registryDeleteOptions(deletion), admission);
    await respondJson(context, 201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
  };
}

function needsBudget(object: KubernetesObject): boolean {
  const { status } = object as unknown as Pod;
  return object.metadata.deletionTimestamp === undefined && !TERMINAL.has(status?.phase ?? '');
}

async function takeFromBudget(pod: KubernetesObject, scope: WriteScope, budgets: ResourceEndpoint | undefined, now: number): Promise<void> {
  if (budgets === undefined) return;
  const matching = await budgetsOf(pod, scope.namespace, budgets);
  const [name] = matching;
  if (name === undefined) return;
  if (matching.length > 1) {
    throw internalError('This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.');
  }
  for (let attempt = 1; ; attempt++) {
    try {
      await takeOne(pod, name, scope, budgets, now);
      return;
    } catch (error) {
      const raced = error instanceof StatusError && error.reason === 'Conflict';
      if (!raced || attempt === ATTEMPTS) throw error;
    }
  }
}

async function budgetsOf(pod: KubernetesObject, namespace: string, budgets: ResourceEndpoint): Promise<string[]> {
  const answer = await budgets.store.reader.list({
    namespace,
    filter: undefined,
    limit: 0,
    continueToken: '',
    resourceVersion: '',
  });
  return answer.items.flatMap((item) => {
    const budget = item.decode() as unknown as PodDisruptionBudget;
    const selector = labelSelectorFromObject(budget.spec?.selector);
    return selector.matches(pod.metadata.labels) ? [budget.metadata?.name ?? ''] : [];
  });
}

async function takeOne(pod: KubernetesObject, name: string, scope: WriteScope, budgets: ResourceEndpoint, now: number): Promise<void> {
  const podName = pod.metadata.name ?? '';
  const time = formatTime(now);
  await budgets.store.update(
    scope,
    {
      name,
      strategy: {},
      transform: (current) => {
        if (current === undefined) throw internalError(`the budget ${name} is gone`);
        const budget = current as unknown as PodDisruptionBudget;
        const status = budget.status;
        if (status === undefined || (status.observedGeneration ?? 0) < (current.metadata.generation ?? 0)) {
          throw tooManyRequests(
            'Cannot evict pod as it would violate the pod\'s disruption budget.',
            10,
          );
        }
        const allowed = status.disruptionsAllowed ?? 0;
        if (allowed <= 0) throw violates(name, budget);
        status.disruptionsAllowed = allowed - 1;
        status.disruptedPods = { ...status.disruptedPods, [podName]: time };
        return current;
      },
    },
    noAdmission,
  );
}

function violates(name: string, budget: PodDisruptionBudget): StatusError {
  const status = budget.status;
  const message = `The disruption budget ${name} needs ${status?.desiredHealthy ?? 0} healthy pods and has ${status?.currentHealthy ?? 0} currently`;
  const error = tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", 0);
  return new StatusError({
    ...error.status,
    details: { causes: [{ reason: 'DisruptionBudget', message }] },
  });
}
