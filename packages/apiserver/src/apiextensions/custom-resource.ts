import { kindSchema } from '@binnacle/api/table';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
} from '@binnacle/api/types/apiextensions-v1';
import { fieldLabelNotSupported } from '@binnacle/apimachinery/fields';
import { isObject, type JsonObject } from '@binnacle/apimachinery/json';
import { findFirst, parseJsonPath } from '@binnacle/apimachinery/jsonpath';
import { emptyFieldSet, FieldSet, fieldElement } from '@binnacle/apimachinery/managedfields';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { formatGoValue } from '@binnacle/apimachinery/patch';
import { compileSchema, dottedSteps, type RuleCompiler, valueAt } from '@binnacle/apimachinery/structural';
import type { KV } from '@binnacle/kv/interface';
import { type AdmissionObserver, type AdmissionPlugin, pluginsFor } from '../admission/index.js';
import { Cacher } from '../cacher/index.js';
import { BuiltInCodec, CustomCodec, CustomVersions } from '../codec/index.js';
import { objectView, type ResourceEndpoint, scaleView, type SubresourceEndpoint } from '../endpoints/index.js';
import type { ResourceMetrics } from '../metrics/index.js';
import { ResourceReader, ResourceStore } from '../registry/index.js';
import { ObjectStorage } from '../storage/index.js';
import { definitionName } from './definition-names.js';
import { customPrinter, scaleColumns } from './printer.js';
import { customStatusStrategy, type CustomStrategyOptions, customStrategy } from './strategy.js';
import { compareVersions } from './version-order.js';

/** What all custom resources share. */
export interface CustomResourceOptions {
  readonly kv: KV;
  /** What every key begins with: `/registry/`. */
  readonly storagePrefix: string;
  readonly now: () => number;
  readonly plugins: readonly AdmissionPlugin[];
  readonly admissionObserver?: AdmissionObserver | undefined;
  readonly minimumWatchSeconds: number;
  /** Whether clients are answered out of the cache. */
  readonly watchCache: boolean;
  readonly metrics: ResourceMetrics;
  /** Compiles the rules of schemas; without it they are not asked. */
  readonly rules?: RuleCompiler | undefined;
}

/** The objects of one definition as it stands, ready to be served: another definition, another of these. */
export class CustomResource {
  /** By version: the served ones, and the one that is stored. */
  readonly endpoints: ReadonlyMap<string, ResourceEndpoint>;
  readonly storageVersion: string;
  readonly #cacher: Cacher;

