import { once } from 'node:events';
import { createServer } from 'node:https';
import { makeTestCertificate } from '../../packages/apiserver/dist/testing/test-certificate.js';

/** A conversion webhook in this process. What it answers is `answer`, for a test to replace. */
export class Webhook {
  static async start() {
    const webhook = new Webhook(makeTestCertificate('/CN=webhook'));
    webhook.server.listen(0, '127.0.0.1');
    await once(webhook.server, 'listening');
    return webhook;
  }

  /** Every review that came. */
  reviews = [];
  answer = converted;

  constructor({ certificate, privateKey }) {
    this.certificate = certificate;
    this.server = createServer({ cert: certificate, key: privateKey }, (request, response) => {
      const chunks = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const review = JSON.parse(Buffer.concat(chunks).toString());
        this.reviews.push({ ...review, path: request.url });
        const answer = this.answer(review, response);
        if (answer !== undefined) response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
      });
    });
  }

  get url() {
    return `https://127.0.0.1:${this.server.address().port}/convert`;
  }

  /** For a definition's spec. */
  conversion(parts = {}) {
    const caBundle = Buffer.from(this.certificate).toString('base64');
    const clientConfig = { url: this.url, caBundle };
    return { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'], ...parts } };
  }

  stop() {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }
}

/** An answer of objects. */
export function answerOf({ apiVersion, kind, request }, convertedObjects, result = { status: 'Success' }) {
  return { apiVersion, kind, response: { uid: request.uid, result, convertedObjects } };
}

/** What a webhook is for: `v1` has a host and a port where `v2` has an address of both. */
export function converted(review) {
  const { objects, desiredAPIVersion } = review.request;
  return answerOf(
    review,
    objects.map((object) => convert(object, desiredAPIVersion)),
  );
}

export function convert(object, apiVersion) {
  const { host, port, address, ...rest } = object;
  if (apiVersion.endsWith('/v2') && !object.apiVersion.endsWith('/v2')) {
    return { ...rest, apiVersion, address: `${host ?? ''}:${port ?? ''}` };
  }
  if (!apiVersion.endsWith('/v2') && object.apiVersion.endsWith('/v2')) {
    const [, left = '', right = ''] = /^(.*):(.*)$/.exec(address ?? '') ?? [];
    return { ...rest, apiVersion, host: left, port: right };
  }
  return { ...object, apiVersion };
}
