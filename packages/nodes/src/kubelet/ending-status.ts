import type { JsonObject } from '@binnacle/apimachinery/json';
import type { Ending } from '../shell/index.js';

/** The Status that ends an exec. Upstream: `remotecommand.ServeExec`. */
export function endingStatus(ending: Ending): JsonObject {
  if ('problem' in ending) {
    const cause = `error executing command in container: ${ending.problem}`;
    return {
      metadata: {},
      status: 'Failure',
      message: `Internal error occurred: ${cause}`,
      reason: 'InternalError',
      details: { causes: [{ message: cause }] },
      code: 500,
    };
  }
  if (ending.code === 0) return { metadata: {}, status: 'Success' };
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: ${ending.code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(ending.code) }] },
  };
}
