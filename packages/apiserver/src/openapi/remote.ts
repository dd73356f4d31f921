import type { JsonObject } from '@binnacle/apimachinery/json';
import type { Handler } from '../request/index.js';

/** The part of another server's v2 document that concerns one group and version. */
export interface RemoteV2 {
  readonly paths: JsonObject;
  /** Those that the paths refer to, directly or not. */
  readonly definitions: JsonObject;
  readonly parameters: JsonObject;
}

/** A v3 document that another server has. */
export interface RemoteV3 {
  /** As that server says in its list. */
  readonly url: string;
  readonly handler: Handler;
}

/** The documents of extension API servers. */
export interface RemoteOpenApi {
  /** Increases with every change. */
  readonly revision: number;
  /** By name: `apis/GROUP/VERSION`. */
  v3(): ReadonlyMap<string, RemoteV3>;
  /** In order of precedence. */
  v2(): readonly RemoteV2[];
}
