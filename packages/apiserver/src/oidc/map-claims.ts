import {
  BudgetExceededError,
  type CompiledExpression,
  Evaluation,
  JsonValues,
  POLICY_COST,
  type Value,
} from '@binnacle/apimachinery/admission-expressions';
import { ListValue } from '@binnacle/apimachinery/cel';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { unescapeFieldName } from '@binnacle/apimachinery/schema-rules';
import { refused, type UserInfo } from '../authentication/index.js';
import { inSlices } from '../slices/index.js';
import { booleanClaim, hasClaim, textClaim, textsClaim } from './claims.js';
import type { Condition, IssuerRules, Mapping } from './issuer-rules.js';
import { TokenError } from './token-error.js';

const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';
const TEXTS = 'expression must return a string or a list of strings';

/**
 * Maps the claims of a verified token to a user. Throws a {@link TokenError} when they break a rule of the issuer.
 * Upstream: the OIDC authenticator's AuthenticateToken.
 */
export async function mapClaims(claims: JsonObject, rules: IssuerRules): Promise<UserInfo> {
  const about = new Expressions({ claims });
  const name = await username(claims, rules.username, about);
  const groups = rules.groups === undefined ? [] : await groupsOf(claims, rules.groups, about);
  const uid = rules.uid === undefined ? '' : await uidOf(claims, rules.uid, about);
  const extra = await extraOf(claims, rules, about);
  checkRequired(claims, rules.requiredClaims);
  await checkConditions(rules.claimConditions, about, 'claim validation expression');
  const user = { name, uid, groups, extra };
  const shown = { username: name, uid, groups: [...groups], extra: copied(extra) };
  await checkConditions(rules.userConditions, new Expressions({ user: shown }), 'user info validation rule');
  return user;
}

function copied(extra: UserInfo['extra']): JsonObject {
  return Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]));
}

async function username(claims: JsonObject, mapping: Mapping, about: Expressions): Promise<string> {
  if ('expression' in mapping) {
    const name = await about.text(mapping.expression, 'username');
    if (name === '') throw new TokenError('empty username via CEL expression is not allowed');
    return name;
  }
  const { claim, prefix } = mapping;
  const text = within(`parse username claims "${claim}"`, () => textClaim(claims, claim));
  if (claim === 'email' && hasClaim(claims, 'email_verified')) {
    const isVerified = within("parse 'email_verified' claim", () => booleanClaim(claims, 'email_verified'));
    if (!isVerified) throw new TokenError('email not verified');
  }
  return `${prefix}${text}`;
}

async function groupsOf(claims: JsonObject, mapping: Mapping, about: Expressions): Promise<readonly string[]> {
  if ('expression' in mapping) {
    const failed = 'error evaluating group claim expression';
    return textsOf(await about.value(mapping.expression, `${failed}: `), failed);
  }
  const { claim, prefix } = mapping;
  if (!hasClaim(claims, claim)) return [];
  const groups = within(`parse groups claim "${claim}"`, () => textsClaim(claims, claim));
  return groups.map((group) => `${prefix}${group}`);
}

async function uidOf(claims: JsonObject, mapping: Mapping, about: Expressions): Promise<string> {
  if ('expression' in mapping) return about.text(mapping.expression, 'uid');
  return within(`parse uid claim "${mapping.claim}"`, () => textClaim(claims, mapping.claim));
}

async function extraOf(claims: JsonObject, { extra }: IssuerRules, about: Expressions): Promise<UserInfo['extra']> {
  const values = new Map<string, readonly string[]>();
  const id = claims['jti'];
  if (typeof id === 'string' && id !== '') values.set(CREDENTIAL_ID, [`JTI=${id}`]);
  const evaluated: (readonly [string, CompiledExpression, Value])[] = [];
  for (const { key, value } of extra) evaluated.push([key, value, await extraValue(value, about)]);
  for (const [key, { source }, value] of evaluated) {
    const texts = textsOf(value, `error evaluating extra claim expression: ${source}`);
    if (texts.length > 0) values.set(key, texts);
  }
  return Object.fromEntries(values);
}

/** Upstream reports only this failure without the prefix `oidc:`. */
async function extraValue(expression: CompiledExpression, about: Expressions): Promise<Value> {
  try {
    return await about.value(expression);
  } catch (error) {
    throw error instanceof TokenError ? refused(error.message) : error;
  }
}

function checkRequired(claims: JsonObject, required: ReadonlyMap<string, string>): void {
  for (const [claim, wanted] of required) {
    if (!hasClaim(claims, claim)) throw new TokenError(`required claim ${claim} not present in ID token`);
    const value = within(`parse claim ${claim}`, () => textClaim(claims, claim));
    if (value !== wanted) {
      throw new TokenError(`required claim ${claim} value does not match. Got = ${value}, want = ${wanted}`);
    }
  }
}

/** The error of an expression takes precedence over one that is false. */
async function checkConditions(conditions: readonly Condition[], about: Expressions, what: string): Promise<void> {
  const failed = `error evaluating ${what}: `;
  const values: Value[] = [];
  for (const { expression } of conditions) values.push(await about.value(expression, failed));
  for (const [index, { expression, message }] of conditions.entries()) {
    if (values[index] === true) continue;
    throw new TokenError(`${failed}validation expression '${expression.source}' failed: ${message}`);
  }
}

/** A text or a list of texts, without empty ones. */
function textsOf(value: Value, failed: string): readonly string[] {
  if (value === null) return [];
  const items = value instanceof ListValue ? [...value] : [value];
  if (!items.every((item) => typeof item === 'string')) throw new TokenError(`${failed}: ${TEXTS}`);
  return items.filter((item) => item !== '');
}

function within<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof TokenError ? new TokenError(`${what}: ${error.message}`) : error;
  }
}

/** Evaluates expressions about these variables, with one budget. */
class Expressions {
  readonly #evaluation: Evaluation;

  constructor(variables: Readonly<Record<string, JsonObject>>) {
    const values = new JsonValues({ numbersAreDoubles: true, fieldName: (name) => unescapeFieldName(name) ?? name });
    this.#evaluation = new Evaluation({
      input: {
        read: (name) => {
          const value = variables[name];
          return value === undefined ? undefined : values.valueOf(value);
        },
      },
      budget: POLICY_COST,
      run: (steps) => inSlices(steps),
    });
  }

  /** `failed` precedes the reason of a failure. */
  async value(expression: CompiledExpression, failed = ''): Promise<Value> {
    try {
      const outcome = await this.#evaluation.evaluate(expression);
      if ('error' in outcome) throw new TokenError(`${failed}${outcome.error}`);
      return outcome.value;
    } catch (error) {
      throw error instanceof BudgetExceededError ? new TokenError(`${failed}${error.message}`) : error;
    }
  }

  async text(expression: CompiledExpression, what: string): Promise<string> {
    const failed = `error evaluating ${what} claim expression: `;
    const value = await this.value(expression, failed);
    if (typeof value !== 'string') throw new TokenError(`${failed}${what} claim expression must return a string`);
    return value;
  }
}
