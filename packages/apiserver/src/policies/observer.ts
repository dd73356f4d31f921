import type { Clock } from '@binnacle/apimachinery/clock';

/** What became of an expression, as upstream's metrics name it. An expression that denies is an `invalid_error` too. */
export type CheckOutcome = 'no_error' | 'compile_error' | 'invalid_error' | 'out_of_budget';

/** The effect of a failed validation, by its binding. `allow`: the failure policy ignores that its expression failed. */
export type CheckAction = 'allow' | 'deny' | 'audit' | 'warn';

/** One expression of a policy, through one of its bindings. */
export interface PolicyCheck {
  readonly policy: string;
  readonly binding: string;
  readonly outcome: CheckOutcome;
}

/** Observes policies. It must not throw. */
export interface PolicyObserver {
  /** Called for each validation that failed, and each action that followed. Validations that hold are not observed, like upstream. */
  validated(check: PolicyCheck, action: CheckAction, seconds: number): void;
  /** Called for each mutation. */
  mutated(check: PolicyCheck, seconds: number): void;
}

export interface PolicyObservation {
  readonly observer: PolicyObserver;
  readonly clock: Clock;
}

/** Upstream: `ErrorType` of apiserver `policy/validating/errors.go` and `policy/mutating/errors.go`. */
export function outcomeOf(failure: string): CheckOutcome {
  if (failure.startsWith('compilation')) return 'compile_error';
  return failure.startsWith('validation failed due to running out of cost budget') ? 'out_of_budget' : 'invalid_error';
}
