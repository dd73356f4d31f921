import { isObject } from '@binnacle/apimachinery/json';
import { ERRORS_MAXIMUM, type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import { compileSchemaInSteps, unsupportedKeyword } from '@binnacle/apimachinery/structural';
import { errorsOfEach, validateDns1123Subdomain } from '@binnacle/apimachinery/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import type {
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from '../../generated/types/apiextensions-v1.js';
import { each, list, requireOneOf } from '../common.js';
import { validateColumn, validateSubresources } from './columns.js';
import { type ConversionOptions, validateConversion } from './conversion.js';
import { label, validateNames } from './names.js';
import { type ValidationOptions, validateSchema } from './schema.js';
import { validateSelectableFields } from './selectable-fields.js';
import { shownVersions } from './shown.js';
import { commonSpec, type CommonSpec } from './versions.js';

export interface SpecOptions extends ValidationOptions, ConversionOptions {
  readonly requireSchemas: boolean;
  /** Versions whose selectable fields already exceeded the limit; `''` means all versions. */
  readonly manySelectableFields: ReadonlySet<string>;
  /** Versions whose schema has not changed. */
  readonly unchangedSchemas: ReadonlySet<string>;
}

/** The options for the schema of one version. */
function forVersion(options: SpecOptions, version: string | undefined): SpecOptions {
  return { ...options, anyRuleCost: options.unchangedSchemas.has(version ?? '') };
}

/** Upstream: `validateCustomResourceDefinitionSpec`. */
export function* validateSpec(
  spec: CustomResourceDefinitionSpec,
  path: string,
  given: SpecOptions,
): Steps<FieldError[]> {
  const parts = commonSpec(spec);
  const { common, versions } = parts;
  const preserves = spec.preserveUnknownFields === true;
  const options = preserves ? given : { ...given, requireStructural: true };
  const [first] = versions;
  const { names } = spec;
  const ofVersions: FieldError[] = [];
  // Upstream checks the common subresources only if no version has its own.
  const own = versions.some(({ subresources }) => subresources !== undefined);
  for (const [index, version] of versions.entries()) {
    const subresources = own ? version.subresources : common.subresources;
    const hasStatus = subresources?.status !== undefined;
    for (const error of yield* validateVersion(version, hasStatus, `${path}.versions[${index}]`, options)) {
      ofVersions.push(error);
    }
    if (ofVersions.length >= ERRORS_MAXIMUM) break;
    yield;
  }
  return [
    ...validateGroup(spec.group ?? '', `${path}.group`),
    ...requireOneOf(spec.scope, ['Cluster', 'Namespaced'], `${path}.scope`),
    ...(options.requireSchemas ? requireSchemas(parts, path) : []),
    ...ofVersions,
    ...validateVersionSet(versions, `${path}.versions`),
    ...(first === undefined || (first.name ?? '') === '' ? [] : label(first.name, `${path}.version`)),
    ...(['plural', 'singular', 'kind', 'listKind'] as const)
      .filter((name) => (names?.[name] ?? '') === '')
      .map((name) => required(`${path}.names.${name}`, '')),
    ...validateNames(names, `${path}.names`),
    ...(yield* validateSchema(
      common.schema,
      hasAnyStatus(parts),
      `${path}.validation`,
      forVersion(options, first?.name),
    )),
    ...validateSubresources(common.subresources, `${path}.subresources`),
    ...each(common.additionalPrinterColumns, `${path}.additionalPrinterColumns`, validateColumn),
    ...(yield* validateSelectable(common, `${path}.selectableFields`, '', options)),
    ...(preserves && spec.conversion !== undefined && spec.conversion.strategy !== 'None'
      ? [
          invalidValue(
            `${path}.conversion.strategy`,
            spec.conversion.strategy,
            'must be None if spec.preserveUnknownFields is true',
          ),
        ]
      : []),
    ...validateConversion(spec.conversion, `${path}.conversion`, options),
  ];
}

function validateGroup(group: string, path: string): FieldError[] {
  if (group === '') return [required(path, '')];
  const problems = validateDns1123Subdomain(group);
  if (problems.length > 0) return [invalidValue(path, group, problems.join(','))];
  return group.includes('.') ? [] : [invalidValue(path, group, 'should be a domain with at least one dot')];
}

function requireSchemas({ common, versions }: CommonSpec, path: string): FieldError[] {
  if (common.schema?.openAPIV3Schema !== undefined) return [];
  return errorsOfEach(versions, (version, index) =>
    version.schema?.openAPIV3Schema === undefined
      ? [required(`${path}.versions[${index}].schema.openAPIV3Schema`, '')]
      : [],
  );
}

function* validateVersion(
  version: CustomResourceDefinitionVersion,
  hasStatus: boolean,
  path: string,
  options: SpecOptions,
): Steps<FieldError[]> {
  const name = version.name ?? '';
  return [
    ...label(name, `${path}.name`),
    ...validateDeprecationWarning(version, `${path}.deprecationWarning`),
    ...(yield* validateSchema(version.schema, hasStatus, `${path}.schema`, forVersion(options, name))),
    ...validateSubresources(version.subresources, `${path}.subresources`),
    ...each(version.additionalPrinterColumns, `${path}.additionalPrinterColumns`, validateColumn),
    ...(yield* validateSelectable(version, `${path}.selectableFields`, name, options)),
  ];
}

function* validateSelectable(
  { schema, selectableFields }: Pick<CustomResourceDefinitionVersion, 'schema'> & CommonSpec['common'],
  path: string,
  version: string,
  options: SpecOptions,
): Steps<FieldError[]> {
  const fields = list(selectableFields);
  if (fields.length === 0) return [];
  const document = schema?.openAPIV3Schema;
  if (!isObject(document)) {
    const detail =
      version === ''
        ? 'may only be set when validations.schema is included'
        : 'may only be set when `version.schema.openAPIV3Schema` is not included';
    return [invalidValue(path, '', detail)];
  }
  const unsupported = yield* unsupportedKeyword(document);
  if (unsupported !== undefined) {
    return [invalidValue(path.replace(/selectableFields$/, 'schema.openAPIV3Schema'), '', unsupported)];
  }
  const compiled = yield* compileSchemaInSteps(document);
  return validateSelectableFields(fields, compiled, path, options.manySelectableFields.has(version));
}

function validateVersionSet(versions: readonly CustomResourceDefinitionVersion[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    errors.push(invalidValue(path, shownVersions(versions), 'must contain unique version names'));
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    const detail = 'must have exactly one version marked as storage version';
    errors.push(invalidValue(path, shownVersions(versions), detail));
  }
  return errors;
}

function validateDeprecationWarning(version: CustomResourceDefinitionVersion, path: string): FieldError[] {
  const { deprecated, deprecationWarning } = version;
  if (deprecationWarning === undefined) return [];
  return deprecationProblems(deprecationWarning, deprecated === true).map((problem) =>
    invalidValue(path, deprecationWarning, problem),
  );
}

function deprecationProblems(warning: string, deprecated: boolean): string[] {
  if (!deprecated) return ['can only be set for deprecated versions'];
  const problems: string[] = [];
  if (Buffer.byteLength(warning) > 256) problems.push('must be <= 256 characters long');
  if (warning === '') problems.push('must not be an empty string');
  const wrong = warning.search(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u);
  if (wrong >= 0) {
    const index = Buffer.byteLength(warning.slice(0, wrong));
    problems.push(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`);
  }
  return problems;
}

function hasAnyStatus({ common, versions }: CommonSpec): boolean {
  return [common, ...versions].some(({ subresources }) => subresources?.status !== undefined);
}
