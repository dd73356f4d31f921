/** What went wrong between the components and the server, as both of them tell it. */

/** Answers that say that one side does not understand the other, or has failed. */
const isMisunderstanding = (code) => ['400', '405', '406', '413', '415', '422'].includes(code) || code.startsWith('5');

/** `VERB group/resource/subresource code: times` of each such answer, out of the server's metrics. */
export function misunderstandingsIn(metrics) {
  const found = [];
  for (const [, labels, times] of metrics.matchAll(/^apiserver_request_total\{(.*)\} (\d+)$/gm)) {
    const of = Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
    if (!isMisunderstanding(of.code)) continue;
    const path = [of.group, of.resource, of.subresource].filter((part) => part !== '').join('/');
    found.push(`${of.verb} ${path} ${of.code}: ${times}`);
  }
  return found;
}

/** How components word it when they cannot read an answer, or when they are told that a request is wrong. */
const wordings = [
  /could not find the requested resource/,
  /no matches for kind/,
  /unknown field/,
  /unable to (decode|parse|unmarshal)|cannot (decode|unmarshal)|couldn't decode|failed to (decode|unmarshal)/i,
  /illegal (tag|wireType)|proto: |unexpected EOF|invalid character/,
  /the server (rejected our request|was unable to return a response|responded with the status code)/,
  /is invalid:|Unsupported value|unsupported media type|not acceptable/i,
  /Unauthorized|is forbidden: User/,
  /panic|too old resource version|internal error/i,
];

const explained = [
  // No metrics server runs here, and the autoscaler logs that each time it looks for one.
  /get pods\.metrics\.k8s\.io/,
  // A kubelet looks after a pod that is gone, and what is gone has nothing to do with a node. Upstream's authorizer says the same.
  /"Failed to get status for pod" .*no relationship found/,
];

/** The lines of a log that are about that. */
export function complaintsIn(log) {
  return log
    .split('\n')
    .filter((line) => wordings.some((wording) => wording.test(line)))
    .filter((line) => !explained.some((pattern) => pattern.test(line)));
}
