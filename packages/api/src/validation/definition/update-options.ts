import { schemaOf } from '../../table/index.js';
import { getOwn, isObject, type JsonObject } from '@binnacle/apimachinery/json';
import {
  compileSchemaInSteps,
  structuralProblemsInSteps,
  textOf,
  unsupportedKeyword,
  validateDefaults,
  yieldingSchemas,
} from '@binnacle/apimachinery/structural';
import { semanticEqual } from '@binnacle/apimachinery/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import type { CustomResourceDefinition, CustomResourceDefinitionSpec } from '../../generated/types/apiextensions-v1.js';
import { list } from '../common.js';
import { knowsReviewVersion } from './conversion.js';
import { listItemProblems, setItemProblems } from './collection-keywords.js';
import { openApiTypes } from './schema-keywords.js';
import { MAXIMUM_SELECTABLE_FIELDS } from './selectable-fields.js';
import type { SpecOptions } from './spec.js';

/** The rules that a schema alone meets or breaks. */
type SchemaRules = Pick<
  SpecOptions,
  'requireKnownTypes' | 'requireStructural' | 'requirePrunedDefaults' | 'requireAtomicSetItems' | 'requireMapKeys'
>;

/** The rules that an update must meet. A rule that the stored definition breaks does not apply to its update. */
export function* optionsForUpdate(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition,
): Steps<Omit<SpecOptions, 'rules'>> {
  const met: SchemaRules[] = [];
  for (const schema of schemasOf(old.spec)) met.push(yield* rulesMetBy(schema));
  const allMeet = (rule: keyof SchemaRules): boolean => met.every((rules) => rules[rule]);
  const versions = list(old.spec?.versions);
  return {
    requireKnownReviewVersion: knowsReviewVersion(list(old.spec?.conversion?.webhook?.conversionReviewVersions)),
    requireSchemas: versions.every(({ schema }) => schema?.openAPIV3Schema !== undefined),
    requireKnownTypes: allMeet('requireKnownTypes'),
    requireStructural: allMeet('requireStructural'),
    requirePrunedDefaults: allMeet('requirePrunedDefaults'),
    requireAtomicSetItems: allMeet('requireAtomicSetItems'),
    requireMapKeys: allMeet('requireMapKeys'),
    manySelectableFields: manySelectableFields(definition, old),
    unchangedSchemas: unchangedSchemas(definition, old),
  };
}

function schemasOf(spec: CustomResourceDefinitionSpec | undefined): JsonObject[] {
  return list(spec?.versions).flatMap(({ schema }) => {
    const document = schema?.openAPIV3Schema;
    return isObject(document) ? [document] : [];
  });
}

function* rulesMetBy(schema: JsonObject): Steps<SchemaRules> {
  const requireStructural = yield* isStructural(schema);
  yield;
  const requirePrunedDefaults = !(requireStructural && (yield* hasUnprunedDefaults(schema)));
  yield;
  const requireKnownTypes = !(yield* anywhere(schema, hasUnknownType));
  const requireAtomicSetItems = !(yield* anywhere(schema, (each) => setItemProblems(each, '').length > 0));
  const requireMapKeys = !(yield* anywhere(schema, (each) => listItemProblems(each, '').length > 0));
  return { requireStructural, requirePrunedDefaults, requireKnownTypes, requireAtomicSetItems, requireMapKeys };
}

/** Whether the predicate is true of a schema or of one nested in it. */
function* anywhere(schema: JsonObject, holds: (schema: Readonly<JsonObject>) => boolean): Steps<boolean> {
  for (const each of yieldingSchemas(schema)) {
    if (each === undefined) yield;
    else if (holds(each)) return true;
  }
  return false;
}

function hasUnknownType(schema: Readonly<JsonObject>): boolean {
  const type = textOf(schema, 'type');
  return type !== '' && !openApiTypes.includes(type);
}

function* isStructural(schema: JsonObject): Steps<boolean> {
  if ((yield* unsupportedKeyword(schema)) !== undefined) return false;
  return (yield* structuralProblemsInSteps(schema, '')).length === 0;
}

const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** Expects a structural schema. */
function* hasUnprunedDefaults(schema: JsonObject): Steps<boolean> {
  if (!(yield* anywhere(schema, (each) => getOwn(each, 'default') !== undefined))) return false;
  const compiled = yield* compileSchemaInSteps(schema);
  const objectMeta = schemaOf(OBJECT_META);
  const strict = yield* validateDefaults(compiled, '', { objectMeta, requirePruned: true });
  const lenient = yield* validateDefaults(compiled, '', { objectMeta, requirePruned: false });
  return strict.length > lenient.length;
}

function unchangedSchemas(definition: CustomResourceDefinition, old: CustomResourceDefinition): ReadonlySet<string> {
  const before = new Map(list(old.spec?.versions).map(({ name, schema }) => [name, schema]));
  const unchanged = list(definition.spec?.versions).filter(
    ({ name, schema }) => before.has(name) && semanticEqual(schema, before.get(name)),
  );
  return new Set(unchanged.map(({ name }) => name));
}

/** Versions whose selectable fields exceeded the limit before and have not changed; `''` means all versions. */
function manySelectableFields(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition,
): ReadonlySet<string> {
  const many = list(definition.spec?.versions).filter((version) => {
    const before = list(old.spec?.versions).find(({ name }) => name === version.name)?.selectableFields;
    return list(before).length > MAXIMUM_SELECTABLE_FIELDS && semanticEqual(before, version.selectableFields);
  });
  const names = new Set(many.map(({ name }) => name));
  if (many.length > 0 && many.length === list(definition.spec?.versions).length) names.add('');
  return names;
}
