import { finishInTurns } from '@binnacle/apimachinery/turns';
import {
  type CheckedExpressions,
  type TypedKind,
  type TypeWarning,
  typeWarnings,
} from '@binnacle/apimachinery/admission-expressions';
import { type GroupVersionKind, parseGroupVersion } from '@binnacle/apimachinery/meta';
import { Controller, type ReconcileContext, type ReconcileResult } from '@binnacle/client/controller';
import { ValidatingAdmissionPolicy } from '@binnacle/client/kinds/admissionregistration/v1';
import { isConflict, isNotFound } from '@binnacle/client/rest';
import type { CreateLoop, LoopContext } from '../loop/index.js';
import { matchedKinds } from './matched-kinds.js';
import { ServedTypes } from './served-types.js';

/** The owner of the status. */
const FIELD_MANAGER = 'validatingadmissionpolicy-status';
/** Upstream runs as many workers. */
const CONCURRENCY = 5;
/** The pause after a conflict. */
const CONFLICT_MILLISECONDS = 1000;

/** Upstream: kubernetes `pkg/controller/validatingadmissionpolicystatus`. */
export const createPolicyStatusLoop: CreateLoop = (context) =>
  new Controller({
    name: 'validatingadmissionpolicy-status',
    for: ValidatingAdmissionPolicy,
    concurrency: CONCURRENCY,
    reconcile: ({ name }, reconcile) => writeStatus(name, reconcile, context),
  }).bind(context);

async function writeStatus(
  name: string,
  { client, lister, signal }: ReconcileContext,
  context: LoopContext,
): Promise<ReconcileResult> {
  const policy = lister(ValidatingAdmissionPolicy).get(name);
  const generation = policy?.metadata.generation ?? 0;
  if (policy === undefined || generation <= (policy.status?.observedGeneration ?? 0)) return undefined;
  const expressionWarnings = await check(policy, context, signal);
  const { apiVersion, kind, metadata } = policy;
  // Another policy of the same name may have the same generation. Upstream omits the uid, and would give it this status.
  const { uid = '' } = metadata;
  const status = {
    observedGeneration: generation,
    typeChecking: expressionWarnings.length === 0 ? {} : { expressionWarnings },
  };
  try {
    await client
      .resource(ValidatingAdmissionPolicy)
      .subresource('status')
      .apply(
        { apiVersion, kind, metadata: { name, uid }, status },
        { fieldManager: FIELD_MANAGER, force: true, signal },
      );
  } catch (error) {
    if (isConflict(error)) return { requeueAfter: CONFLICT_MILLISECONDS };
    // The policy was deleted.
    if (!isNotFound(error)) throw error;
  }
  return undefined;
}

async function check(
  policy: ValidatingAdmissionPolicy,
  context: LoopContext,
  signal: AbortSignal,
): Promise<readonly TypeWarning[]> {
  const { paramKind, variables = [] } = policy.spec ?? {};
  const types = new ServedTypes(context.transport, signal);
  const kinds: TypedKind[] = [];
  for (const kind of await kindsOf(policy, context, signal)) {
    const type = await types.typeOf(kind);
    if (type !== undefined) kinds.push({ name: `${kind.group}/${kind.version}, Kind=${kind.kind}`, type });
  }
  const params = paramKind && { type: await types.typeOf(parameterKind(paramKind)) };
  return finishInTurns(typeWarnings({ kinds, params, variables, expressions: expressionsOf(policy) }));
}

/** Discovery may be older than a definition that the policy names. */
async function kindsOf(
  { spec }: ValidatingAdmissionPolicy,
  { discovery }: LoopContext,
  signal: AbortSignal,
): Promise<readonly GroupVersionKind[]> {
  const known = matchedKinds(spec?.matchConstraints, await discovery.surface({ signal }));
  if (!known.isIncomplete) return known.kinds;
  discovery.invalidate();
  return matchedKinds(spec?.matchConstraints, await discovery.surface({ signal })).kinds;
}

function parameterKind({ apiVersion = '', kind = '' }: { apiVersion?: string; kind?: string }): GroupVersionKind {
  return { group: '', version: '', ...parseGroupVersion(apiVersion), kind };
}

function expressionsOf({ spec }: ValidatingAdmissionPolicy): CheckedExpressions['expressions'] {
  return (spec?.validations ?? []).flatMap(({ expression, messageExpression = '' }, index) => {
    const field = `spec.validations[${index}]`;
    const message = { field: `${field}.messageExpression`, expression: messageExpression };
    return [{ field: `${field}.expression`, expression }, ...(messageExpression === '' ? [] : [message])];
  });
}
