import { kindSchema } from '@binnacle/api/table';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
} from '@binnacle/api/types/apiextensions-v1';
import { fieldLabelNotSupported } from '@binnacle/apimachinery/fields';
import { emptyFieldSet, FieldSet, fieldElement, type ReplicasPaths } from '@binnacle/apimachinery/managedfields';
import { asJson } from '@binnacle/apimachinery/meta';
import { dottedSteps, type RuleCompiler, valueAt } from '@binnacle/apimachinery/structural';
import { type AdmissionObserver, type AdmissionPlugin, pluginsFor } from '../admission/index.js';
import type { CustomCodec } from '../codec/custom/index.js';
import { BuiltInCodec, type VersionSet } from '../codec/index.js';
import { objectView, type ResourceEndpoint, scaleView, type SubresourceEndpoint } from '../endpoints/index.js';
import { ResourceReader, ResourceStore } from '../registry/index.js';
import type { WebhookClients } from '../webhooks/index.js';
import { customPrinter, scaleColumns } from './printer.js';
import { customStatusStrategy, type CustomStrategyOptions, customStrategy } from './strategy.js';
import {
  type Backing,
  type BackingOptions,
  createBackings,
  selectableNames,
  type VersionSchemas,
} from './version-backing.js';
import { compareVersions } from '../discovery/index.js';
import { type PostReview, WebhookConverter } from './webhook-converter.js';

/** Options that all custom resources share. */
export interface CustomResourceOptions extends BackingOptions {
  readonly plugins: readonly AdmissionPlugin[];
  readonly admissionObserver?: AdmissionObserver | undefined;
  readonly minimumWatchSeconds: number;
  /** Whether reads use the cache. */
  readonly watchCache: boolean;
  /** Compiles the rules of schemas; absent: rules are not evaluated. */
  readonly rules?: RuleCompiler | undefined;
  /** Calls conversion webhooks. */
  readonly webhooks: WebhookClients;
}

/** Serves the objects of one definition. A changed definition gets a new instance. */
export class CustomResource {
  /** By version: the served versions and the storage version. */
  readonly endpoints: ReadonlyMap<string, ResourceEndpoint>;
  readonly storageVersion: string;
  readonly #backings: ReadonlyMap<string, Backing>;

  /** `schemas`: those of `definition`, from {@link compileVersions}. */
  constructor(definition: CustomResourceDefinition, schemas: VersionSchemas, options: CustomResourceOptions) {
    const { group } = definition.spec;
    const versions = definition.spec.versions ?? [];
    const resource = { group, resource: definition.spec.names.plural };
    const storageVersion = versions.find(({ storage }) => storage)?.name;
    if (storageVersion === undefined) throw new Error(`${resource.resource}.${group} has no storage version`);
    this.storageVersion = storageVersion;
    this.#backings = createBackings(definition, schemas, storageVersion, converterOf(definition, options), options);
    // A webhook may still ask for a version that is no longer served.
    const equivalents = (): readonly ResourceEndpoint[] => [...all.values()];
    const all = new Map(
      versions.flatMap((version) => {
        const backing = this.#backings.get(version.name);
        return backing === undefined
          ? []
          : [[version.name, createEndpoint(version, backing, { definition, options, equivalents })] as const];
      }),
    );
    const inUse = new Set(versions.filter(({ served, storage }) => served || storage).map(({ name }) => name));
    this.endpoints = new Map([...all].filter(([name]) => inUse.has(name)));
  }

