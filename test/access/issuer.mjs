import { generateKeyPairSync, sign } from 'node:crypto';
import { Service } from './world.mjs';

const url64 = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** An issuer of OpenID Connect at a path of a service of its own, with an RSA key. */
export class Issuer {
  #keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

  /** `name`: the issuer's URL, if it is not the address of the service. */
  static async start(path, name) {
    const issuer = new Issuer();
    issuer.service = await Service.start(({ path: asked }) => issuer.#answer(asked));
    issuer.address = `${issuer.service.url}${path}`;
    issuer.url = name ?? issuer.address;
    return issuer;
  }

  get discoveryUrl() {
    return `${this.address}/.well-known/openid-configuration`;
  }

  #answer(path) {
    const { pathname } = new URL(this.address);
    const keys = `${this.address}/certs?format=jwk`;
    if (path === `${pathname}/.well-known/openid-configuration`) return { issuer: this.url, jwks_uri: keys };
    if (path !== `${pathname}/certs?format=jwk`) return { code: 404, text: '{}' };
    return { keys: [{ ...this.#keys.publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig' }] };
  }

  /** A token for this audience, good for an hour. `alg`: RS256 or PS256 and so on. */
  token(claims, alg = 'RS256') {
    const now = Math.floor(Date.now() / 1000);
    const payload = { iss: this.url, aud: 'kube', iat: now, exp: now + 3600, ...claims };
    const text = `${url64({ alg, kid: 'k1', typ: 'JWT' })}.${url64(payload)}`;
    const signature = sign(`sha${alg.slice(2)}`, Buffer.from(text), this.#keys.privateKey);
    return `${text}.${signature.toString('base64url')}`;
  }

  [Symbol.asyncDispose]() {
    return this.service[Symbol.asyncDispose]();
  }
}
