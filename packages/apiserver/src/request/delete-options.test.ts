import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StatusError } from '@binnacle/apimachinery/status';
import { type DeleteOptionsBody, deleteOptionsFrom, IGNORE_READ_ERROR } from './delete-options.js';

const query = (text: string): URLSearchParams => new URLSearchParams(text);

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof StatusError);
    return `${error.code} ${error.message}`;
  }
  return 'accepted';
}

describe('delete options', () => {
  const refused = (text: string, body?: DeleteOptionsBody): string =>
    refusal(() => deleteOptionsFrom(query(text), body, false));

  it('are refused in upstream words', () => {
    assert.equal(
      refused('', { propagationPolicy: 'Sideways' }),
      '422 DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"',
    );
    assert.equal(
      refused('', { propagationPolicy: 'Orphan', orphanDependents: true }),
      '422 DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
    );
    assert.equal(refused('gracePeriodSeconds=x'), '400 strconv.ParseInt: parsing "x": invalid syntax');
  });

  it('come from the body alone if there is one', () => {
    const body = { dryRun: ['All'], preconditions: { uid: 'u' } };
    const options = deleteOptionsFrom(query(`propagationPolicy=Background&${IGNORE_READ_ERROR}=true`), body, false);
    assert.deepEqual(options, {
      dryRun: true,
      gracePeriodSeconds: undefined,
      orphanDependents: undefined,
      propagationPolicy: undefined,
      preconditions: { uid: 'u', resourceVersion: undefined },
      ignoreStoreReadError: undefined,
    });
  });

  it('come from the query otherwise', () => {
    const options = deleteOptionsFrom(
      query('gracePeriodSeconds=0&propagationPolicy=Orphan&resourceVersion=7'),
      undefined,
      false,
    );
    assert.equal(options.gracePeriodSeconds, 0);
    assert.equal(options.propagationPolicy, 'Orphan');
    assert.equal(options.preconditions.resourceVersion, '7');
  });

  it('to delete an unreadable object exclude all others, where the server allows it', () => {
    const body: DeleteOptionsBody = {
      [IGNORE_READ_ERROR]: true,
      dryRun: ['All'],
      propagationPolicy: 'Background',
      gracePeriodSeconds: 5,
      preconditions: {},
    };
    const refusedBy = (allowsUnsafe: boolean, given: DeleteOptionsBody) =>
      refusal(() => deleteOptionsFrom(query(''), given, allowsUnsafe));
    const of = (option: string) => `${IGNORE_READ_ERROR}: Invalid value: true: cannot be set together with .${option}`;
    const all = ['dryRun', 'propagationPolicy', 'gracePeriodSeconds', 'preconditions'].map(of).join(', ');
    assert.equal(refusedBy(true, body), `422 DeleteOptions.meta.k8s.io "" is invalid: [${all}]`);
    const orphaning = { [IGNORE_READ_ERROR]: true, orphanDependents: false };
    assert.equal(refusedBy(true, orphaning), `422 DeleteOptions.meta.k8s.io "" is invalid: ${of('orphanDependents')}`);
    for (const [allowsUnsafe, given] of [
      [true, { ...body, [IGNORE_READ_ERROR]: false }],
      [true, { [IGNORE_READ_ERROR]: true }],
      [false, body],
    ] as const) {
      assert.equal(refusedBy(allowsUnsafe, given), 'accepted');
    }
    const inQuery = query(`${IGNORE_READ_ERROR}=true&uid=u`);
    assert.equal(
      refusal(() => deleteOptionsFrom(inQuery, undefined, true)),
      `422 DeleteOptions.meta.k8s.io "" is invalid: ${of('preconditions')}`,
    );
  });
});
