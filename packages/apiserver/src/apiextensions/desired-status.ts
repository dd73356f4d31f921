import { apiApproval, isProtectedGroup } from '@binnacle/api/validation/definition';
import type { CustomResourceDefinition } from '@binnacle/api/types/apiextensions-v1';
import { isObject } from '@binnacle/apimachinery/json';
import { formatFieldErrors, invalidValue } from '@binnacle/apimachinery/status';
import { structuralProblemsInSteps, unsupportedKeyword } from '@binnacle/apimachinery/structural';
import { semanticEqual } from '@binnacle/apimachinery/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import {
  type DefinitionCondition,
  findCondition,
  isConditionTrue,
  removeCondition,
  setCondition,
} from '../resources/index.js';
import { inSlices } from '../slices/index.js';
import { acceptNames, type NamesInUse } from './naming.js';

/**
 * Updates the status of a definition in place; `now` in milliseconds. Conditions that are already right keep their
 * times. Upstream: the controllers of apiextensions `pkg/controller`, each with its own write.
 */
export async function updateStatus(
  definition: CustomResourceDefinition,
  inUse: NamesInUse,
  now: number,
): Promise<void> {
  if (!semanticEqual(definition.spec.names, definition.status?.acceptedNames)) {
    const { acceptedNames, condition } = acceptNames(definition, inUse);
    definition.status = { ...definition.status, acceptedNames };
    setCondition(definition, condition, now);
  }
  const established = establishedCondition(definition);
  if (established !== undefined) setCondition(definition, established, now);
  const approval = approvalCondition(definition);
  if (approval !== undefined) setCondition(definition, approval, now);
  await updateStructural(definition, now);
}

/** Undefined: no change. An established kind stays established, whatever happens to its names. */
function establishedCondition(definition: CustomResourceDefinition): DefinitionCondition | undefined {
  if (isConditionTrue(definition, 'Established')) return undefined;
  if (!isConditionTrue(definition, 'NamesAccepted')) {
    return {
      type: 'Established',
      status: 'False',
      reason: 'NotAccepted',
      message: 'not all names are accepted',
    };
  }
  return {
    type: 'Established',
    status: 'True',
    reason: 'InitialNamesAccepted',
    message: 'the initial names have been accepted',
  };
}

const approvals: Readonly<Record<string, Pick<DefinitionCondition, 'status' | 'reason'>>> = {
  invalid: { status: 'False', reason: 'InvalidAnnotation' },
  missing: { status: 'False', reason: 'MissingAnnotation' },
  approved: { status: 'True', reason: 'ApprovedAnnotation' },
  bypassed: { status: 'False', reason: 'UnapprovedAnnotation' },
};

function approvalCondition({ metadata, spec }: CustomResourceDefinition): DefinitionCondition | undefined {
  if (!isProtectedGroup(spec.group)) return undefined;
  const { state, reason } = apiApproval(metadata?.annotations);
  const outcome = approvals[state];
  return outcome === undefined
    ? undefined
    : { type: 'KubernetesAPIApprovalPolicyConformant', ...outcome, message: reason };
}

/**
 * This server accepts only structural definitions, like every server since v1. A definition from an older server may preserve
 * unknown fields, or not be structural; the condition says so.
 */
async function updateStructural(definition: CustomResourceDefinition, now: number): Promise<void> {
  const { preserveUnknownFields } = definition.spec;
  if (preserveUnknownFields !== true && findCondition(definition, 'NonStructuralSchema') === undefined) return;
  const condition = await inSlices(structuralCondition(definition));
  if (condition === undefined) removeCondition(definition, 'NonStructuralSchema');
  else setCondition(definition, condition, now);
}

function* structuralCondition({ spec }: CustomResourceDefinition): Steps<DefinitionCondition | undefined> {
  const errors = spec.preserveUnknownFields ? [invalidValue('spec.preserveUnknownFields', true, 'must be false')] : [];
  for (const [index, { name, schema }] of (spec.versions ?? []).entries()) {
    const document = schema?.openAPIV3Schema;
    if (!isObject(document)) continue;
    const unsupported = yield* unsupportedKeyword(document);
    if (unsupported !== undefined) {
      return {
        type: 'NonStructuralSchema',
        status: 'Unknown',
        reason: 'StructuralError',
        message: `failed to check validation schema for version ${name}: ${unsupported}`,
      };
    }
    errors.push(...(yield* structuralProblemsInSteps(document, `spec.versions[${index}].schema.openAPIV3Schema`)));
  }
  if (errors.length === 0) return undefined;
  const message = formatFieldErrors(errors);
  return { type: 'NonStructuralSchema', status: 'True', reason: 'Violations', message };
}
