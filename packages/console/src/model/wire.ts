import type { Change } from './change.js';
import type { KindInfo, Row } from './row.js';

/** Paths that the console itself answers; all below need the session. */
export const PATHS = {
  session: '/console/v1/session',
  live: '/console/v1/live',
  past: '/console/v1/past',
  recent: '/console/v1/recent',
  /** `POST` with `version` starts a fork: a {@link StartedFork}. */
  forks: '/console/v1/forks',
  /** Followed by a path of the API server. */
  forward: '/console/v1/api',
} as const;

/** The header with the key of the session. */
export const KEY_HEADER = 'x-binnacle-console';

/** The answer about the session. */
export interface SessionInfo {
  /** The URL of the API server. */
  readonly server: string;
  /** The release of the API server. */
  readonly version: string;
  /** Whether the server keeps a history with authors. */
  readonly history: boolean;
  /** Whether the console can start forks of the server. */
  readonly forks: boolean;
}

/** A server that began with the objects as they were. Its credentials are in the file, which only its owner can read. */
export interface StartedFork {
  readonly name: string;
  readonly url: string;
  /** The path of the kubeconfig. */
  readonly kubeconfig: string;
}

/** One line of the streams: what is new since the line before. Absent fields: nothing. */
export interface Batch {
  readonly kinds?: readonly KindInfo[];
  /** Rows that are new or have changed. */
  readonly rows?: readonly Row[];
  /** Uids of objects that are gone. */
  readonly gone?: readonly string[];
  /** In the order in which they happened. */
  readonly changes?: readonly Change[];
  /** The number of changes that this stream left out because the page read too slowly. */
  readonly dropped?: number;
  /** Kinds that cannot be read, by index, with the reason. */
  readonly faults?: readonly (readonly [number, string])[];
  /** All objects that existed at the start have been sent. For states of the past: the resourceVersion. */
  readonly complete?: string;
  /** The stream ends with this error. */
  readonly error?: string;
}
