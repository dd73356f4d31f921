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
      readonly limit: number;
    }
  | { readonly action: 'show'; readonly revision: string; readonly target: NamedTarget | undefined }
  | { readonly action: 'diff'; readonly from: Point; readonly to: Point; readonly target: NamedTarget | undefined }
  | { readonly action: 'get'; readonly target: NamedTarget; readonly at: Point; readonly output: Output }
  | { readonly action: 'blame'; readonly target: Required<NamedTarget> }
  | { readonly action: 'export'; readonly target: NamedTarget | undefined; readonly at: Point }
  | {
      readonly action: 'revert';
      readonly revision: string;
      readonly target: NamedTarget | undefined;
      readonly force: boolean;
      readonly dryRun: boolean;
    };

export type Output = 'yaml' | 'json';
export type HistoryRequest = HistoryAction & { readonly scope: Scope };

/** Undefined if the text is no target. */
export function parseNamedTarget(text: string): NamedTarget | undefined {
  const [, kind, name] = /^([a-z0-9][a-z0-9.-]*)(?:\/([^/%]+))?$/i.exec(text) ?? [];
  if (kind === undefined) return undefined;
  return name === undefined ? { kind } : { kind, name };
}
