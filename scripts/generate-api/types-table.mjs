// types.json and unserved-types.json: struct types, one row for each field, in the order in which Go writes the fields.
import { definitionName, isKind } from './facts.mjs';
import { GoTypes } from './go-types.mjs';

/** Types of the server's protocols that no path of the API names. */
const extraRoots = {
  'k8s.io/apimachinery/pkg/apis/meta/v1': [
    'APIGroup',
    'APIGroupList',
    'APIResourceList',
    'APIVersions',
    'CreateOptions',
    'DeleteOptions',
    'GetOptions',
    'List',
    'ListOptions',
    'PartialObjectMetadata',
    'PartialObjectMetadataList',
    'PatchOptions',
    'RootPaths',
    'Status',
    'Table',
    'TableOptions',
    'UpdateOptions',
    'WatchEvent',
  ],
  'k8s.io/apimachinery/pkg/apis/meta/v1beta1': ['PartialObjectMetadataList'],
  'k8s.io/api/apidiscovery/v2': ['APIGroupDiscoveryList'],
  'k8s.io/api/apidiscovery/v2beta1': ['APIGroupDiscoveryList'],
  'k8s.io/api/admission/v1': ['AdmissionReview'],
  'k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1': ['ConversionReview'],
  'k8s.io/api/core/v1': [
    'NodeProxyOptions',
    'PodAttachOptions',
    'PodExecOptions',
    'PodLogOptions',
    'PodPortForwardOptions',
    'PodProxyOptions',
    'PodStatusResult',
    'RangeAllocation',
    'SerializedReference',
    'ServiceProxyOptions',
  ],
};

/**
 * @typedef {Record<string, any> & { name: string, type: string }} Row
 * @typedef {{ name: string, header: Record<string, any>, rows: Row[] }} Definition
 */

/**
 * Types that the release serves, or can be configured to serve, and those of its protocols.
 * @param {import('./facts.mjs').Facts} facts @returns {Map<string, Definition>} sorted by name
 */
export function buildDefinitions(facts) {
  const go = new GoTypes(facts);
  for (const [goPackage, names] of Object.entries(extraRoots)) {
    for (const name of names) go.resolve(goPackage, name);
  }
  for (const [goPackage, types] of facts.go) {
    for (const name of Object.keys(types)) {
      if (facts.definitions[definitionName(goPackage, name)] !== undefined) go.resolve(goPackage, name);
    }
  }
  return buildReached(facts, go, new Map());
}

/**
 * Types of versions that the release can still read and never serves.
 * @param {import('./facts.mjs').Facts} facts @param {Map<string, Definition>} served @returns {Map<string, Definition>} sorted by name
 */
export function buildUnservedDefinitions(facts, served) {
  const go = new GoTypes(facts);
  for (const [goPackage, types] of facts.go) {
    if (goPackage.startsWith('k8s.io/apimachinery/')) continue;
    for (const [name, type] of Object.entries(types)) {
      if (isKind(type) && !served.has(definitionName(goPackage, name))) go.resolve(goPackage, name);
    }
  }
  return buildReached(facts, go, served);
}

/**
 * The types that `go` has resolved and those that they refer to, except those in `others`.
 * @param {import('./facts.mjs').Facts} facts @param {GoTypes} go @param {Map<string, Definition>} others
 * @returns {Map<string, Definition>} sorted by name
 */
