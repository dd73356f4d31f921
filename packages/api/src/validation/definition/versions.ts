import { semanticEqual } from '@binnacle/apimachinery/validation';
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  CustomResourceValidation,
  SelectableField,
} from '../../generated/types/apiextensions-v1.js';

/** Settings of each version, which upstream moves to the spec when all versions agree. */
export interface VersionFacts {
  readonly schema?: CustomResourceValidation | undefined;
  readonly subresources?: CustomResourceSubresources | undefined;
  readonly additionalPrinterColumns?: readonly CustomResourceColumnDefinition[] | undefined;
  readonly selectableFields?: readonly SelectableField[] | undefined;
}

/**
 * The spec in the form that upstream validates and whose paths its errors name: settings common to all versions are in
 * the spec itself. Upstream: `Convert_v1_CustomResourceDefinitionSpec_To_apiextensions_CustomResourceDefinitionSpec`.
 */
export interface CommonSpec {
  readonly common: VersionFacts;
  readonly versions: readonly CustomResourceDefinitionVersion[];
}

const facts = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

export function commonSpec(spec: CustomResourceDefinitionSpec): CommonSpec {
  const all = spec.versions ?? [];
  const [first] = all;
  if (first === undefined) return { common: {}, versions: [] };
  const shared = facts.filter((fact) => all.every((version) => version === first || same(version[fact], first[fact])));
  const common: VersionFacts = Object.fromEntries(shared.map((fact) => [fact, first[fact]]));
  const own = Object.fromEntries(shared.map((fact) => [fact, undefined]));
  return { common, versions: all.map((version) => ({ ...version, ...own })) };
}

/** Absent and empty lists are equal; absent and empty structs are not. */
function same(a: object | undefined, b: object | undefined): boolean {
  const absent = (value: object | undefined): boolean => value === undefined && !Array.isArray(a) && !Array.isArray(b);
  return absent(a) === absent(b) && semanticEqual(a, b);
}
