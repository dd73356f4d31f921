import { StatusError } from '../status/index.js';

/**
 * The patch is well-formed but cannot be applied. Upstream hides the reason from the client; `why` is the error's
 * cause, for the log. Upstream: apiserver `handlers/patch.go` (`NewGenericServerResponse` with 422).
 */
export function patchRejected(why: string): StatusError {
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
    { cause: new Error(why) },
  );
}
