import type { JsonObject } from '@binnacle/apimachinery/json';
import type { Handler } from '../request/index.js';

/** The part of another server's v2 document that concerns one group and version. */
export interface RemoteV2 {
  /** The header of the whole document. */
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: JsonObject;
  /** Those that the paths refer to, directly or not. */
  readonly definitions: JsonObject;
  readonly parameters: JsonObject;
}

/** A v3 document that another server has. */
export interface ServedV3 {
  /** As in that server's list of documents. */
  readonly url: string;
  readonly handler: Handler;
}

/** A server that has no v3 documents: its v2 document is converted. */
export interface LegacyV3 {
  readonly v2: RemoteV2;
  /** The document is unchanged as long as this is. */
  readonly revision: number;
}

export type RemoteV3 = ServedV3 | LegacyV3;

/** The documents of extension API servers. */
export interface RemoteOpenApi {
  /** Increases with every change. */
  readonly revision: number;
  /** By name: `apis/GROUP/VERSION`. */
  v3(): ReadonlyMap<string, RemoteV3>;
  /** In order of precedence. */
  v2(): readonly RemoteV2[];
}
