import { StatusError, type StatusReason } from '@binnacle/apimachinery/status';
import { type AdmissionAttributes, refusal } from '../admission/index.js';

const CODES: ReadonlyMap<StatusReason, number> = new Map([
  ['Forbidden', 403],
  ['Unauthorized', 401],
  ['RequestEntityTooLarge', 413],
]);
const INVALID = 422;

/** The error of a validating policy. Upstream: apiserver `policy/validating/dispatcher.go`. */
export function validationRefusal(attributes: AdmissionAttributes, message: string, reason: StatusReason): StatusError {
  const { status } = refusal(attributes, message, [{ message }]);
  return new StatusError({ ...status, reason, code: CODES.get(reason) ?? INVALID });
}

/** Why a mutating policy refuses a request; without a reason, the configuration is at fault. */
export interface MutationDenial {
  readonly message: string;
  readonly reason?: StatusReason | undefined;
}

/** The error of all mutating policies that refuse a request; the first says why. */
export function mutationRefusal(
  attributes: AdmissionAttributes,
  first: MutationDenial,
  others: readonly MutationDenial[],
): StatusError {
  const causes = [first, ...others].map(({ message }) => ({ message }));
  const { status } = refusal(attributes, 'admission request denied by policy', causes);
  return new StatusError({ ...status, message: first.message, reason: first.reason ?? status.reason ?? 'Forbidden' });
}
