import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BadDocumentError } from './backend-documents.js';
import { DocumentProblems } from './document-problems.js';

describe('DocumentProblems', () => {
  const bad = (reason: string) => new BadDocumentError(reason);

  it('reports a reason once for each APIService, and again when it has changed or was solved', () => {
    const reported: string[] = [];
    const problems = new DocumentProblems((reason) => reported.push(reason));
    problems.failed('v1.g', bad('a'));
    problems.failed('v1.g', bad('a'));
    problems.failed('v2.g', bad('a'));
    problems.failed('v1.g', bad('b'));
    problems.solved('v1.g');
    problems.failed('v1.g', bad('b'));
    assert.deepEqual(reported, ['a', 'a', 'b', 'b']);
  });

  it('reports no backend that does not answer', () => {
    const problems = new DocumentProblems(() => assert.fail('reported'));
    problems.failed('v1.g', new Error('connection refused'));
  });
});