  constructor(definition: CustomResourceDefinition, options: CustomResourceOptions) {
    const { group } = definition.spec;
    const resource = { group, resource: definition.spec.names.plural };
    const versions = definition.spec.versions ?? [];
    const codecs = new Map(versions.map((version) => [version.name, createCodec(definition, version)]));
    const storageVersion = versions.find(({ storage }) => storage)?.name ?? '';
    const storageCodec = codecs.get(storageVersion);
    if (storageCodec === undefined) throw new Error(`${resource.resource}.${group} has no storage version`);
    this.storageVersion = storageVersion;
    const versionSet = new CustomVersions({
      storage: storageCodec,
      versions: new Map([...codecs.values()].map((codec) => [codec.apiVersion, codec])),
      selectableFields: selectableFields(versions),
    });
    const { kv, storagePrefix, metrics, now } = options;
    const storage = new ObjectStorage({
      kv,
      codec: versionSet,
      prefix: `${storagePrefix}${group}/${resource.resource}/`,
      observer: metrics.storage(resource),
    });
    this.#cacher = new Cacher({ storage, now, waited: metrics.readWaits(resource) });
    const parts: Parts = { definition, versions: versionSet, storageCodec, storage, cacher: this.#cacher, options };
    this.endpoints = new Map(
      versions.flatMap((version) => {
        const codec = codecs.get(version.name);
        if (codec === undefined || (!version.served && !version.storage)) return [];
        return [[version.name, createEndpoint(version, codec, parts)]];
      }),
    );
  }

  /** Ends all watches and frees the cache. */
  stop(): void {
    this.#cacher.stop();
  }
}

interface Parts {
  readonly definition: CustomResourceDefinition;
  readonly versions: CustomVersions;
  readonly storageCodec: CustomCodec;
  readonly storage: ObjectStorage;
  readonly cacher: Cacher;
  readonly options: CustomResourceOptions;
}

const anything: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function createCodec({ spec }: CustomResourceDefinition, version: CustomResourceDefinitionVersion): CustomCodec {
  const kind = { group: spec.group, version: version.name, kind: spec.names.kind };
  const schema = version.schema?.openAPIV3Schema;
  return new CustomCodec({
    groupVersionKind: kind,
    schema: compileSchema(isObject(schema) ? schema : anything),
    definition: definitionName(kind),
    preserveUnknownFields: spec.preserveUnknownFields === true,
  });
}

const verbs: ReadonlySet<string> = new Set([
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
]);
const viewVerbs: ReadonlySet<string> = new Set(['get', 'patch', 'update']);

function createEndpoint(version: CustomResourceDefinitionVersion, codec: CustomCodec, parts: Parts): ResourceEndpoint {
  const { definition, versions, storage, cacher, options, storageCodec } = parts;
  const { spec } = definition;
  const { group } = spec;
  const resource = { group, resource: spec.names.plural };
  const namespaced = spec.scope === 'Namespaced';
  const rules: CustomStrategyOptions = {
    codec,
    storage: storageCodec,
    hasStatus: version.subresources?.status !== undefined,
    scale: version.subresources?.scale,
    rules: codec.structural.hasRules ? options.rules?.compile(codec.structural) : undefined,
  };
  const info = { resource, kind: { group, kind: spec.names.kind }, namespaced, prefix: storage.prefix };
  const reader = new ResourceReader(info, storage, cacher, {
    watchCache: options.watchCache,
    observer: options.metrics.lists(resource),
  });
  const store = new ResourceStore({ info, storage, reader, strategy: customStrategy(rules), now: options.now });
  const { admissionObserver } = options;
  const versioned = { group, version: version.name, resource: resource.resource };
  return {
    resource: versioned,
    namespaced,
    listKind: definition.status?.acceptedNames?.listKind || `${spec.names.kind}List`,
    store,
    versions,
    main: objectView(versions, codec, '', undefined, { resetFields: rules.hasStatus ? statusFields : emptyFieldSet }),
    subresources: subresourcesOf(rules, versions),
    verbs,
    fieldLabels: {
      supported: ['metadata.name', ...(namespaced ? ['metadata.namespace'] : []), ...selectableNames(version)],
      unsupported: fieldLabelNotSupported,
    },
    printer: ({ kind }) =>
      Promise.resolve(customPrinter(kind === 'Scale' ? scaleColumns : version.additionalPrinterColumns)),
    plugins: pluginsFor(options.plugins, resource),
    ...(admissionObserver === undefined ? {} : { admissionObserver }),
    deprecationWarning: deprecationWarning(definition, version),
    now: options.now,
    minimumWatchSeconds: options.minimumWatchSeconds,
    eventSent: options.metrics.watchEvents(versioned),
  };
}

const statusFields = FieldSet.of([fieldElement('status')]);
const specFields = FieldSet.of([fieldElement('metadata')], [fieldElement('spec')]);

function subresourcesOf(rules: CustomStrategyOptions, versions: CustomVersions): Map<string, SubresourceEndpoint> {
  const subresources = new Map<string, SubresourceEndpoint>();
  const { codec, hasStatus, scale } = rules;
  if (hasStatus) {
    const strategy = customStatusStrategy(rules);
    subresources.set('status', {
      verbs: viewVerbs,
      view: objectView(versions, codec, 'status', strategy, { resetFields: specFields }),
    });
  }
  if (scale !== undefined) subresources.set('scale', { verbs: viewVerbs, view: customScale(codec, scale, versions) });
  return subresources;
}

const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

function customScale(codec: CustomCodec, scale: CustomResourceSubresourceScale, versions: CustomVersions) {
  const schema = kindSchema(scaleKind);
  if (schema === undefined) throw new Error('the table has no Scale');
  const selector = scale.labelSelectorPath === undefined ? undefined : dottedSteps(scale.labelSelectorPath);
  return scaleView(
    new BuiltInCodec(scaleKind, schema),
    {
      selector: (object) => {
        const text = selector === undefined ? undefined : valueAt(asJson(object), selector);
        return typeof text === 'string' ? text : '';
      },
      apiVersion: codec.apiVersion,
      apiVersions: versions.apiVersions,
      replicas: { wanted: dottedSteps(scale.specReplicasPath), actual: dottedSteps(scale.statusReplicasPath) },
      requires: scale.specReplicasPath,
    },
    undefined,
  );
}

function selectableNames({ selectableFields: fields }: CustomResourceDefinitionVersion): string[] {
  return (fields ?? []).map(({ jsonPath }) => jsonPath.replace(/^\./, ''));
}

/** What selectors see: the selectable fields of all versions, for they share one cache. */
function selectableFields(versions: readonly CustomResourceDefinitionVersion[]) {
  const paths = new Map(versions.flatMap(selectableNames).map((name) => [name, parseJsonPath(`.${name}`)]));
  return (object: Readonly<KubernetesObject>): Record<string, string> => {
    const fields: Record<string, string> = {
      'metadata.name': object.metadata.name ?? '',
      'metadata.namespace': object.metadata.namespace ?? '',
    };
    for (const [name, path] of paths) {
      const value = findFirst(asJson(object), path);
      fields[name] = value === undefined || value === null ? '' : formatGoValue(value);
    }
    return fields;
  };
}

/** Upstream: `defaultDeprecationWarning`. */
function deprecationWarning(
  { spec }: CustomResourceDefinition,
  { name, deprecated, deprecationWarning: own }: CustomResourceDefinitionVersion,
): string | undefined {
  if (deprecated !== true) return undefined;
  if (own !== undefined) return own;
  const [newest] = (spec.versions ?? [])
    .filter((version) => version.served && version.deprecated !== true && compareVersions(version.name, name) < 0)
    .map((version) => version.name)
    .sort(compareVersions);
  const { kind } = spec.names;
  const message = `${spec.group}/${name} ${kind} is deprecated`;
  return newest === undefined ? message : `${message}; use ${spec.group}/${newest} ${kind}`;
}
