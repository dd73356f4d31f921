import { getOwn, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';

/** Fields that v1beta1 may set once for all versions: [name in v1beta1, name in each version of v1]. */
const hoisted: readonly (readonly [once: string, each: string])[] = [
  ['subresources', 'subresources'],
  ['validation', 'schema'],
  ['additionalPrinterColumns', 'additionalPrinterColumns'],
  ['selectableFields', 'selectableFields'],
];

/**
 * Converts a v1beta1 CustomResourceDefinition, the version that kube-apiserver stores, to v1. Spells out v1beta1
 * defaults that differ in v1. Upstream: apiextensions `v1/conversion.go`, `v1beta1/defaults.go`.
 */
export function definitionToV1(definition: JsonObject): JsonObject {
  const { spec } = definition;
  if (!isObject(spec)) return definition;
  const { version, versions, conversion, preserveUnknownFields, ...rest } = spec;
  const shared: JsonObject = {};
  for (const [once, each] of hoisted) {
    const value = getOwn(rest, once);
    delete rest[once];
    if (value !== undefined && value !== null) shared[each] = value;
  }
  const listed = Array.isArray(versions) && versions.length > 0 ? versions : versionsOf(version);
  return {
    ...definition,
    spec: {
      ...rest,
      scope: rest['scope'] ?? 'Namespaced',
      versions: listed.map((each) => (isObject(each) ? renameColumns({ ...each, ...shared }) : each)),
      ...(isObject(conversion) ? { conversion: conversionToV1(conversion) } : {}),
      ...(preserveUnknownFields === false ? {} : { preserveUnknownFields: true }),
    },
  };
}

/** Old definitions name a single `version` instead of a list. */
function versionsOf(version: JsonValue | undefined): JsonValue[] {
  return typeof version === 'string' && version !== '' ? [{ name: version, served: true, storage: true }] : [];
}

function renameColumns(version: JsonObject): JsonObject {
  const columns = version['additionalPrinterColumns'];
  if (!Array.isArray(columns)) return version;
  return { ...version, additionalPrinterColumns: columns.map((each) => (isObject(each) ? renamePath(each) : each)) };
}

function renamePath({ JSONPath, ...column }: JsonObject): JsonObject {
  return JSONPath === undefined ? column : { ...column, jsonPath: JSONPath };
}

function conversionToV1({ webhookClientConfig, conversionReviewVersions, ...rest }: JsonObject): JsonObject {
  const isUnset = conversionReviewVersions === undefined || conversionReviewVersions === null;
  const versions = isUnset && rest['strategy'] === 'Webhook' ? ['v1beta1'] : conversionReviewVersions;
  const hasClient = webhookClientConfig !== undefined && webhookClientConfig !== null;
  if (!hasClient && (versions === undefined || versions === null)) return rest;
  const client = hasClient ? { clientConfig: webhookClientConfig } : {};
  return { ...rest, webhook: { ...client, conversionReviewVersions: versions } };
}