function buildReached(facts, go, others) {
  const definitions = new Map();
  // The map grows while fields are resolved, and its iteration includes new entries.
  for (const [name, where] of go.structs) {
    if (!others.has(name)) definitions.set(name, buildDefinition(facts, go, name, where));
  }
  return new Map([...definitions].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** @param {import('./facts.mjs').Facts} facts @param {GoTypes} go @param {string} name @param {import('./go-types.mjs').GoName} where @returns {Definition} */
function buildDefinition(facts, go, name, where) {
  const published = facts.definitions[name];
  const rows = flatten(go, where, [], []).map((field) => buildRow(field, published));
  if (published !== undefined) requireSameFields(name, rows, Object.keys(published.properties ?? {}));
  requireSameNumbers(name, rows, facts.messages.get(name));
  /** @type {Record<string, any>} */
  const header = {};
  if (published === undefined) header.unpublished = true;
  const mapType = published?.['x-kubernetes-map-type'];
  if (mapType !== undefined) header.mapType = mapType;
  const unions = facts.apply[name]?.map?.unions;
  if (unions !== undefined) header.unions = unions.map(buildUnion);
  const kinds = published?.['x-kubernetes-group-version-kind'];
  if (kinds !== undefined) header.kinds = kinds.map((/** @type {any} */ k) => `${k.group}/${k.version}/${k.kind}`);
  return { name, header, rows };
}

/** @param {any} union */
function buildUnion(union) {
  return {
    ...(union.discriminator === undefined ? {} : { discriminator: union.discriminator }),
    fields: union.fields.map((/** @type {any} */ field) => field.fieldName),
    discriminatorValues: union.fields.map((/** @type {any} */ field) => field.discriminatorValue),
  };
}

/**
 * Fields in source order, those of inlined structs in the place of the struct.
 * @param {GoTypes} go @param {import('./go-types.mjs').GoName} where @param {number[]} within @param {string[]} embedded
 * @returns {{ field: import('./facts.mjs').GoField, type: string, number: number | undefined, within: number[], embedded: string[] }[]}
 */
function flatten(go, where, within, embedded) {
  const { goPackage, fields } = go.fieldsOf(where);
  return fields.flatMap((field) => {
    if (!field.inline) {
      return [{ field, type: go.resolve(goPackage, field.type), number: field.proto?.[0], within, embedded }];
    }
    // The reader of the Go source took the text of a comment for a field.
    if (!/^[A-Z]\w*$/.test(field.go)) return [];
    const number = field.proto?.[0];
    const struct = go.find(goPackage, field.type);
    // TypeMeta has no number: it is not part of the message, and errors do not name it.
    if (number === undefined) return flatten(go, struct, [], embedded).map((each) => ({ ...each, number: undefined }));
    return flatten(go, struct, [...within, number], [...embedded, field.go]);
  });
}

/** @param {ReturnType<typeof flatten>[number]} flattened @param {any} published @returns {Row} */
function buildRow({ field, type, number, within, embedded }, published) {
  const name = field.json ?? field.go;
  const markers = field.markers ?? [];
  const property = published?.properties?.[name];
  /** @type {Row} */
  const row = { name, type };
  const optional = field.omitempty === true || field.omitzero === true || markers.includes('+optional');
  if (published === undefined ? !optional : (published.required ?? []).includes(name)) row.required = true;
  if (field.type.startsWith('*')) row.pointer = true;
  if (field.omitempty) row.omitEmpty = true;
  if (field.omitzero) row.omitZero = true;
  const marked = markers.find((marker) => marker.startsWith('+default='));
  if (property?.default !== undefined) row.default = property.default;
  else if (published === undefined && marked !== undefined) row.default = JSON.parse(marked.slice('+default='.length));
  const values = property?.enum ?? property?.items?.enum;
  if (values !== undefined) row.enum = values;
  const listType = property?.['x-kubernetes-list-type'] ?? markerValue(markers, '+listType=');
  if (listType !== undefined) row.listType = listType;
  const keys = property?.['x-kubernetes-list-map-keys'];
  if (keys !== undefined) row.listMapKeys = keys;
  const mapType = property?.['x-kubernetes-map-type'];
  if (mapType !== undefined) row.mapType = mapType;
  if (field.patchStrategy !== undefined) row.patchStrategy = field.patchStrategy.split(',');
  if (field.patchMergeKey !== undefined) row.patchMergeKey = field.patchMergeKey;
  if (number !== undefined) row.protobuf = number;
  if (number !== undefined && within.length > 0) row.protobufWithin = within;
  if (embedded.length > 0) row.goEmbedded = embedded.join('.');
  return row;
}

/** @param {string[]} markers @param {string} prefix */
function markerValue(markers, prefix) {
  return markers.find((marker) => marker.startsWith(prefix))?.slice(prefix.length);
}

/** @param {string} definition @param {Row[]} rows @param {string[]} published */
function requireSameFields(definition, rows, published) {
  const ours = rows.map((row) => row.name).sort();
  const theirs = [...published].sort();
  if (ours.join() !== theirs.join())
    throw new Error(`${definition}: Go has ${ours.join()}, OpenAPI has ${theirs.join()}`);
}

/** @param {string} definition @param {Row[]} rows @param {any} message */
function requireSameNumbers(definition, rows, message) {
  if (message === undefined) return;
  const numbers = (/** @type {number[]} */ list) => [...new Set(list)].sort((a, b) => a - b).join();
  const ours = numbers(rows.flatMap((row) => row.protobufWithin?.[0] ?? row.protobuf ?? []));
  const theirs = numbers(message.fields.map((/** @type {any} */ field) => field.n));
  if (ours !== theirs) throw new Error(`${definition}: Go numbers ${ours}, protobuf numbers ${theirs}`);
}

/** @param {string} version @param {Map<string, Definition>} definitions */
export function printDefinitions(version, definitions) {
  const blocks = [...definitions.values()].map(({ name, header, rows }) => {
    const start = JSON.stringify({ ...header, fields: [] }).slice(0, -2);
    const lines = rows.map((row) => JSON.stringify(row)).join(',\n');
    return `${JSON.stringify(name)}:${start}${rows.length === 0 ? '' : `\n${lines}\n`}]}`;
  });
  return `{"kubernetes":${JSON.stringify(version)},"definitions":{\n${blocks.join(',\n')}\n}}\n`;
}
