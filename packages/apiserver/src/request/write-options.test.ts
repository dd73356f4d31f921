import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StatusError } from '@binnacle/apimachinery/status';
import { parseCreateOptions, parsePatchOptions } from './write-options.js';

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

describe('write options', () => {
  it('are refused in upstream words', () => {
    assert.equal(
      refusal(() => parseCreateOptions(query('dryRun=Some'))),
      '422 CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
    );
    assert.equal(
      refusal(() => parseCreateOptions(query('fieldValidation=Nope'))),
      '422 CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "Nope": supported values: "", "Ignore", "Strict", "Warn"',
    );
    assert.equal(
      refusal(() => parsePatchOptions(query(''), true)),
      '422 PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    );
    assert.equal(
      refusal(() => parsePatchOptions(query(`fieldManager=${'m'.repeat(129)}`), true)),
      '422 PatchOptions.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes',
    );
    assert.equal(
      refusal(() => parsePatchOptions(query('force=true'), false)),
      '422 PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    );
    assert.equal(
      refusal(() => parseCreateOptions(query('fieldManager=%C3%A9%07'))),
      '422 CreateOptions.meta.k8s.io "" is invalid: fieldManager: Invalid value: "é\\a": invalid character U+0007 (at position 2)',
    );
  });

  it('accept legal values', () => {
    assert.deepEqual(parsePatchOptions(query('dryRun=All&fieldManager=m&fieldValidation=Strict&force'), true), {
      dryRun: true,
      fieldManager: 'm',
      fieldValidation: 'Strict',
      force: true,
    });
  });
});
