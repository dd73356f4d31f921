import { isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { StatusError } from '@binnacle/apimachinery/status';
import type { ApiResource } from '@binnacle/client/discovery';
import { exchange, pathOf } from '@binnacle/client/rest';
import type { Transport } from '@binnacle/client/transport';
import { explainAbsence, objectOf, objectsOf, textOf } from './answers.js';
import { ForksClient } from './forks-client.js';
import { type Point, pointText } from './requests/point.js';

const HISTORY = '/binnacle/v1/history';
const PAGE = 500;
/** Objects of a page of a list. */
const LIST_PAGE = '500';

/** A collection, or one of its objects. */
export interface Target {
  readonly resource: ApiResource;
  /** Undefined: all namespaces, or none. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** Who made a write, as far as the server knows. */
export interface Writer {
  readonly user: string;
  readonly manager: string;
  readonly userAgent: string;
  readonly verb: string;
  readonly subresource: string;
  readonly auditID: string;
}

export interface PastEvent {
  readonly type: string;
  readonly resourceVersion: string;
  readonly time: string | undefined;
  /** Undefined: the server itself, or unknown. */
  readonly writer: Writer | undefined;
  readonly object: JsonObject | undefined;
  readonly previous: JsonObject | undefined;
  /** What the server no longer has; present only if it is not empty. */
  readonly forgotten?: ForgottenValues;
}

/** Whether the server has forgotten the object of an event, or its previous state. */
export interface ForgottenValues {
  readonly object: boolean;
  readonly previous: boolean;
  /** The object that the event is about. */
  readonly reference: ObjectReference;
}

export interface ObjectReference {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export interface EventOptions {
  readonly since?: Point | undefined;
  readonly until?: Point | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the history that a server keeps. Rejects with the server's StatusErrors. */
export class HistoryClient {
  readonly #transport: Transport;
  readonly #now: () => number;

  /** `now`: milliseconds since the epoch. */
  constructor(transport: Transport, now: () => number) {
    this.#transport = transport;
    this.#now = now;
  }

  /** Events, newest first. Requests a page when the caller needs it. */
  async *events(
    target: Target,
    { since, until, signal }: EventOptions = {},
  ): AsyncGenerator<PastEvent, void, undefined> {
    const now = this.#now();
    const boundOf = async (point: Point | undefined) => point && (await this.#bound(point, now, signal));
    const bounds = { since: await boundOf(since), until: await boundOf(until) };
    for (let token = ''; ; ) {
      const page = await this.#page(target, { ...bounds, continue: token }, PAGE, signal);
      yield* page.items;
      if (page.next === '') return;
      token = page.next;
    }
  }

  /** The newest resourceVersion at a point. */
  async revisionAt(target: Target, point: Point, signal?: AbortSignal): Promise<string> {
    const until = await this.#bound(point, this.#now(), signal);
    if (point.type === 'revision' || point.type === 'snapshot') return until;
    return (await this.#page(target, { until }, 1, signal)).resourceVersion;
  }

  /** The newest resourceVersion of the server. */
  async newest(target: Target, signal?: AbortSignal): Promise<string> {
    return (await this.#page(target, {}, 1, signal)).resourceVersion;
  }

  /** The objects at a resourceVersion, in the order of their keys. Needs no server of ours. */
  async *objectsAt(
    target: Target,
    resourceVersion: string,
    signal?: AbortSignal,
  ): AsyncGenerator<JsonObject, void, undefined> {
    const { resource, namespace, name } = target;
    const exact = { resourceVersion, resourceVersionMatch: 'Exact', limit: LIST_PAGE };
    const selected = name === undefined ? {} : { fieldSelector: `metadata.name=${name}` };
    let query = new URLSearchParams({ ...exact, ...selected });
    for (;;) {
      const path = `${pathOf({ resource: resource.resource, namespace })}?${query.toString()}`;
      const list = await exchange(this.#transport, { method: 'GET', path }, { signal });
      // Items of built-in kinds have neither apiVersion nor kind.
      const [apiVersion, kind] = [textOf(list['apiVersion']), textOf(list['kind']).replace(/List$/, '')];
      for (const item of objectsOf(list['items'])) yield { apiVersion, kind, ...item };
      const token = textOf(objectOf(list['metadata'])['continue']);
      if (token === '') return;
      query = new URLSearchParams({ limit: LIST_PAGE, continue: token, ...selected });
    }
  }

  /** The object as it is now; undefined if there is none. */
  async find(target: Target, signal?: AbortSignal): Promise<JsonObject | undefined> {
    try {
      return await exchange(this.#transport, { method: 'GET', path: objectPath(target) }, { signal });
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) return undefined;
      throw error;
    }
  }

  async #bound(point: Point, now: number, signal: AbortSignal | undefined): Promise<string> {
    if (point.type !== 'snapshot') return pointText(point, now);
    return (await new ForksClient(this.#transport, signal).snapshot(point.text)).resourceVersion;
  }

  async #page(target: Target, bounds: Record<string, string | undefined>, limit: number, signal?: AbortSignal) {
    const query = new URLSearchParams({ limit: String(limit) });
    for (const [name, value] of Object.entries(bounds)) if (value !== undefined && value !== '') query.set(name, value);
    const path = `${HISTORY}${objectPath(target)}?${query.toString()}`;
    const page = await exchange(this.#transport, { method: 'GET', path }, { signal }).catch(withReason);
    const metadata = objectOf(page['metadata']);
    return {
      items: objectsOf(page['items']).map(eventOf),
      next: textOf(metadata['continue']),
      resourceVersion: textOf(metadata['resourceVersion']),
    };
  }
}

export function objectPath({ resource, namespace, name }: Target): string {
  return pathOf({ resource: resource.resource, namespace, name });
}

function withReason(error: unknown): never {
  explainAbsence(error, 'the server keeps no history that can be read; it is not Binnacle');
}

function eventOf(item: JsonObject): PastEvent {
  const { type, resourceVersion, time, writer, object, previous, forgotten } = item;
  const made = objectOf(writer);
  return {
    type: textOf(type),
    resourceVersion: textOf(resourceVersion),
    time: typeof time === 'string' ? time : undefined,
    writer: isObject(writer)
      ? {
          user: textOf(made['user']),
          manager: textOf(made['manager']),
          userAgent: textOf(made['userAgent']),
          verb: textOf(made['verb']),
          subresource: textOf(made['subresource']),
          auditID: textOf(made['auditID']),
        }
      : undefined,
    object: isObject(object) ? object : undefined,
    previous: isObject(previous) ? previous : undefined,
    ...(Array.isArray(forgotten) ? { forgotten: forgottenOf(forgotten, objectOf(item['reference'])) } : {}),
  };
}

function forgottenOf(names: readonly JsonValue[], reference: JsonObject): ForgottenValues {
  const { kind, namespace, name } = reference;
  return {
    object: names.includes('object'),
    previous: names.includes('previous'),
    reference: { kind: textOf(kind), namespace: textOf(namespace), name: textOf(name) },
  };
}
