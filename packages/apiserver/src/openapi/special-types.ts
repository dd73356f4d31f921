import type { JsonObject } from '@binnacle/apimachinery/json';
import type { ScalarSchema } from '@binnacle/apimachinery/schema';

const util = 'io.k8s.apimachinery.pkg';
const extensions = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';

/** Definitions that are not struct types of the table, in both versions of the documents. */
interface SpecialType {
  readonly v2: JsonObject;
  readonly v3?: JsonObject;
}

const infoFields = [
  'buildDate',
  'compiler',
  'emulationMajor',
  'emulationMinor',
  'gitCommit',
  'gitTreeState',
  'gitVersion',
  'goVersion',
  'major',
  'minCompatibilityMajor',
  'minCompatibilityMinor',
  'minor',
  'platform',
] as const;

const infoOptional: ReadonlySet<string> = new Set([
  'emulationMajor',
  'emulationMinor',
  'minCompatibilityMajor',
  'minCompatibilityMinor',
]);

function info(defaults: boolean): JsonObject {
  const property = (field: string): JsonObject =>
    defaults && !infoOptional.has(field) ? { type: 'string', default: '' } : { type: 'string' };
  return {
    properties: Object.fromEntries(infoFields.map((field) => [field, property(field)])),
    required: [
      'major',
      'minor',
      'gitVersion',
      'gitCommit',
      'gitTreeState',
      'buildDate',
      'goVersion',
      'compiler',
      'platform',
    ],
    type: 'object',
  };
}

const time: SpecialType = { v2: { format: 'date-time', type: 'string' } };
const anyObject: SpecialType = { v2: { type: 'object' } };
const anything: SpecialType = { v2: {} };

export const specialTypes: ReadonlyMap<string, SpecialType> = new Map<string, SpecialType>([
  [
    `${util}.api.resource.Quantity`,
    { v2: { type: 'string' }, v3: { oneOf: [{ type: 'string' }, { type: 'number' }] } },
  ],
  [
    `${util}.util.intstr.IntOrString`,
    {
      v2: { format: 'int-or-string', type: 'string' },
      v3: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
    },
  ],
  [`${util}.apis.meta.v1.Time`, time],
  [`${util}.apis.meta.v1.MicroTime`, time],
  [`${util}.apis.meta.v1.FieldsV1`, anyObject],
  [`${util}.apis.meta.v1.Patch`, anyObject],
  [`${util}.runtime.RawExtension`, anyObject],
  [`${util}.version.Info`, { v2: info(false), v3: info(true) }],
  [`${extensions}.JSON`, anything],
  [`${extensions}.JSONSchemaPropsOrArray`, anything],
  [`${extensions}.JSONSchemaPropsOrBool`, anything],
  [`${extensions}.JSONSchemaPropsOrStringArray`, anything],
]);

const definitionsOfAny: ReadonlyMap<string, string> = new Map([
  ['runtime.RawExtension', `${util}.runtime.RawExtension`],
  ['v1.FieldsV1', `${util}.apis.meta.v1.FieldsV1`],
  ['v1.JSON', `${extensions}.JSON`],
  ['v1.JSONSchemaPropsOrArray', `${extensions}.JSONSchemaPropsOrArray`],
  ['v1.JSONSchemaPropsOrBool', `${extensions}.JSONSchemaPropsOrBool`],
  ['v1.JSONSchemaPropsOrStringArray', `${extensions}.JSONSchemaPropsOrStringArray`],
]);

/** The definition that a scalar refers to; undefined for an inline one. */
export function definitionOfScalar(scalar: ScalarSchema): string | undefined {
  switch (scalar.kind) {
    case 'quantity':
      return `${util}.api.resource.Quantity`;
    case 'intOrString':
      return `${util}.util.intstr.IntOrString`;
    case 'time':
      return `${util}.apis.meta.v1.Time`;
    case 'microTime':
      return `${util}.apis.meta.v1.MicroTime`;
    case 'any':
      return definitionsOfAny.get(scalar.goType);
    default:
      return undefined;
  }
}

/** Fields of bytes that upstream marks as a list. */
export const atomicBytes: ReadonlySet<string> = new Set([
  'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIServiceSpec.caBundle',
]);
