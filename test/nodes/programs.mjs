import { readFileSync } from 'node:fs';
import { createServer as createPlainServer } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';

/*
 * The program of the pods of `processes.process.test.mjs`: `web` answers, `hook` denies ConfigMaps with the label `deny`, `crash` ends.
 */
const [what, folder = ''] = process.argv.slice(2);

function denies(request, response) {
  let body = '';
  request.on('data', (bytes) => (body += bytes));
  request.on('end', () => {
    const { request: review } = JSON.parse(body);
    const allowed = review.object.metadata.labels?.deny === undefined;
    const status = { message: `the process ${process.pid} says no` };
    response.setHeader('content-type', 'application/json');
    const answer = { uid: review.uid, allowed, ...(allowed ? {} : { status }) };
    response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }));
  });
}

if (what === 'crash') {
  console.log('run', process.pid);
  process.exit(7);
} else if (what === 'hook') {
  const read = (name) => readFileSync(join(folder, name));
  createServer({ cert: read('tls.crt'), key: read('tls.key') }, denies).listen(9443, process.env.POD_IP);
} else {
  console.log(JSON.stringify({ pid: process.pid, secret: process.env.SECRET, home: process.env.ONLY_THE_SERVER }));
  process.on('SIGTERM', () => {
    console.log('ending');
    process.exit(0);
  });
  createPlainServer((request, response) => response.end(`${process.env.HOSTNAME} ${request.url}\n`)).listen(
    8080,
    process.env.POD_IP,
  );
}
