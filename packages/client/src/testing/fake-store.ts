import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { alreadyExists, conflict, methodNotAllowed, notFound, StatusError } from '@binnacle/apimachinery/status';
import type { TransportRequest } from '../transport/index.js';
import type { ScriptedAnswer } from './scripted-transport.js';

const PATH = /^\/(?:api|apis\/(?<group>[^/]+))\/[^/]+(?:\/namespaces\/[^/]+)?\/(?<plural>[^/]+)(?:\/(?<name>[^/]+))?$/;

/**
 * A fake store of objects by path, for a {@link ScriptedTransport}. It supports get, create, update, delete and merge patches one field deep, with
 * resourceVersions and conflicts. For lists and watches use `FakeCollection`.
 */
export class FakeStore {
  readonly #objects = new Map<string, KubernetesObject>();
  #version = 0;

  /** By path. */
  get(path: string): KubernetesObject | undefined {
    return this.#objects.get(path);
  }

  get all(): KubernetesObject[] {
    return [...this.#objects.values()];
  }

  /** Writes the object without a check, as another client would. */
  delete(path: string): boolean {
    return this.#objects.delete(path);
  }

  answer(request: TransportRequest): ScriptedAnswer {
    try {
      return { object: this.#act(request) };
    } catch (error) {
      if (error instanceof StatusError) return { status: error.status.code ?? 500, object: error.status };
      throw error;
    }
  }

  #act({ method, path: pathAndQuery, body }: TransportRequest): unknown {
    const path = pathAndQuery.replace(/\?.*/s, '');
    const { group = '', plural = '', name = '' } = PATH.exec(path)?.groups ?? {};
    const resource = { group, resource: plural };
    const before = this.#objects.get(path);
    const given = body === undefined ? undefined : (JSON.parse(body.toString()) as KubernetesObject);
    if (method === 'POST' && given !== undefined) {
      const created = `${path}/${given.metadata.name ?? ''}`;
      if (this.#objects.has(created)) throw alreadyExists(resource, given.metadata.name ?? '');
      return this.#store(created, given);
    }
    if (before === undefined) throw notFound(resource, name);
    if (method === 'GET') return before;
    if (method === 'PATCH') return this.#store(path, { ...before, ...given });
    if (method === 'PUT' && given !== undefined) {
      const version = given.metadata.resourceVersion ?? before.metadata.resourceVersion;
      if (version !== before.metadata.resourceVersion) throw conflict(resource, name, 'it has been modified');
      return this.#store(path, given);
    }
    if (method !== 'DELETE') throw methodNotAllowed();
    this.#objects.delete(path);
    return before;
  }

  #store(path: string, object: KubernetesObject): KubernetesObject {
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.#version) } };
    this.#objects.set(path, stored);
    return stored;
  }
}
