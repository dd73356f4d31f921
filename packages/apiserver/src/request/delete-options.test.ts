import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StatusError } from '@binnacle/apimachinery/status';
import { type DeleteOptionsBody, deleteOptionsFrom } from './delete-options.js';

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
    refusal(() => deleteOptionsFrom(query(text), body));

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
    const options = deleteOptionsFrom(query('propagationPolicy=Background'), {
      dryRun: ['All'],
      preconditions: { uid: 'u' },
    });
    assert.deepEqual(options, {
      dryRun: true,
      gracePeriodSeconds: undefined,
      orphanDependents: undefined,
      propagationPolicy: undefined,
      preconditions: { uid: 'u', resourceVersion: undefined },
    });
  });

  it('come from the query otherwise', () => {
    const options = deleteOptionsFrom(
      query('gracePeriodSeconds=0&propagationPolicy=Orphan&resourceVersion=7'),
      undefined,
    );
    assert.equal(options.gracePeriodSeconds, 0);
    assert.equal(options.propagationPolicy, 'Orphan');
    assert.equal(options.preconditions.resourceVersion, '7');
  });
});
