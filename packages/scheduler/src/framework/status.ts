import { messageOf } from '@binnacle/apimachinery/errors';

/**
 * - `Success`: the plugin permits.
 * - `Unschedulable`: the plugin forbids, and preemption may help.
 * - `UnschedulableAndUnresolvable`: the plugin forbids, and preemption does not help.
 * - `Error`: the plugin failed, and the attempt is retried.
 * - `Wait`: a Permit plugin delays the binding.
 * - `Skip`: the plugin has nothing to say about this pod, so its later points are left out.
 */
export type Code = 'Success' | 'Unschedulable' | 'UnschedulableAndUnresolvable' | 'Error' | 'Wait' | 'Skip';

/** What a plugin answers. Upstream: `framework.Status`. */
export interface Status {
  readonly code: Code;
  readonly reasons: readonly string[];
  /** The plugin that did not permit. The framework sets it. */
  readonly plugin?: string;
}

export const success: Status = Object.freeze({ code: 'Success', reasons: [] });
export const skip: Status = Object.freeze({ code: 'Skip', reasons: [] });

export function unschedulable(...reasons: readonly string[]): Status {
  return { code: 'Unschedulable', reasons };
}

/** For a node that no preemption makes fit. */
export function unresolvable(...reasons: readonly string[]): Status {
  return { code: 'UnschedulableAndUnresolvable', reasons };
}

export function failure(error: unknown): Status {
  return { code: 'Error', reasons: [messageOf(error)] };
}

/** Whether the plugin forbids, as opposed to a failure of the plugin. */
export function isRejected({ code }: Status): boolean {
  return code === 'Unschedulable' || code === 'UnschedulableAndUnresolvable';
}

/** The reasons as one text. */
export function messageOfStatus({ reasons }: Status): string {
  return reasons.join(', ');
}
