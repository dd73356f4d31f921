import type { Point } from './point.js';

/** KIND or KIND/NAME, in kubectl's notation: `deploy/web`, `deployments.apps`. */
export interface NamedTarget {
  readonly kind: string;
  readonly name?: string | undefined;
}

/** Where to look. */
export interface Scope {
  /** Default: the namespace of the kubeconfig's context, or all if no target is named. */
  readonly namespace?: string | undefined;
  readonly allNamespaces?: boolean | undefined;
  /** Default: found like kubectl's. */
  readonly kubeconfig?: string | undefined;
}

/** What to read or write, by the command. No target: all kinds that the server lists. */
export type HistoryAction =
  | {
      readonly action: 'log';
      readonly target: NamedTarget | undefined;
      readonly since: Point | undefined;
      readonly until: Point | undefined;
      readonly by: string | undefined;
      readonly field: string | undefined;
      readonly patch: boolean;
      /** Continue with new events, oldest first. */
      readonly follow: boolean;
      readonly limit: number;
    }
  | { readonly action: 'show'; readonly revision: string; readonly target: NamedTarget | undefined }
  | { readonly action: 'diff'; readonly from: Point; readonly to: Point; readonly target: NamedTarget | undefined }
  | { readonly action: 'get'; readonly target: NamedTarget; readonly at: Point; readonly output: Output }
  | { readonly action: 'blame'; readonly target: Required<NamedTarget> }
  | {
      readonly action: 'export';
      readonly target: NamedTarget | undefined;
      /** Undefined: now, which needs a `transfer`. */
      readonly at: Point | undefined;
      /** Whether Secrets are printed or moved even if the target does not name them. */
      readonly withSecrets: boolean;
      /** Where to write the objects instead of printing them; then there is no `target`. */
      readonly transfer: ExportTarget | undefined;
    }
  | {
      readonly action: 'revert';
      /** At least one. */
      readonly revisions: readonly string[];
      readonly target: NamedTarget | undefined;
      readonly force: boolean;
      readonly dryRun: boolean;
    }
  | {
      readonly action: 'snapshot';
      /** Undefined: list all. */
      readonly name: string | undefined;
      readonly at: Point | undefined;
      readonly remove: boolean;
    }
  | {
      readonly action: 'fork';
      readonly at: Point | undefined;
      readonly name: string | undefined;
      readonly port: number | undefined;
      readonly sharesCredentials: boolean;
      /** Where to write the kubeconfig. Default: a file with the name of the fork. */
      readonly file: string | undefined;
      readonly list: boolean;
      /** The fork to stop, instead of starting one. */
      readonly remove: string | undefined;
    }
  | { readonly action: 'bisect'; readonly good: Point; readonly bad: Point; readonly command: readonly string[] };

/** A server, found like kubectl's where a part is missing. */
export interface ServerChoice {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** How objects are moved to a server or a folder. */
export interface TransferOptions {
  /** Whether Secrets are moved too. */
  readonly withSecrets: boolean;
  /** Replace objects that exist, instead of leaving them as they are. */
  readonly overwrite: boolean;
  /** Let the server check each object, and store none. */
  readonly dryRun: boolean;
  readonly output?: 'json';
}

export type ExportTarget = TransferOptions & {
  /** Files to read instead of a server, or the context of the server. */
  readonly from: { readonly path: string } | Pick<ServerChoice, 'context'>;
  readonly to: { readonly folder: string } | { readonly snapshot: string } | { readonly server: ServerChoice };
};

export type Output = 'yaml' | 'json';
export type HistoryRequest = HistoryAction & { readonly scope: Scope };
export type RequestOf<A extends HistoryRequest['action']> = Extract<HistoryRequest, { readonly action: A }>;

/** Undefined if the text is not a target. */
export function parseNamedTarget(text: string): NamedTarget | undefined {
  const [, kind, name] = /^([a-z0-9][a-z0-9.-]*)(?:\/([^/%]+))?$/i.exec(text) ?? [];
  if (kind === undefined) return undefined;
  return name === undefined ? { kind } : { kind, name };
}
