import type { ResourceFacts, SubresourceFacts } from '@binnacle/api/table';
import { formatGroupVersion } from '@binnacle/apimachinery/meta';
import { isObject } from '@binnacle/apimachinery/json';
import { structuralProblems, unsupportedKeyword } from '@binnacle/apimachinery/structural';
import type { CustomOpenApiSource, CustomType, OpenApiResource, OpenApiVersion } from '../openapi/index.js';
import { definitionName } from './definition-names.js';
import { wholeDefinition } from './definitions.js';
import type { ServedDefinition, ServedVersion } from './served-definition.js';

/** Without `watch`: documents have no paths for it, as upstream's have none for custom resources. */
const verbs: ResourceFacts['verbs'] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update'];
const viewVerbs: SubresourceFacts['verbs'] = ['get', 'patch', 'update'];

/** What OpenAPI documents show of custom resources. */
export interface CustomOpenApiOptions {
  readonly revision: () => number;
  /** When something in a `group/version` last changed, in the same count. */
  readonly changedAt: (groupVersion: string) => number;
  readonly definitions: () => readonly ServedDefinition[];
}

export function customOpenApiSource(options: CustomOpenApiOptions): CustomOpenApiSource {
  const types = new TypeIndex(options);
  return {
    get revision() {
      return options.revision();
    },
    versions: () => groupedVersions(options),
    definitionOf(kind) {
      const name = definitionName(kind);
      return types.find(name) === undefined ? undefined : name;
    },
    customType: (definition) => types.read(definition),
  };
}

function groupedVersions({ definitions, changedAt }: CustomOpenApiOptions): OpenApiVersion[] {
  const versions = new Map<string, OpenApiVersion & { readonly resources: OpenApiResource[] }>();
  for (const definition of definitions()) {
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

/** Finds kinds by the names of their types. */
class TypeIndex {
  readonly #options: CustomOpenApiOptions;
  #revision = -1;
  #types: ReadonlyMap<string, FoundType> = new Map();

  constructor(options: CustomOpenApiOptions) {
    this.#options = options;
  }

  find(name: string): FoundType | undefined {
    const revision = this.#options.revision();
    if (this.#revision !== revision) {
      this.#types = indexTypes(this.#options.definitions());
      this.#revision = revision;
    }
    return this.#types.get(name);
  }

  read(name: string): CustomType | undefined {
    const found = this.find(name);
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
    const schema = given?.schema?.openAPIV3Schema;
    const shown =
      isObject(schema) && unsupportedKeyword(schema) === undefined && structuralProblems(schema, '').length === 0;
    return { ...type, kind, ...(shown ? { schema } : {}) };
  }
}

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
