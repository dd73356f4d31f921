import { takeInstructions } from '../patterns/index.js';
import type { Steps } from '../work/index.js';
import type { ResolvedCall } from './check.js';
import { type Budget, VISIT_COST } from './cost/budget.js';
import { costOf } from './cost/call-cost.js';
import { type CallWork, workOf } from './cost/call-work.js';
import { acceptor } from './dispatch.js';
import { equal, takeVisits } from './equality.js';
import { noSuchOverload } from './evaluation-error.js';
import type { Overload } from './overload.js';
import { eager, eagerInSteps, type Frame, type Step, unary } from './step.js';
import type { Type } from './types.js';
import type { ListValue, Value } from './values.js';

export interface CallParts {
  readonly arguments: readonly Step[];
  /** The types of the arguments, as far as they are known before the call. */
  readonly types: readonly Type[];
  /** The cost of reading the first argument. */
  readonly extra?: number;
}

/** An overload with what its calls need. All calls share it. */
interface Candidate {
  readonly overload: Overload;
  readonly accepts: (args: readonly Value[]) => boolean;
  readonly cost: (args: readonly Value[]) => number;
  readonly work: CallWork | undefined;
}

const known = new WeakMap<Overload, Candidate>();

function candidateOf(overload: Overload): Candidate {
  let candidate = known.get(overload);
  if (candidate === undefined) {
    candidate = { overload, accepts: acceptor(overload), cost: costOf(overload), work: workOf(overload) };
    known.set(overload, candidate);
  }
  return candidate;
}

/** Not part of `strictCall`, whose closures would keep what these read. */
function candidatesOf(overloads: readonly Overload[], count: number): readonly Candidate[] {
  return overloads.filter(({ signature }) => signature.arguments.length === count).map(candidateOf);
}

function mayBeLong(candidates: readonly Candidate[], types: readonly Type[]): boolean {
  return candidates.some(({ overload: { long, signature } }) => long?.isLong?.(types, signature.arguments) === true);
}

/** Calls the first overload that accepts the arguments. */
export function strictCall({ overloads }: ResolvedCall, { arguments: parts, types, extra = 0 }: CallParts): Step {
  const candidates = candidatesOf(overloads, parts.length);
  const call = ({ budget }: Frame, args: readonly Value[]): Value => {
    for (const { overload, accepts, cost, work } of candidates) {
      if (!accepts(args)) continue;
      const charged = cost(args);
      budget.charge(extra + charged);
      if (work !== undefined) work(args, budget);
      takeVisits();
      const result = overload.implementation(...args);
      // Upstream charges for the size of the operands, not for their nested values. Charge for those after the call.
      const visits = takeVisits() * VISIT_COST;
      if (visits > charged) budget.charge(visits - charged);
      return result;
    }
    throw noSuchOverload();
  };
  const isLong = mayBeLong(candidates, types);
  if (isLong || candidates.some(({ work }) => work !== undefined)) {
    const inSteps = function* ({ budget }: Frame, args: readonly Value[]): Steps<Value> {
      for (const { overload, accepts, cost, work } of candidates) {
        if (!accepts(args)) continue;
        const charged = cost(args);
        budget.charge(extra + charged);
        if (work !== undefined) work(args, budget);
        if (budget.endsStep()) yield;
        return yield* callInSteps(overload, args, budget, charged);
      }
      throw noSuchOverload();
    };
    return eagerInSteps(parts, inSteps, isLong ? undefined : call);
  }
  return eager(parts, call);
}

/** Charges for visits as they exceed the cost of the call, which is charged before. */
function* callInSteps(
  { long, implementation }: Overload,
  args: readonly Value[],
  budget: Budget,
  cost: number,
): Steps<Value> {
  const steps = long?.steps(...args);
  let paid = cost;
  let visits = 0;
  for (;;) {
    takeVisits();
    takeInstructions();
    const step = steps === undefined ? { done: true, value: implementation(...args) } : steps.next();
    budget.search(takeInstructions());
    visits += takeVisits() * VISIT_COST;
    if (visits > paid) {
      budget.charge(visits - paid);
      paid = visits;
    }
    if (step.done === true) return step.value ?? null;
    yield;
  }
}

/** Membership in a literal list of scalars is free. */
export function membership(value: Step, items: ListValue): Step {
  const scalars = [...items];
  return unary(value, (_frame, wanted) => scalars.some((item) => equal(item, wanted)));
}
