import type { Pod } from '@binnacle/api/types/core-v1';
import type { Eviction, PodDisruptionBudget } from '@binnacle/api/types/policy-v1';
import { deepEqual, isObject } from '@binnacle/apimachinery/json';
import { asKind, type KubernetesObject } from '@binnacle/apimachinery/meta';
import {
  badRequest,
  invalid,
  invalidValue,
  notFound,
  type Status,
  StatusError,
  unclassified,
} from '@binnacle/apimachinery/status';
import { formatTime } from '@binnacle/apimachinery/time';
import { respondWithStatus } from '../answers/index.js';
import type { KindCodec } from '../codec/index.js';
import {
  decodeObject,
  type Document,
  type KindLookup,
  plainAdmissionRun,
  readDocument,
  registryDeleteOptions,
  type ResourceEndpoint,
  writeScope,
} from '../endpoints/index.js';
import { placeInNamespace } from '../names/index.js';
import {
  checkDeletePreconditions,
  noAdmission,
  POD_DISRUPTION_BUDGETS,
  type Preconditions,
  type Stores,
  type WriteScope,
} from '../registry/index.js';
import { deleteOptionsFrom, IGNORE_READ_ERROR, parseCreateOptions, type RequestContext } from '../request/index.js';
import { budgetsOf, claimDisruption, allowsUnhealthyEviction, stillProcessing } from './disruption-budget.js';
import { isOver, isPending, isReady, withCondition } from './pod-state.js';

/** The number of attempts after conflicts with other writers. */
const ATTEMPTS = 20;
const SUCCESS: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
const EVICTED = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
};
const AMBIGUOUS: Status = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
  code: 500,
};

interface Task {
  readonly scope: WriteScope;
  /** The client has set the resource version itself, so conflicts are not retried. */
  readonly hasResourceVersion: boolean;
  read(): Promise<KubernetesObject>;
  /** Deletes the pod. With a resource version it deletes only that one, unless the client has set its own. */
  remove(resourceVersion?: string): Promise<void>;
}

/** `pods/x/eviction`: deletes a pod if its disruption budgets allow that. */
export function evictionHandler(codec: KindCodec, kindExists: KindLookup, stores: Stores) {
  return async (context: RequestContext, endpoint: ResourceEndpoint): Promise<void> => {
    const options = parseCreateOptions(context.query);
    const document = inCurrentVersion(await readDocument(context, codec.groupVersionKind.kind));
    const sent = await decodeObject(context, document, codec, options.fieldValidation, kindExists);
    const { dryRun } = options;
    const { name, namespace, subresource } = context.info;
    placeInNamespace(sent.metadata, namespace);
    const admission = plainAdmissionRun(context, { ...endpoint, codec, subresource, name, dryRun });
    await admission.admitCreate(sent);
    checkTarget(context, sent);
    const { dryRun: _, ...deleteOptions } = asKind<Eviction>(sent).deleteOptions ?? {};
    const isDryRun = dryRunOf(context.query.getAll('dryRun'), asKind<Eviction>(sent).deleteOptions?.dryRun ?? []);
    const deletion = deleteOptionsFrom(new URLSearchParams(), deleteOptions, false);
    await admission.validateCreate(sent);
    const scope = writeScope({ context, options: { dryRun: isDryRun } }, noAdmission);
    const { preconditions, ...rest } = registryDeleteOptions(deletion);
    const task: Task = {
      scope,
      hasResourceVersion: preconditions?.resourceVersion !== undefined,
      read: async () => (await endpoint.store.reader.get(namespace, name)).decode(),
      remove: async (resourceVersion) => {
        const expected = {
          uid: preconditions?.uid,
          resourceVersion: preconditions?.resourceVersion ?? resourceVersion,
        };
        const marked = scope.dryRun ? expected : await markAsTarget(endpoint, scope, name, expected);
        await endpoint.store.delete(scope, name, { ...rest, preconditions: marked });
      },
    };
    const status = await evict(task, stores, endpoint.clock.now());
    await respondWithStatus(context, status.code ?? 201, status);
  };
}

