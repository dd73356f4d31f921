import { listedMediaTypes, type Serializer, SERIALIZERS } from '@binnacle/apimachinery/serializer';
import { capitalize, groupTag, meta, type Operation, type PathOperations } from './operations.js';
import { resourcePaths } from './resource-paths.js';
import type { OpenApiSource, OpenApiVersion } from './source.js';

/** One document of v3. */
export interface DocumentFacts {
  paths(): readonly PathOperations[];
  /** The document is unchanged as long as this is. */
  readonly revision: number;
  readonly custom: boolean;
}

/** The v3 documents by name (`api/v1`, `apis/apps`, `version`), each with a function that makes its paths. */
export function documentsOf(source: OpenApiSource): ReadonlyMap<string, DocumentFacts> {
  const documents = new Map<string, DocumentFacts>();
  const add = (name: string, paths: () => readonly PathOperations[], version?: OpenApiVersion): void => {
    documents.set(name, { paths, revision: version?.revision ?? 0, custom: version?.custom === true });
  };
  add('.well-known/openid-configuration', () => [openIdConfiguration]);
  add('openid/v1/jwks', () => [openIdKeys]);
  add('version', () => [codeVersion]);
  add('apis', () => [document('/apis/', 'getAPIVersions', 'apis', 'APIGroupList', 'Lists the API groups.')]);
  for (const version of source.versions()) {
    const { group } = version;
    if (version.custom === true) {
      const { resources } = version;
      const paths = () => resources.flatMap((resource) => resourcePaths(resource, source));
      add(`apis/${group}/${version.version}`, paths, version);
      continue;
    }
    const tag = groupTag(group);
    if (group === '') {
      add('api', () => [
        document('/api/', 'getCoreAPIVersions', tag, 'APIVersions', 'Lists the versions of the core API.'),
      ]);
    } else {
      add(`apis/${group}`, () => [
        document(`/apis/${group}/`, `get${capitalize(tag)}APIGroup`, tag, 'APIGroup', 'Describes the API group.'),
      ]);
    }
    const root = group === '' ? `api/${version.version}` : `apis/${group}/${version.version}`;
    add(root, () => versionPaths(root, version, source), version);
  }
  return new Map([...documents].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function versionPaths(root: string, version: OpenApiVersion, source: OpenApiSource): PathOperations[] {
  const tag = groupTag(version.group);
  const id = `get${capitalize(tag)}${capitalize(version.version)}APIResources`;
  return [
    document(
      `/${root}/`,
      id,
      `${tag}_${version.version}`,
      'APIResourceList',
      'Lists the resources of the version.',
      source.serializers,
    ),
    ...version.resources.flatMap((resource) => resourcePaths(resource, source)),
  ];
}

function document(
  path: string,
  id: string,
  tag: string,
  kind: string,
  description: string,
  serializers: readonly Serializer[] = SERIALIZERS,
): PathOperations {
  const mediaTypes = listedMediaTypes(serializers);
  const operation: Operation = {
    method: 'get',
    id,
    tag,
    description,
    parameters: [],
    consumes: mediaTypes,
    produces: mediaTypes,
    responses: [200],
    answer: { definition: `${meta}.${kind}` },
  };
  return { path, operations: [operation] };
}

const codeVersion: PathOperations = {
  path: '/version/',
  operations: [
    {
      method: 'get',
      id: 'getCodeVersion',
      tag: 'version',
      description: 'Tells the version of the server.',
      parameters: [],
      consumes: ['application/json'],
      produces: ['application/json'],
      responses: [200],
      answer: { definition: 'io.k8s.apimachinery.pkg.version.Info' },
    },
  ],
};

const openIdConfiguration: PathOperations = {
  path: '/.well-known/openid-configuration/',
  operations: [
    {
      method: 'get',
      id: 'getServiceAccountIssuerOpenIDConfiguration',
      tag: 'WellKnown',
      description: 'Describes the issuer of service account tokens.',
      parameters: [],
      produces: ['application/json'],
      responses: [200],
      answer: 'text',
    },
  ],
};

const openIdKeys: PathOperations = {
  path: '/openid/v1/jwks/',
  operations: [
    {
      method: 'get',
      id: 'getServiceAccountIssuerOpenIDKeyset',
      tag: 'openid',
      description: 'Lists the keys that service account tokens are signed with.',
      parameters: [],
      produces: ['application/jwk-set+json'],
      responses: [200],
      answer: 'text',
    },
  ],
};
