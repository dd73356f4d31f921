import { openApiType } from '@binnacle/apimachinery/admission-expressions';
import type { Type } from '@binnacle/apimachinery/admission-expressions';
import { getOwn, isObject, type JsonObject } from '@binnacle/apimachinery/json';
import type { GroupVersionKind } from '@binnacle/apimachinery/meta';
import { exchange, isNotFound } from '@binnacle/client/rest';
import type { Transport } from '@binnacle/client/transport';

const REFERENCE = '#/components/schemas/';
const INDEX = '/openapi/v3';

/** The types of served kinds, from the server's OpenAPI documents. Reads each document once. */
export class ServedTypes {
  readonly #transport: Transport;
  readonly #signal: AbortSignal;
  readonly #schemas = new Map<string, Promise<JsonObject>>();
  #paths: Promise<JsonObject> | undefined;

  constructor(transport: Transport, signal: AbortSignal) {
    this.#transport = transport;
    this.#signal = signal;
  }

  /** Undefined if the server publishes no schema for the kind. */
  async typeOf(kind: GroupVersionKind): Promise<Type | undefined> {
    const path = kind.group === '' ? `api/${kind.version}` : `apis/${kind.group}/${kind.version}`;
    let loading = this.#schemas.get(path);
    if (loading === undefined) {
      loading = this.#load(path);
      this.#schemas.set(path, loading);
    }
    const schemas = await loading;
    const schema = Object.values(schemas).find((each) => isObject(each) && describes(each, kind));
    if (!isObject(schema)) return undefined;
    return openApiType(schema, kind.kind, (reference) => {
      const found = reference.startsWith(REFERENCE) ? getOwn(schemas, reference.slice(REFERENCE.length)) : undefined;
      return isObject(found) ? found : undefined;
    });
  }

  async #load(path: string): Promise<JsonObject> {
    this.#paths ??= this.#get(INDEX).then(({ paths }) => (isObject(paths) ? paths : {}));
    const entry = getOwn(await this.#paths, path);
    const url = isObject(entry) ? entry['serverRelativeURL'] : undefined;
    if (typeof url !== 'string') return {};
    const { components } = await this.#get(url);
    return isObject(components) && isObject(components['schemas']) ? components['schemas'] : {};
  }

  async #get(path: string): Promise<JsonObject> {
    try {
      const request = { method: 'GET', path, headers: { accept: 'application/json' } } as const;
      return await exchange(this.#transport, request, { signal: this.#signal });
    } catch (error) {
      if (isNotFound(error)) return {};
      throw error;
    }
  }
}

function describes(schema: JsonObject, { group, version, kind }: GroupVersionKind): boolean {
  const kinds = schema['x-kubernetes-group-version-kind'];
  return (
    Array.isArray(kinds) &&
    kinds.some((each) => isObject(each) && each.group === group && each.version === version && each.kind === kind)
  );
}
