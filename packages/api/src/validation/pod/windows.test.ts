import { test } from 'node:test';
import type { Pod, PodSpec } from '../../generated/types/core-v1.js';
import { checkRule, container, podSpec, type WrongCase } from '../rules.testing.js';
import { validatePod } from './pod.js';

const metadata = { name: 'p', namespace: 'n', uid: 'u', resourceVersion: '1' };
const pod: Pod = { metadata, spec: podSpec() };

function spec(fields: Partial<PodSpec>): (object: Pod) => void {
  return (object) => Object.assign(object, { spec: { ...object.spec, ...fields } });
}

test('pods of Windows', () => {
  const options = (windowsOptions: object): PodSpec['containers'] => [
    container({ securityContext: { windowsOptions } }),
  ];
  const named = (runAsUserName: string, ...expected: string[]): WrongCase<Pod> => [
    spec({ containers: options({ runAsUserName }) }),
    expected.map((text) => {
      const field = 'spec.containers[0].securityContext.windowsOptions.runAsUserName';
      return `${field}: Invalid value: ${JSON.stringify(runAsUserName)}: ${text}`;
    }),
  ];
  checkRule(validatePod, pod, [
    named('NT AUTHORITY\\System'),
    named('', 'runAsUserName cannot be an empty string'),
    named('a\\b\\c', 'runAsUserName cannot contain more than one backslash'),
    named('a\tb', 'runAsUserName cannot contain control characters'),
    named(
      '.x|\\..',
      "runAsUserName's Domain doesn't match the NetBios nor the DNS format",
      "runAsUserName's User cannot contain only periods or spaces",
    ),
    [
      spec({ containers: options({ gmsaCredentialSpec: '' }) }),
      [
        'spec.containers[0].securityContext.windowsOptions.gmsaCredentialSpec: Invalid value: "": gmsaCredentialSpec cannot be an empty string',
      ],
    ],
    [
      spec({ containers: [...options({ hostProcess: true }), container({ name: 'd' })] }),
      [
        'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
        'spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers',
      ],
    ],
    [
      spec({
        hostNetwork: true,
        securityContext: { windowsOptions: { hostProcess: true } },
        containers: [...options({ hostProcess: false }), container({ name: 'd' })],
      }),
      [
        'spec.containers[0].securityContext.windowsOptions.hostProcess: Invalid value: false: pod hostProcess value must be identical if both are specified, was true',
        'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
      ],
    ],
    [
      spec({ os: { name: 'linux' }, containers: options({}) }),
      ['spec.containers[0].securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod'],
    ],
    [
      spec({
        os: { name: 'windows' },
        hostPID: true,
        securityContext: { fsGroup: 1 },
        containers: [container({ securityContext: { privileged: true } })],
      }),
      [
        'spec.hostPID: Forbidden: cannot be set for a windows pod',
        'spec.securityContext.fsGroup: Forbidden: cannot be set for a windows pod',
        'spec.containers[0].securityContext.privileged: Forbidden: cannot be set for a windows pod',
      ],
    ],
    [spec({ os: { name: '' } }), ['spec.os.name: Required value']],
    [spec({ os: { name: 'dos' } }), ['spec.os: Unsupported value: "dos": supported values: "linux", "windows"']],
  ]);
});