/** Adds the disruption condition to the pod's status. Resolves with the preconditions of the write that follows. */
async function markAsTarget(
  endpoint: ResourceEndpoint,
  scope: WriteScope,
  name: string,
  preconditions: Preconditions,
): Promise<Preconditions> {
  const { store } = endpoint;
  const transform = (current: KubernetesObject | undefined): KubernetesObject => {
    if (current === undefined) throw notFound(store.info.resource, name);
    checkDeletePreconditions(store.info, store.strategy, current, { preconditions });
    const pod: KubernetesObject & Pod = current;
    const { status = {} } = pod;
    pod.status = { ...status, conditions: withCondition(status.conditions, EVICTED, formatTime(endpoint.clock.now())) };
    return pod;
  };
  const { stored } = await store.update(scope, { name, strategy: {}, transform });
  return preconditions.resourceVersion === undefined
    ? preconditions
    : { ...preconditions, resourceVersion: String(stored.revision) };
}

async function evict(task: Task, stores: Stores, now: number): Promise<Status> {
  const pod = await removeUnprotected(task);
  if (pod === undefined) return SUCCESS;
  const budgets = stores.reader(POD_DISRUPTION_BUDGETS);
  const [budget, another] = await budgetsOf(pod, task.scope.namespace, budgets);
  if (another !== undefined) return AMBIGUOUS;
  if (budget !== undefined) {
    if (!isReady(pod) && allowsUnhealthyEviction(budget)) return removeUnhealthy(task, pod, budget);
    await claimDisruption(pod, budget, task.scope, stores, now);
  }
  await task.remove();
  return SUCCESS;
}

/** Deletes a pod that no budget protects, and resolves with undefined. Resolves with any other pod. */
async function removeUnprotected(task: Task): Promise<KubernetesObject | undefined> {
  for (let attempt = 1; ; attempt++) {
    const pod = await task.read();
    if (!isOver(pod) && !isPending(pod)) return pod;
    try {
      // A pending pod may become ready in the meantime, and then its budgets apply.
      await task.remove(isOver(pod) ? undefined : pod.metadata.resourceVersion);
      return undefined;
    } catch (error) {
      if (task.hasResourceVersion || !isConflict(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Budgets do not count a pod that is not ready, as long as it remains so. */
async function removeUnhealthy(task: Task, pod: KubernetesObject, budget: PodDisruptionBudget): Promise<Status> {
  try {
    await task.remove(pod.metadata.resourceVersion);
    return SUCCESS;
  } catch (error) {
    throw isConflict(error) && !task.hasResourceVersion ? stillProcessing(budget.metadata?.name ?? '') : error;
  }
}

/** Clients of Kubernetes 1.21 and older send `policy/v1beta1`, which has the same fields. */
function inCurrentVersion(document: Document): Document {
  const { value } = document;
  if (isObject(value) && value.apiVersion === 'policy/v1beta1') value.apiVersion = 'policy/v1';
  return document;
}

function checkTarget(context: RequestContext, sent: KubernetesObject): void {
  const { name } = context.info;
  if (sent.metadata.name !== name) throw badRequest('name in URL does not match name in Eviction object');
  if (asKind<Eviction>(sent).deleteOptions?.[IGNORE_READ_ERROR] !== true) return;
  const detail = 'can not be set for pod eviction, try after removing the option';
  throw invalid({ group: 'policy', kind: 'Eviction' }, name, [
    invalidValue(`deleteOptions.${IGNORE_READ_ERROR}`, true, detail),
  ]);
}

/** Any value in the body asks for a dry run. Upstream: `propagateDryRun`. */
function dryRunOf(inQuery: readonly string[], inBody: readonly string[]): boolean {
  if (inQuery.length > 0 && inBody.length > 0 && !deepEqual([...inQuery], [...inBody])) {
    const shown = `[${inQuery.join(' ')}] and [${inBody.join(' ')}]`;
    throw unclassified(`Non-matching dry-run options in request and content: ${shown}`);
  }
  return inQuery.length > 0 || inBody.length > 0;
}

function isConflict(error: unknown): boolean {
  return error instanceof StatusError && error.reason === 'Conflict';
}
