import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Node } from '@binnacle/client/kinds/core/v1';
import type { VolumeAttachment } from '@binnacle/client/kinds/storage/v1';
import { node, pod, volume } from './attachdetach.testing.js';
import { newAttachment } from './attachments.js';
import { type NodePlan, planNode } from './plan.js';
import { attachmentName, uniqueName } from './volume-names.js';
import type { WantedVolume } from './wanted.js';

const NOW = Date.UTC(2027, 0, 1);
const MINUTE = 60_000;

const wanted = (name: string, mode?: string): WantedVolume => ({
  driver: 'csi.example.com',
  handle: `handle-${name}`,
  volume: volume(name, mode),
  pods: [pod('p', 'n1', name)],
});
const nameOf = (name: string, on = 'n1') => attachmentName(wanted(name), on);
const unique = (name: string) => uniqueName(wanted(name));

const attachment = (name: string, status: VolumeAttachment['status'], age = 0, on = 'n1'): VolumeAttachment => {
  const made = newAttachment(nameOf(name, on), wanted(name), on);
  const creationTimestamp = new Date(NOW - age).toISOString();
  return { ...made, metadata: { ...made.metadata, creationTimestamp }, ...(status === undefined ? {} : { status }) };
};
const going = ({ metadata, ...others }: VolumeAttachment): VolumeAttachment => ({
  ...others,
  metadata: { ...metadata, deletionTimestamp: '2027-01-01T00:00:00Z' },
});

const short = ({ attach, attached, failed, blocked, detach, report }: NodePlan) =>
  [
    ...attach.map(
      ({
        wanted: {
          volume: { metadata },
        },
      }) => `attach ${metadata.name ?? ''}`,
    ),
    ...attached.map(({ volume: { metadata } }) => `attached ${metadata.name ?? ''}`),
    ...failed.map(({ why }) => `failed ${why}`),
    ...blocked.map(({ by }) => `blocked by ${by.join()}`),
    ...detach.map(({ isForced }) => (isForced ? 'detach by force' : 'detach')),
    ...(report === undefined ? [] : [`report ${report.map(({ name }) => name.slice(-1)).join('')}`]),
  ].join('; ');

describe('planNode', () => {
  const notReady = { conditions: [{ type: 'Ready', status: 'Unknown' }] };
  const reported = { volumesAttached: [{ name: unique('a'), devicePath: '' }] };
  const inUse = { ...reported, volumesInUse: [unique('a')] };
  const yes = { attached: true };
  const timedOut =
    'failed timed out waiting for external-attacher of csi.example.com CSI driver to attach volume handle-a';
  const foreign = { volumesAttached: [{ name: 'kubernetes.io/iscsi/x', devicePath: '/dev/x' }] };
  const rows: [string, Node, string[], VolumeAttachment[], VolumeAttachment[], number, string][] = [
    ['needs nothing', node('n1'), [], [], [], 0, ''],
    ['needs a volume', node('n1'), ['a'], [], [], 0, 'attach a'],
    ['waits for the attacher', node('n1'), ['a'], [attachment('a', { attached: false })], [], 0, ''],
    ['waited for too long', node('n1'), ['a'], [attachment('a', { attached: false }, 3 * MINUTE)], [], 0, timedOut],
    [
      'gets an error',
      node('n1'),
      ['a'],
      [attachment('a', { attached: false, attachError: { message: 'no' } })],
      [],
      0,
      'failed no',
    ],
    ['gets the volume', node('n1'), ['a'], [attachment('a', yes)], [], 0, 'attached a; report a'],
    ['has the volume', node('n1', reported), ['a'], [attachment('a', yes)], [], 0, ''],
    ['keeps what others attached', node('n1', foreign), ['a'], [attachment('a', yes)], [], 0, 'attached a; report xa'],
    ['wants it while it goes', node('n1', reported), ['a'], [going(attachment('a', yes))], [], 0, 'report '],
    ['wants what another has', node('n1'), ['a'], [], [attachment('a', yes, 0, 'n2')], 0, 'blocked by n2'],
    ['wants what another is to get', node('n1'), ['a'], [], [attachment('a', undefined, 0, 'n2')], 0, ''],
    ['wants what another gives back', node('n1'), ['a'], [], [going(attachment('a', yes, 0, 'n2'))], 0, ''],
    ['shares with another', node('n1'), ['shared'], [], [attachment('shared', yes, 0, 'n2')], 0, 'attach shared'],
    ['no longer needs it', node('n1', reported), [], [attachment('a', yes)], [], 0, 'detach; report '],
    ['still uses it', node('n1', inUse), [], [attachment('a', yes)], [], 10 * MINUTE, ''],
    [
      'uses it and is lost for a minute',
      node('n1', { ...inUse, ...notReady }),
      [],
      [attachment('a', yes)],
      [],
      MINUTE,
      '',
    ],
    [
      'uses it and is lost for long',
      node('n1', { ...inUse, ...notReady }),
      [],
      [attachment('a', yes)],
      [],
      6 * MINUTE,
      'detach by force; report ',
    ],
    [
      'is out of service',
      node('n1', inUse, ['node.kubernetes.io/out-of-service']),
      [],
      [attachment('a', yes)],
      [],
      0,
      'detach by force; report ',
    ],
  ];
  for (const [what, given, needs, own, others, unwantedFor, expected] of rows) {
    it(`a node that ${what}: ${expected === '' ? 'nothing' : expected}`, () => {
      const plan = planNode({
        node: given,
        wanted: new Map(
          needs.map((name) => [nameOf(name), wanted(name, name === 'shared' ? 'ReadWriteMany' : undefined)]),
        ),
        known: own.map((each) => ({ attachment: each, unique: unique('a') })),
        othersOf: () => others,
        unwantedSince: () => NOW - unwantedFor,
        now: NOW,
      });
      assert.equal(short(plan), expected);
    });
  }
});
