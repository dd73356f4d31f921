import { type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import type { RuleCompiler } from '@binnacle/apimachinery/structural';
import { errorsOfEach, validateImmutable } from '@binnacle/apimachinery/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import type { CustomResourceDefinition } from '../../generated/types/apiextensions-v1.js';
import { each, list } from '../common.js';
import { APPROVED_ANNOTATION, apiApproval, isProtectedGroup } from './approval.js';
import { optionsForUpdate } from './update-options.js';
import { validateNames } from './names.js';
import { type SpecOptions, validateSpec } from './spec.js';

const everything: Omit<SpecOptions, 'rules'> = {
  requireKnownReviewVersion: true,
  requireSchemas: true,
  requireKnownTypes: true,
  requireStructural: true,
  requirePrunedDefaults: true,
  requireAtomicSetItems: true,
  requireMapKeys: true,
  manySelectableFields: new Set(),
  unchangedSchemas: new Set(),
};

/**
 * Upstream: apiextensions `pkg/apis/apiextensions/validation`. `rules` compiles the rules of schemas; without it they
 * are not compiled.
 */
export function* validateCustomResourceDefinition(
  definition: CustomResourceDefinition,
  rules?: RuleCompiler,
): Steps<FieldError[]> {
  return [
    ...validateName(definition),
    ...(yield* validateWhole(definition, { ...everything, rules })),
    ...validateApproval(definition, undefined),
    ...validatePreserveUnknownFields(definition, undefined),
  ];
}

export function* validateCustomResourceDefinitionUpdate(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition,
  rules?: RuleCompiler,
): Steps<FieldError[]> {
  return [
    ...(yield* validateWhole(definition, { ...(yield* optionsForUpdate(definition, old)), rules })),
    ...validateUnchanged(definition, old),
    ...validateApproval(definition, old),
    ...validatePreserveUnknownFields(definition, old),
  ];
}

export function validateCustomResourceDefinitionStatusUpdate(definition: CustomResourceDefinition): FieldError[] {
  return validateNames(definition.status?.acceptedNames, 'status.acceptedNames');
}

function validateName({ metadata, spec }: CustomResourceDefinition): FieldError[] {
  const wanted = `${spec?.names?.plural ?? ''}.${spec?.group ?? ''}`;
  const { name = '', generateName = '' } = metadata ?? {};
  const given = [
    ['metadata.generateName', generateName],
    ['metadata.name', name],
  ] as const;
  return given
    .filter(([, value]) => value !== '' && value !== wanted)
    .map(([path, value]) => invalidValue(path, value, 'must be spec.names.plural+"."+spec.group'));
}

function* validateWhole(definition: CustomResourceDefinition, options: SpecOptions): Steps<FieldError[]> {
  return [
    ...(yield* validateSpec(definition.spec, 'spec', options)),
    ...validateCustomResourceDefinitionStatusUpdate(definition),
    ...validateStoredVersions(definition, 'status.storedVersions'),
  ];
}

function validateStoredVersions({ spec, status }: CustomResourceDefinition, path: string): FieldError[] {
  const stored = list(status?.storedVersions);
  if (stored.length === 0) return [invalidValue(path, undefined, 'must have at least one stored version')];
  const versions = list(spec?.versions);
  const served = new Set(versions.map(({ name }) => name));
  const kept = new Set(stored);
  return [
    ...errorsOfEach(versions, ({ name, storage }) =>
      storage && !kept.has(name) ? [invalidValue(path, stored, `must have the storage version ${name}`)] : [],
    ),
    ...each(stored, path, (name, place) => (served.has(name) ? [] : [invalidValue(place, name, missingVersion(name))])),
  ];
}

function missingVersion(name: string): string {
  return (
    `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a ` +
    `storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`
  );
}

function validateUnchanged({ spec }: CustomResourceDefinition, old: CustomResourceDefinition): FieldError[] {
  const established = list(old.status?.conditions).some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );
  return [
    ...(established ? validateImmutable(spec?.scope, old.spec?.scope, 'spec.scope') : []),
    ...(established ? validateImmutable(spec?.names?.kind, old.spec?.names?.kind, 'spec.names.kind') : []),
    ...validateImmutable(spec?.group, old.spec?.group, 'spec.group'),
    ...validateImmutable(spec?.names?.plural, old.spec?.names?.plural, 'spec.names.plural'),
  ];
}

/** An update is checked only if it changes the approval. */
function validateApproval(
  { metadata, spec }: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): FieldError[] {
  if (!isProtectedGroup(spec?.group ?? '')) return [];
  const { state, reason } = apiApproval(metadata?.annotations);
  if (old !== undefined && apiApproval(old.metadata?.annotations).state === state) return [];
  const path = `metadata.annotations[${APPROVED_ANNOTATION}]`;
  if (state === 'missing') return [required(path, reason)];
  return state === 'invalid' ? [invalidValue(path, metadata?.annotations?.[APPROVED_ANNOTATION], reason)] : [];
}

function validatePreserveUnknownFields(
  { spec }: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): FieldError[] {
  if (spec?.preserveUnknownFields !== true || old?.spec?.preserveUnknownFields === true) return [];
  const detail =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalidValue('spec.preserveUnknownFields', true, detail)];
}
