import { StatusError } from '../status/index.js';

/**
 * The patch is well-formed but cannot be applied. Upstream hides the reason from the client; `why` is the error's
 * cause, for the log. Upstream: apiserver `handlers/patch.go` (`NewGenericServerResponse` with 422).
 */
export function patchRejected(why: string | Error): StatusError {
  return new StatusError(
    {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'the server rejected our request due to an error in our request',
      reason: 'Invalid',
      details: {},
      code: 422,
    },
    { cause: typeof why === 'string' ? new Error(why) : why },
  );
}

/** A `test` operation found another value. The patch is valid, but not for this document. */
export class JsonPatchTestError extends Error {}

/** An operation cannot be applied at a path: there is no container that could hold its last token, or the token is wrong. */
export class PatchPathError extends Error {
  readonly misses: 'container' | 'element';

  constructor(misses: 'container' | 'element', message: string) {
    super(message);
    this.misses = misses;
  }
}
