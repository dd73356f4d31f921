import { kindSchema } from '@binnacle/api/table';
import type { ParamKind } from '@binnacle/api/types/admissionregistration-v1';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { LabelSelector } from '@binnacle/apimachinery/labels';
import { type GroupVersionKind, parseGroupVersion } from '@binnacle/apimachinery/meta';
import type { ResourceEndpoint } from '../../endpoints/index.js';
import type { ParameterSource, PolicySources } from '../../policies/index.js';
import {
  MUTATING_ADMISSION_POLICIES,
  MUTATING_ADMISSION_POLICY_BINDINGS,
  NAMESPACES,
  type Stores,
  VALIDATING_ADMISSION_POLICIES,
  VALIDATING_ADMISSION_POLICY_BINDINGS,
} from '../../registry/index.js';
import { inSlices } from '../../slices/index.js';
import type { StoredObject } from '../../storage/index.js';

/** Finds the endpoint of a kind in exactly its version, built-in or custom. */
export type FindKind = (kind: GroupVersionKind) => ResourceEndpoint | undefined;

/** The stored objects that admission policies read. */
export function policyObjects(stores: Stores, findKind: FindKind): Omit<PolicySources, 'authorize'> {
  const namespaces = stores.reader(NAMESPACES);
  const validating = stores.reader(VALIDATING_ADMISSION_POLICIES);
  const validatingBindings = stores.reader(VALIDATING_ADMISSION_POLICY_BINDINGS);
  const mutating = stores.reader(MUTATING_ADMISSION_POLICIES);
  const mutatingBindings = stores.reader(MUTATING_ADMISSION_POLICY_BINDINGS);
  const parameters = new WeakMap<ResourceEndpoint, ParameterObjects>();
  return {
    validatingPolicies: () => validating.allRecent(),
    validatingBindings: () => validatingBindings.allRecent(),
    mutatingPolicies: () => mutating.allRecent(),
    mutatingBindings: () => mutatingBindings.allRecent(),
    namespace: (name) => namespaces.find('', name),
    schemaOf: (kind) => kindSchema(kind) ?? findKind(kind)?.main.codec.schema,
    parameters(paramKind) {
      const endpoint = findKind(kindOf(paramKind));
      if (endpoint === undefined) return undefined;
      const known = parameters.get(endpoint) ?? new ParameterObjects(endpoint);
      parameters.set(endpoint, known);
      return known;
    },
  };
}

function kindOf({ apiVersion = '', kind = '' }: ParamKind): GroupVersionKind {
  return { group: '', version: '', ...parseGroupVersion(apiVersion), kind };
}

/** The objects of one resource, as documents in its version. Each is decoded once. */
class ParameterObjects implements ParameterSource {
  readonly #endpoint: ResourceEndpoint;
  readonly #documents = new WeakMap<StoredObject, JsonObject | Promise<JsonObject>>();

  constructor(endpoint: ResourceEndpoint) {
    this.#endpoint = endpoint;
  }

  get namespaced(): boolean {
    return this.#endpoint.namespaced;
  }

  async find(namespace: string, name: string): Promise<JsonObject | undefined> {
    const stored = await this.#endpoint.store.reader.find(namespace, name);
    return stored && this.#show(stored);
  }

  async list(namespace: string, selector: LabelSelector): Promise<readonly JsonObject[]> {
    const filter = (stored: StoredObject): boolean => selector.matches(stored.labels);
    const { items } = await this.#endpoint.store.reader.list({ namespace, filter });
    const documents: JsonObject[] = [];
    for (const stored of items) documents.push(await this.#show(stored));
    return documents;
  }

  #show(stored: StoredObject): JsonObject | Promise<JsonObject> {
    let document = this.#documents.get(stored);
    if (document === undefined) {
      const { main } = this.#endpoint;
      document = inSlices(main.codec.documentInSteps(main.show(stored)));
      this.#documents.set(stored, document);
    }
    return document;
  }
}
