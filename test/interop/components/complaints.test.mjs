import assert from 'node:assert/strict';
import { it } from 'node:test';
import { complaintsIn, misunderstandingsIn } from './complaints.mjs';

it('answers that should not be are found in metrics', () => {
  const line = (code, labels) =>
    `apiserver_request_total{code="${code}",component="apiserver",dry_run="",${labels},verb="PUT",version="v1"} 3`;
  const pods = 'group="",resource="pods",scope="resource",subresource="status"';
  const jobs = 'group="batch",resource="jobs",scope="resource",subresource=""';
  const metrics = ['200', '404', '409', '429', '422', '500'].map((code) => line(code, pods));
  assert.deepEqual(misunderstandingsIn([...metrics, line('415', jobs)].join('\n')), [
    'PUT pods/status 422: 3',
    'PUT pods/status 500: 3',
    'PUT batch/jobs 415: 3',
  ]);
});

it('complaints are found in logs, but those that are explained', () => {
  const lines = [
    'I1122 controller.go:1] "Synced"',
    'E1122 reflector.go:2] "Failed to watch" err="the server could not find the requested resource (get lamps.example.com)"',
    'E1122 horizontal.go:3] "Unhandled Error" err="the server could not find the requested resource (get pods.metrics.k8s.io)"',
    'E1122 reflector.go:4] "Failed to watch" err="unable to decode an event from the watch stream: proto: illegal wireType 7"',
    'W1122 warnings.go:5] "unknown field \\"spec.colour\\""',
  ];
  assert.deepEqual(complaintsIn(lines.join('\n')), [lines[1], lines[3], lines[4]]);
});
