import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deleteOptionsFrom } from './delete-options.js';
import { deleteOptionsDocument, writeOptionsDocument } from './options-document.js';

const META = { apiVersion: 'meta.k8s.io/v1' };

describe('the options of a request as an object', () => {
  it('has what the query of a write says', () => {
    const query = new URLSearchParams('dryRun=All&fieldManager=me&fieldValidation=Strict&force=true&pretty=1');
    assert.deepEqual(writeOptionsDocument('UpdateOptions', query), {
      kind: 'UpdateOptions',
      ...META,
      dryRun: ['All'],
      fieldManager: 'me',
      fieldValidation: 'Strict',
    });
    assert.deepEqual(writeOptionsDocument('CreateOptions', new URLSearchParams()), { kind: 'CreateOptions', ...META });
  });

  it('has what the body or the query of a delete says', () => {
    const body = {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      gracePeriodSeconds: 0,
      propagationPolicy: 'Orphan',
      dryRun: ['All'],
      preconditions: { uid: 'u' },
      ignoreStoreReadErrorWithClusterBreakingPotential: false,
    };
    assert.deepEqual(deleteOptionsDocument(deleteOptionsFrom(new URLSearchParams(), body, false)), {
      ...body,
      ...META,
    });
    const query = new URLSearchParams('orphanDependents=false');
    assert.deepEqual(deleteOptionsDocument(deleteOptionsFrom(query, undefined, false)), {
      kind: 'DeleteOptions',
      ...META,
      orphanDependents: false,
    });
  });
});
