import {
  EvaluationError,
  from,
  opaque,
  OpaqueValue,
  type Overload,
  overload,
  string,
  type Value,
} from '../cel/index.js';
import { nameIsDnsLabel, nameIsDnsSubdomain } from '../validation/index.js';

/** One authorization check of an expression. */
export interface AuthorizationCheck {
  /** The service account to check. Undefined: the user of the request. */
  readonly serviceAccount: { readonly namespace: string; readonly name: string } | undefined;
  readonly verb: string;
  /** Undefined for a check of a resource. */
  readonly path: string | undefined;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

export interface AuthorizationAnswer {
  readonly allowed: boolean;
  readonly reason: string;
  /** Undefined if the authorizer could decide. */
  readonly error?: string | undefined;
}

/** Thrown to interrupt an evaluation until an authorizer has answered. Evaluate again once `pending` has settled. */
export class AuthorizationPending extends Error {
  readonly pending: Promise<unknown>;

  constructor(pending: Promise<unknown>) {
    super('an authorization check has not answered yet');
    this.pending = pending;
  }
}

/** Answers each check of a request once, so that an evaluation that starts again finds the answers. */
export class AuthorizationChecks {
  readonly #authorize: (check: AuthorizationCheck) => AuthorizationAnswer | Promise<AuthorizationAnswer>;
  readonly #answers = new Map<string, AuthorizationAnswer>();

  /** `authorize` reports failures in its answer. */
  constructor(authorize: (check: AuthorizationCheck) => AuthorizationAnswer | Promise<AuthorizationAnswer>) {
    this.#authorize = authorize;
  }

  /** Throws `AuthorizationPending`. */
  answer(check: AuthorizationCheck): AuthorizationAnswer {
    const key = JSON.stringify(check);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = this.#authorize(check);
    if (answer instanceof Promise)
      throw new AuthorizationPending(answer.then((given) => this.#answers.set(key, given)));
    this.#answers.set(key, answer);
    return answer;
  }
}

const AUTHORIZER = 'kubernetes.authorization.Authorizer';
const PATH_CHECK = 'kubernetes.authorization.PathCheck';
const GROUP_CHECK = 'kubernetes.authorization.GroupCheck';
const RESOURCE_CHECK = 'kubernetes.authorization.ResourceCheck';
const DECISION = 'kubernetes.authorization.Decision';

export const AUTHORIZER_TYPE = opaque(AUTHORIZER);
export const RESOURCE_CHECK_TYPE = opaque(RESOURCE_CHECK);

const NOTHING: AuthorizationCheck = {
  serviceAccount: undefined,
  verb: '',
  path: undefined,
  group: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  fieldSelector: '',
  labelSelector: '',
};

/** The value of `authorizer`, and of each step towards a check. */
class CheckValue extends OpaqueValue {
  readonly typeName: string;
  readonly checks: AuthorizationChecks;
  readonly check: AuthorizationCheck;

  constructor(typeName: string, checks: AuthorizationChecks, check: AuthorizationCheck) {
    super();
    this.typeName = typeName;
    this.checks = checks;
    this.check = check;
  }

  with(change: Partial<AuthorizationCheck>, typeName = this.typeName): CheckValue {
    return new CheckValue(typeName, this.checks, { ...this.check, ...change });
  }

  override equals(other: OpaqueValue): boolean {
    return this === other;
  }
}

class DecisionValue extends OpaqueValue {
  readonly typeName = DECISION;
  readonly answer: AuthorizationAnswer;

  constructor(answer: AuthorizationAnswer) {
    super();
    this.answer = answer;
  }

  override equals(other: OpaqueValue): boolean {
    return this === other;
  }
}

/** The variable `authorizer`. */
export function authorizerValue(checks: AuthorizationChecks): Value {
  return new CheckValue(AUTHORIZER, checks, NOTHING);
}

/** The variable `authorizer.requestResource`: a check of the resource of the request. */
export function resourceAuthorizerValue(checks: AuthorizationChecks, resource: Partial<AuthorizationCheck>): Value {
  return new CheckValue(RESOURCE_CHECK, checks, { ...NOTHING, ...resource });
}

const step = (value: Value): CheckValue | undefined => (value instanceof CheckValue ? value : undefined);
const decision = (value: Value): DecisionValue | undefined => (value instanceof DecisionValue ? value : undefined);

/** Sets one part of a check of a resource. */
function part(name: 'subresource' | 'namespace' | 'name'): Overload {
  return overload(
    name,
    `resourcecheck_${name}`,
    `${RESOURCE_CHECK}.(string) -> ${RESOURCE_CHECK}`,
    from(step, string)((check, text) => check.with({ [name]: text })),
  );
}

function selector(name: 'fieldSelector' | 'labelSelector'): Overload {
  return overload(
    name,
    `authorizer_${name.toLowerCase()}`,
    `${RESOURCE_CHECK}.(string) -> ${RESOURCE_CHECK}`,
    from(step, string)((check, text) => check.with({ [name]: text })),
  );
}

function check(id: string, target: string): Overload {
  return overload(
    'check',
    id,
    `${target}.(string) -> ${DECISION}`,
    from(step, string)(({ checks, check: made }, verb) => new DecisionValue(checks.answer({ ...made, verb }))),
  );
}

function answer(name: string, result: string, read: (answer: AuthorizationAnswer) => Value): Overload {
  return overload(
    name,
    `decision_${name}`,
    `${DECISION}.() -> ${result}`,
    from(decision)(({ answer: given }) => read(given)),
  );
}

/** Upstream: apiserver `pkg/cel/library/authz.go`. */
export const AUTHORIZATION_FUNCTIONS: readonly Overload[] = [
  overload(
    'path',
    'authorizer_path',
    `${AUTHORIZER}.(string) -> ${PATH_CHECK}`,
    from(step, string)((value, path) => value.with({ path: notBlank(path, 'path') }, PATH_CHECK)),
  ),
  overload(
    'group',
    'authorizer_group',
    `${AUTHORIZER}.(string) -> ${GROUP_CHECK}`,
    from(step, string)((value, group) => value.with({ group }, GROUP_CHECK)),
  ),
  overload(
    'serviceAccount',
    'authorizer_serviceaccount',
    `${AUTHORIZER}.(string, string) -> ${AUTHORIZER}`,
    from(
      step,
      string,
      string,
    )((value, namespace, name) => {
      if (nameIsDnsSubdomain(name, false).length > 0) throw new EvaluationError('Invalid service account name');
      if (nameIsDnsLabel(namespace, false).length > 0) throw new EvaluationError('Invalid service account namespace');
      return value.with({ serviceAccount: { namespace, name } });
    }),
  ),
  overload(
    'resource',
    'groupcheck_resource',
    `${GROUP_CHECK}.(string) -> ${RESOURCE_CHECK}`,
    from(step, string)((value, resource) => value.with({ resource: notBlank(resource, 'resource') }, RESOURCE_CHECK)),
  ),
  part('subresource'),
  part('namespace'),
  part('name'),
  selector('fieldSelector'),
  selector('labelSelector'),
  check('pathcheck_check', PATH_CHECK),
  check('resourcecheck_check', RESOURCE_CHECK),
  answer('errored', 'bool', ({ error }) => error !== undefined),
  answer('error', 'string', ({ error }) => error ?? ''),
  answer('allowed', 'bool', ({ allowed }) => allowed),
  answer('reason', 'string', ({ reason }) => reason),
];

function notBlank(text: string, part: string): string {
  if (text.trim() === '') throw new EvaluationError(`${part} must not be empty`);
  return text;
}
