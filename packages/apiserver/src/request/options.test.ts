import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StatusError } from '@binnacle/apimachinery/status';
import { type DeleteOptionsBody, deleteOptionsFrom } from './delete-options.js';
import { checkListOptions, decodeListOptions } from './list-options.js';
import { parseInt64 } from './query-values.js';
import { parseGetOptions, parseTableOptions } from './read-options.js';
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

describe('list options', () => {
  const list = (text: string): string => refusal(() => checkListOptions(decodeListOptions(query(text))));
  const forbidden = '422 ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: ';
  const cases: readonly (readonly [query: string, answer: string])[] = [
    ['limit=x', '400 strconv.ParseInt: parsing "x": invalid syntax'],
    ['timeoutSeconds=1.5&limit=x', '400 strconv.ParseInt: parsing "1.5": invalid syntax'],
    ['limit=9223372036854775808', '400 strconv.ParseInt: parsing "9223372036854775808": value out of range'],
    ['limit=', '400 strconv.ParseInt: parsing "": invalid syntax'],
    ['limit=-1', 'accepted'],
    [
      'resourceVersion=0&resourceVersionMatch=Exact',
      `${forbidden}resourceVersionMatch "exact" is forbidden for resourceVersion "0"`,
    ],
    ['resourceVersionMatch=Exact', `${forbidden}resourceVersionMatch is forbidden unless resourceVersion is provided`],
    [
      'resourceVersion=1&resourceVersionMatch=Nope',
      '422 ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Unsupported value: "Nope": supported values: "Exact", "NotOlderThan", ""',
    ],
    [
      'limit=2&continue=c&resourceVersionMatch=NotOlderThan',
      '422 ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided, resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided]',
    ],
    [
      'watch=1&resourceVersionMatch=NotOlderThan&resourceVersion=1',
      `${forbidden}resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided`,
    ],
    [
      'watch=1&sendInitialEvents=true',
      `${forbidden}sendInitialEvents requires setting resourceVersionMatch to NotOlderThan`,
    ],
    [
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
      '422 ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided, sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list]',
    ],
    ['watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true', 'accepted'],
  ];
  for (const [text, answer] of cases) {
    it(text, () => {
      assert.equal(list(text), answer);
    });
  }

  it('fills in the default of a watch without a start', () => {
    assert.equal(decodeListOptions(query('watch=1')).sendInitialEvents, true);
    assert.equal(decodeListOptions(query('watch=1&resourceVersion=0')).resourceVersionMatch, 'NotOlderThan');
    assert.equal(decodeListOptions(query('watch=1&resourceVersion=5')).sendInitialEvents, undefined);
    assert.equal(decodeListOptions(query('')).sendInitialEvents, undefined);
  });
});

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

describe('read options', () => {
  it('refuse export and unknown includeObject values', () => {
    assert.equal(
      refusal(() => parseGetOptions(query('export'))),
      '400 the export parameter, deprecated since v1.14, is no longer supported',
    );
    assert.equal(parseGetOptions(query('export=false&resourceVersion=0')).resourceVersion, '0');
    assert.equal(parseTableOptions(query('')).includeObject, 'Metadata');
    assert.equal(
      refusal(() => parseTableOptions(query('includeObject=All'))),
      `400 Unable to convert to Table as requested: includeObject: Invalid value: "All": must be 'Metadata', 'Object', 'None', or empty`,
    );
  });
});

describe('parseInt64', () => {
  it('keeps every digit', () => {
    assert.equal(parseInt64('+007'), 7);
    assert.equal(parseInt64('-9223372036854775808'), -9223372036854775808n);
    assert.equal(parseInt64('1_000'), 'strconv.ParseInt: parsing "1_000": invalid syntax');
  });
});
