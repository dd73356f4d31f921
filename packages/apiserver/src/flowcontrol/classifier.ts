import type { FlowSchema, PolicyRulesWithSubjects } from '@binnacle/api/types/flowcontrol-v1';
import type { UserInfo } from '../authentication/index.js';
import { matches, type RequestFacts, rulesOf } from './flow-rules.js';
import type { Flow } from './flow-observer.js';
import { CATCH_ALL } from './level-settings.js';
import type { PriorityLevel } from './priority-level.js';

/** A flow schema in force. */
export interface Classification {
  readonly schema: FlowSchema;
  readonly name: string;
  readonly uid: string;
  readonly level: PriorityLevel;
  readonly flow: Flow;
}

interface Candidate {
  readonly classification: Classification;
  /** The rules that name the user. */
  readonly rules: readonly PolicyRulesWithSubjects[];
}

/** Orders flow schemas as they are tried. */
export function byPrecedence(left: FlowSchema, right: FlowSchema): number {
  const difference = precedenceOf(left) - precedenceOf(right);
  if (difference !== 0) return difference;
  const [name, other] = [left.metadata?.name ?? '', right.metadata?.name ?? ''];
  return name < other ? -1 : Number(name > other);
}

const precedenceOf = ({ spec }: FlowSchema): number => spec?.matchingPrecedence ?? 0;

/**
 * Finds the flow schema of a request: the first that matches. The users of many requests are the same objects, so the
 * rules that name a user are looked for once.
 */
export class Classifier {
  readonly #ordered: readonly Classification[];
  readonly #byUser = new WeakMap<UserInfo, readonly Candidate[]>();
  readonly #otherwise: Classification;

  /** `ordered`: by precedence, with the schema `catch-all`. */
  constructor(ordered: readonly Classification[]) {
    const catchAll = ordered.find(({ name }) => name === CATCH_ALL);
    if (catchAll === undefined) throw new Error('there is no flow schema catch-all');
    this.#ordered = ordered;
    this.#otherwise = catchAll;
  }

  get classifications(): readonly Classification[] {
    return this.#ordered;
  }

  classify(user: UserInfo, request: RequestFacts): Classification {
    for (const { classification, rules } of this.#candidates(user)) {
      if (matches(rules, request)) return classification;
    }
    return this.#otherwise;
  }

  #candidates(user: UserInfo): readonly Candidate[] {
    let candidates = this.#byUser.get(user);
    if (candidates === undefined) {
      candidates = this.#ordered.flatMap((classification) => {
        const rules = rulesOf(user, classification.schema.spec ?? {});
        return rules.length === 0 ? [] : [{ classification, rules }];
      });
      this.#byUser.set(user, candidates);
    }
    return candidates;
  }
}

/** Distinguishes the flows of a schema. Requests with the same result are one flow. */
export function distinguisherOf({ spec }: FlowSchema, user: UserInfo, namespace: string): string {
  const method = spec?.distinguisherMethod?.type;
  return method === 'ByUser' ? user.name : method === 'ByNamespace' ? namespace : '';
}
