import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BadDocumentError } from './backend-documents.js';
import { DocumentProblems } from './document-problems.js';

describe('DocumentProblems', () => {
  const bad = (reason: string) => new BadDocumentError(reason);

  it('reports a reason once for each APIService, and again when it has changed or was solved', () => {
    const reported: unknown[] = [];
    const problems = new DocumentProblems((error) => reported.push(error));
    const [first, other, late] = [bad('a'), bad('b'), bad('b')];
    problems.failed('v1.g', first);
    problems.failed('v1.g', bad('a'));
    problems.failed('v2.g', first);
    problems.failed('v1.g', other);
    problems.solved('v1.g');
    problems.failed('v1.g', late);
    assert.deepEqual(reported, [first, first, other, late]);
  });

  it('reports no backend that does not answer', () => {
    const problems = new DocumentProblems(() => assert.fail('reported'));
    problems.failed('v1.g', new Error('connection refused'));
  });
});
