import type { ServerChoice, TransferOptions } from '../../history/requests/index.js';

/** The arguments of `binnacle import`. */
export interface ImportRequest extends TransferOptions {
  /** Files and folders, or the server to read from. */
  readonly from: { readonly paths: readonly string[] } | { readonly server: ServerChoice };
  readonly to: ServerChoice;
}
