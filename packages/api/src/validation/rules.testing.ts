import assert from 'node:assert/strict';
import { type FieldError, fieldErrorDetail } from '@binnacle/apimachinery/status';
import { finish, type Steps } from '@binnacle/apimachinery/work';
import type { Container, PodSpec, PodTemplateSpec } from '../generated/types/core-v1.js';

/** The errors as `field: detail`, for tests. */
export function texts(found: readonly FieldError[] | Steps<FieldError[]>): string[] {
  const errors = 'next' in found ? finish(found) : found;
  return errors.map((error) => `${error.field}: ${fieldErrorDetail(error)}`);
}

/** A container after defaulting. */
export function container(fields: Partial<Container> = {}): Container {
  return {
    name: 'c',
    image: 'i',
    terminationMessagePolicy: 'File',
    imagePullPolicy: 'Always',
    resources: {},
    ...fields,
  };
}

export function podSpec(fields: Partial<PodSpec> = {}): PodSpec {
  return {
    containers: [container()],
    restartPolicy: 'Always',
    dnsPolicy: 'ClusterFirst',
    terminationGracePeriodSeconds: 30,
    ...fields,
  };
}

export function template(fields: Partial<PodSpec> = {}): PodTemplateSpec {
  return { metadata: { labels: { a: 'b' } }, spec: podSpec(fields) };
}

/** A change that makes a valid object invalid, and the expected errors. */
export type WrongCase<T> = readonly [change: (object: T) => void, expected: readonly string[]];

/** Asserts that the object is valid and that each change gives exactly these `path: message` texts. */
export function checkRule<T>(
  rule: (object: T) => FieldError[] | Steps<FieldError[]>,
  valid: T,
  cases: readonly WrongCase<T>[],
): void {
  assert.deepEqual(texts(rule(structuredClone(valid))), []);
  for (const [change, expected] of cases) {
    const object = structuredClone(valid);
    change(object);
    assert.deepEqual(texts(rule(object)), expected);
  }
}

/** Like {@link checkRule}, for an update from the valid object to the changed one. */
export function checkUpdate<T>(
  rule: (object: T, old: T) => FieldError[] | Steps<FieldError[]>,
  valid: T,
  cases: readonly WrongCase<T>[],
): void {
  checkRule((object) => rule(object, structuredClone(valid)), valid, cases);
}