  /** Ends all watches and frees the caches. */
  stop(): void {
    for (const { cacher } of this.#backings.values()) cacher.stop();
  }
}

interface Parts {
  readonly definition: CustomResourceDefinition;
  readonly options: CustomResourceOptions;
  readonly equivalents: ResourceEndpoint['equivalents'];
}

/** Upstream's timeout of a conversion. */
const CONVERSION = { timeoutSeconds: 30 };

function converterOf(
  { metadata, spec }: CustomResourceDefinition,
  { webhooks, random, metrics }: CustomResourceOptions,
) {
  const { strategy, webhook } = spec.conversion ?? { strategy: 'None' };
  if (strategy !== 'Webhook' || webhook === undefined) return undefined;
  const { clientConfig = {} } = webhook;
  const post: PostReview = (body) => webhooks.of(clientConfig).post([body], CONVERSION);
  const observer = metrics.conversions(metadata?.name ?? '');
  return new WebhookConverter(webhook, { post, random, observer });
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

function createEndpoint(
  version: CustomResourceDefinitionVersion,
  { codec, versions, storage, cacher }: Backing,
  { definition, options, equivalents }: Parts,
): ResourceEndpoint {
  const { spec } = definition;
  const { group } = spec;
  const resource = { group, resource: spec.names.plural };
  const namespaced = spec.scope === 'Namespaced';
  const rules: CustomStrategyOptions = {
    codec,
    storage: versions.storage,
    hasStatus: version.subresources?.status !== undefined,
    scale: version.subresources?.scale,
    rules: codec.structural.hasRules ? options.rules?.compile(codec.structural, options.metrics.rules) : undefined,
  };
  const info = { resource, kind: { group, kind: spec.names.kind }, namespaced, prefix: storage.prefix };
  const reader = new ResourceReader(info, storage, cacher, {
    watchCache: options.watchCache,
    observer: options.metrics.lists(resource),
  });
  const { clock, random } = options;
  const store = new ResourceStore({ info, storage, reader, strategy: customStrategy(rules), clock, random });
  const { admissionObserver } = options;
  const versioned = { group, version: version.name, resource: resource.resource };
  return {
    resource: versioned,
    equivalents,
    namespaced,
    listKind: definition.status?.acceptedNames?.listKind || `${spec.names.kind}List`,
    store,
    versions,
    main: objectView(versions, codec, '', undefined, { resetFields: rules.hasStatus ? statusFields : emptyFieldSet }),
    subresources: subresourcesOf(rules, versions, definition),
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
    clock,
    random,
    minimumWatchSeconds: options.minimumWatchSeconds,
    eventSent: options.metrics.watchEvents(versioned),
    initialEventsSent: options.metrics.watchLists(versioned),
  };
}

const statusFields = FieldSet.of([fieldElement('status')]);
const specFields = FieldSet.of([fieldElement('metadata')], [fieldElement('spec')]);

function subresourcesOf(
  rules: CustomStrategyOptions,
  versions: VersionSet,
  definition: CustomResourceDefinition,
): Map<string, SubresourceEndpoint> {
  const subresources = new Map<string, SubresourceEndpoint>();
  const { codec, hasStatus, scale } = rules;
  if (hasStatus) {
    const strategy = customStatusStrategy(rules);
    subresources.set('status', {
      verbs: viewVerbs,
      view: objectView(versions, codec, 'status', strategy, { resetFields: specFields }),
    });
  }
  if (scale !== undefined) {
    subresources.set('scale', { verbs: viewVerbs, view: customScale(codec, scale, replicasPathsOf(definition)) });
  }
  return subresources;
}

/** In every version of the definition: entries of managed fields may name one that is not served. */
function replicasPathsOf({ spec }: CustomResourceDefinition): ReplicasPaths {
  return new Map(
    (spec.versions ?? []).map(({ name, subresources }) => {
      const path = subresources?.scale?.specReplicasPath;
      return [`${spec.group}/${name}`, path === undefined ? undefined : dottedSteps(path)];
    }),
  );
}

const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

function customScale(codec: CustomCodec, scale: CustomResourceSubresourceScale, wanted: ReplicasPaths) {
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
      wanted,
      actual: dottedSteps(scale.statusReplicasPath),
      requires: scale.specReplicasPath,
    },
    undefined,
  );
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
