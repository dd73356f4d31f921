import type { ResourceFacts, SubresourceFacts } from '@binnacle/api/table';
import { formatGroupVersion } from '@binnacle/apimachinery/meta';
import { isObject, type JsonObject } from '@binnacle/apimachinery/json';
import { structuralProblemsInSteps, unsupportedKeyword } from '@binnacle/apimachinery/structural';
import type { Steps } from '@binnacle/apimachinery/work';
import type { CustomOpenApiSource, CustomType, OpenApiResource, OpenApiVersion } from '../openapi/index.js';
import { definitionName } from './definition-names.js';
import { wholeDefinition } from './definitions.js';
import type { ServedDefinition, ServedVersion } from './served-definition.js';

/** Without `watch`: upstream's documents have no watch paths for custom resources. */
const verbs: ResourceFacts['verbs'] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update'];
const viewVerbs: SubresourceFacts['verbs'] = ['get', 'patch', 'update'];

/** The custom resources in OpenAPI documents. */
export interface CustomOpenApiOptions {
  readonly revision: () => number;
  /** The revision at which a `group/version` last changed. */
  readonly changedAt: (groupVersion: string) => number;
  readonly definitions: () => readonly ServedDefinition[];
}

export function customOpenApiSource(options: CustomOpenApiOptions): CustomOpenApiSource {
  let latest: CustomOpenApiSource | undefined;
  const snapshot = (): CustomOpenApiSource => {
    if (latest?.revision !== options.revision()) latest = snapshotOf(options);
    return latest;
  };
  return {
    get revision() {
      return options.revision();
    },
    versions: () => snapshot().versions(),
    definitionOf: (kind) => snapshot().definitionOf(kind),
    customType: (definition) => snapshot().customType(definition),
    snapshot,
  };
}

function snapshotOf(options: CustomOpenApiOptions): CustomOpenApiSource {
  const definitions = options.definitions();
  const versions = groupedVersions(definitions, options.changedAt);
  const types = indexTypes(definitions);
  const source: CustomOpenApiSource = {
    revision: options.revision(),
    versions: () => versions,
    definitionOf(kind) {
      const name = definitionName(kind);
      return types.has(name) ? name : undefined;
    },
    customType: (definition) => customType(types.get(definition)),
    snapshot: () => source,
  };
  return source;
}

function groupedVersions(
  definitions: readonly ServedDefinition[],
  changedAt: CustomOpenApiOptions['changedAt'],
): OpenApiVersion[] {
  const versions = new Map<string, OpenApiVersion & { readonly resources: OpenApiResource[] }>();
  for (const definition of definitions) {
    if (!definition.established) continue;
    const { group } = definition;
    for (const version of definition.versions) {
      if (!version.served) continue;
      const groupVersion = formatGroupVersion({ group, version: version.name });
      const known = versions.get(groupVersion) ?? {
        group,
        version: version.name,
        resources: [],
        revision: changedAt(groupVersion),
        custom: true,
      };
      versions.set(groupVersion, known);
      known.resources.push(openApiResource(definition, version));
    }
  }
  return [...versions.values()];
}

function openApiResource(definition: ServedDefinition, { name, hasStatus, hasScale }: ServedVersion): OpenApiResource {
  const { group, kind, plural, namespaced, acceptedNames } = definition;
  const subresources: SubresourceFacts[] = [];
  if (hasStatus) subresources.push({ name: 'status', kind, verbs: viewVerbs });
  if (hasScale) {
    subresources.push({ name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: viewVerbs });
  }
  return {
    group,
    version: name,
    kind,
    resource: plural,
    definition: definitionName({ group, version: name, kind }),
    namespaced,
    verbs,
    listKind: acceptedNames.listKind ?? `${kind}List`,
    subresources,
    untyped: true,
  };
}

interface FoundType {
  readonly definition: ServedDefinition;
  readonly version: string;
  readonly isList: boolean;
}

/**
 * Whether each version of a definition publishes its schema. Remembered, because checking takes longer than writing.
 */
const shownVersions = new WeakMap<ServedDefinition, Map<string, boolean>>();

function* customType(found: FoundType | undefined): Steps<CustomType | undefined> {
  if (found === undefined) return undefined;
  const { definition, version, isList } = found;
  const { group, kind } = definition;
  const given = (wholeDefinition(definition).spec.versions ?? []).find((each) => each.name === version);
  const type = {
    group,
    version,
    selectableFields: (given?.selectableFields ?? []).map(({ jsonPath }) => jsonPath.replace(/^\./, '')),
  };
  if (isList) return { ...type, kind: listKindOf(definition), items: kind };
  yield;
  const schema = given?.schema?.openAPIV3Schema;
  if (!isObject(schema)) return { ...type, kind };
  const known = shownVersions.get(definition) ?? new Map<string, boolean>();
  shownVersions.set(definition, known);
  const shown = known.get(version) ?? (yield* isStructural(schema));
  known.set(version, shown);
  return { ...type, kind, ...(shown ? { schema } : {}) };
}

/** False only for schemas that older servers have stored. */
function* isStructural(schema: JsonObject): Steps<boolean> {
  const unsupported = yield* unsupportedKeyword(schema);
  yield;
  return unsupported === undefined && (yield* structuralProblemsInSteps(schema, '')).length === 0;
}

/** Definitions by the names of their types. */
function indexTypes(definitions: readonly ServedDefinition[]): Map<string, FoundType> {
  const types = new Map<string, FoundType>();
  for (const definition of definitions) {
    if (!definition.established) continue;
    const { group, kind } = definition;
    for (const { name: version } of definition.versions) {
      types.set(definitionName({ group, version, kind }), { definition, version, isList: false });
      const list = { group, version, kind: listKindOf(definition) };
      types.set(definitionName(list), { definition, version, isList: true });
    }
  }
  return types;
}

function listKindOf({ acceptedNames, kind }: ServedDefinition): string {
  return acceptedNames.listKind ?? `${kind}List`;
}
