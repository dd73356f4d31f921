import {
  type AdmissionAuthorizer,
  AdmissionInput,
  AuthorizationChecks,
} from '@binnacle/apimachinery/admission-expressions';
import { isObject, type JsonObject } from '@binnacle/apimachinery/json';
import { asJson, type GroupVersionKind, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { notFound, StatusError } from '@binnacle/apimachinery/status';
import type { Awaitable } from '@binnacle/apimachinery/work';
import {
  type AdmissionAttributes,
  type AuthorizeExpression,
  requestDocument,
  RequestObjects,
  type VersionedResource,
} from '../admission/index.js';
import { ConfigurationError } from './parameters.js';

export interface RequestDocumentsOptions {
  readonly authorize: AuthorizeExpression;
  readonly namespace: (name: string) => Awaitable<Readonly<KubernetesObject> | undefined>;
}

/** An object cannot be shown in the version that a policy asks for. */
export class ConversionError extends ConfigurationError {
  readonly reason: string;

  constructor(reason: string) {
    super(`failed to convert object version: ${reason}`);
    this.reason = reason;
  }
}

/** The documents of one request for expressions, in each version that policies ask for. Policies share them. */
export class RequestDocuments {
  readonly #attributes: AdmissionAttributes;
  readonly #options: RequestDocumentsOptions;
  readonly #authorizer: AdmissionAuthorizer;
  readonly #inputs = new Map<string, AdmissionInput>();
  readonly #objects: RequestObjects;
  readonly #namespaces = new Map<string, Awaitable<Readonly<KubernetesObject> | undefined>>();

  constructor(attributes: AdmissionAttributes, options: RequestDocumentsOptions) {
    const { resource, subresource, namespace, name, user } = attributes;
    this.#attributes = attributes;
    this.#options = options;
    this.#objects = new RequestObjects(attributes);
    this.#authorizer = {
      checks: new AuthorizationChecks((check) => options.authorize(user, check)),
      resource: { group: resource.group, resource: resource.resource, subresource, namespace, name },
    };
  }

  /** Call it when the object of the request has changed. */
  changed(): void {
    this.#inputs.clear();
    this.#objects.changed();
  }

  /** Throws StatusError 404 if the namespace of the request does not exist. */
  input(seen: VersionedResource): AdmissionInput | Promise<AdmissionInput> {
    return this.#inputs.get(keyOf(seen, true)) ?? this.#input(seen, true);
  }

  /** Match conditions see the resource of the request, and no namespace. */
  conditionsInput({ kind }: VersionedResource): AdmissionInput | Promise<AdmissionInput> {
    const seen = { kind, resource: this.#attributes.resource };
    return this.#inputs.get(keyOf(seen, false)) ?? this.#input(seen, false);
  }

  /** The object in a version; undefined if the request has none. It must not change. */
  async object(kind: GroupVersionKind): Promise<JsonObject | undefined> {
    return convertible(() => this.#objects.document(kind));
  }

  async #input(seen: VersionedResource, showsNamespace: boolean): Promise<AdmissionInput> {
    const namespaceObject = showsNamespace ? await this.#namespaceObject() : undefined;
    const objects = await convertible(() => this.#objects.documents(seen.kind));
    const request = (): JsonObject => requestDocument(this.#attributes, seen);
    const input = new AdmissionInput({ ...objects, request, namespaceObject, authorizer: this.#authorizer });
    this.#inputs.set(keyOf(seen, showsNamespace), input);
    return input;
  }

  async namespaceLabels(name: string): Promise<Readonly<Record<string, string>> | undefined> {
    const namespace = await this.#namespace(name);
    return namespace && (namespace.metadata.labels ?? {});
  }

  async #namespaceObject(): Promise<JsonObject | undefined> {
    const { namespace: name, kind } = this.#attributes;
    // A Namespace is its own namespace, which expressions do not see.
    if (name === '' || (kind.kind === 'Namespace' && kind.group === '')) return undefined;
    const found = await this.#namespace(name);
    if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, name);
    return visibleNamespace(found);
  }

  /** All policies of a request see the same state of a namespace. */
  #namespace(name: string): Awaitable<Readonly<KubernetesObject> | undefined> {
    if (!this.#namespaces.has(name)) this.#namespaces.set(name, this.#options.namespace(name));
    return this.#namespaces.get(name);
  }
}

async function convertible<T>(show: () => T | Promise<T>): Promise<T> {
  try {
    return await show();
  } catch (error) {
    throw error instanceof StatusError ? new ConversionError(error.message) : error;
  }
}

function keyOf({ resource, kind }: VersionedResource, showsNamespace: boolean): string {
  const { group, version, resource: name } = resource;
  return [group, version, name, kind.group, kind.version, kind.kind, showsNamespace].join('/');
}

/** Upstream: apiserver `plugin/cel/condition.go` CreateNamespaceObject. */
function visibleNamespace(namespace: Readonly<KubernetesObject>): JsonObject {
  const { metadata, spec, status } = asJson(namespace);
  const { managedFields: _, ownerReferences: __, ...visible } = isObject(metadata) ? metadata : {};
  return { metadata: visible, spec: spec ?? {}, status: status ?? {} };
}
