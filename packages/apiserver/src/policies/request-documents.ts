import {
  type AdmissionAuthorizer,
  AdmissionInput,
  AuthorizationChecks,
} from '@binnacle/apimachinery/admission-expressions';
import { isObject, type JsonObject, parseJsonInSteps } from '@binnacle/apimachinery/json';
import { asJson, type GroupVersionKind, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { notFound, StatusError } from '@binnacle/apimachinery/status';
import {
  type AdmissionAttributes,
  type AuthorizeExpression,
  requestDocument,
  type VersionedResource,
} from '../admission/index.js';
import { inSlices } from '../slices/index.js';
import { ConfigurationError } from './parameters.js';

export interface RequestDocumentsOptions {
  readonly authorize: AuthorizeExpression;
  readonly namespace: (name: string) => Promise<Readonly<KubernetesObject> | undefined>;
}

/** An object cannot be shown in the version that a policy asks for. */
export class ConversionError extends ConfigurationError {
  readonly reason: string;

  constructor(reason: string) {
    super(`failed to convert object version: ${reason}`);
    this.reason = reason;
  }
}

/** The objects of a request as JSON. */
interface Objects {
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

/** The documents of one request for expressions, in each version that policies ask for. Policies share them. */
export class RequestDocuments {
  readonly #attributes: AdmissionAttributes;
  readonly #options: RequestDocumentsOptions;
  readonly #authorizer: AdmissionAuthorizer;
  readonly #inputs = new Map<string, AdmissionInput>();
  readonly #objects = new Map<string, Objects>();
  readonly #namespaces = new Map<string, Promise<Readonly<KubernetesObject> | undefined>>();

  constructor(attributes: AdmissionAttributes, options: RequestDocumentsOptions) {
    const { resource, subresource, namespace, name, user } = attributes;
    this.#attributes = attributes;
    this.#options = options;
    this.#authorizer = {
      checks: new AuthorizationChecks((check) => options.authorize(user, check)),
      resource: { group: resource.group, resource: resource.resource, subresource, namespace, name },
    };
  }

  /** Call it when the object of the request has changed. */
  changed(): void {
    this.#inputs.clear();
    this.#objects.clear();
  }

  /** Throws StatusError 404 if the namespace of the request does not exist. */
  async input(seen: VersionedResource): Promise<AdmissionInput> {
    return this.#inputs.get(keyOf(seen, true)) ?? this.#input(seen, true);
  }

  /** Match conditions see the resource of the request, and no namespace. */
  async conditionsInput({ kind }: VersionedResource): Promise<AdmissionInput> {
    const seen = { kind, resource: this.#attributes.resource };
    return this.#inputs.get(keyOf(seen, false)) ?? this.#input(seen, false);
  }

  /** The object in a version; undefined if the request has none. It must not change. */
  async object(kind: GroupVersionKind): Promise<JsonObject | undefined> {
    return (await this.#objectsIn(kind)).object;
  }

  async #input(seen: VersionedResource, showsNamespace: boolean): Promise<AdmissionInput> {
    const namespaceObject = showsNamespace ? await this.#namespaceObject() : undefined;
    const objects = await this.#objectsIn(seen.kind);
    const request = (): JsonObject => requestDocument(this.#attributes, seen);
    const input = new AdmissionInput({ ...objects, request, namespaceObject, authorizer: this.#authorizer });
    this.#inputs.set(keyOf(seen, showsNamespace), input);
    return input;
  }

  async #objectsIn(kind: GroupVersionKind): Promise<Objects> {
    const key = `${kind.group}/${kind.version}/${kind.kind}`;
    let objects = this.#objects.get(key);
    if (objects === undefined) {
      const { object, oldObject } = this.#attributes;
      objects = { object: await this.#show(object, kind), oldObject: await this.#show(oldObject, kind) };
      this.#objects.set(key, objects);
    }
    return objects;
  }

  async #show(object: Readonly<KubernetesObject> | undefined, kind: GroupVersionKind): Promise<JsonObject | undefined> {
    if (object === undefined) return undefined;
    const bytes = await this.#encode(object, kind);
    const { value } = await inSlices(parseJsonInSteps(bytes));
    return isObject(value) ? value : {};
  }

  async #encode(object: Readonly<KubernetesObject>, kind: GroupVersionKind): Promise<Uint8Array> {
    try {
      return await this.#attributes.versions.encode(object, kind);
    } catch (error) {
      throw error instanceof StatusError ? new ConversionError(error.message) : error;
    }
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
  #namespace(name: string): Promise<Readonly<KubernetesObject> | undefined> {
    let found = this.#namespaces.get(name);
    if (found === undefined) {
      found = this.#options.namespace(name);
      this.#namespaces.set(name, found);
    }
    return found;
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
