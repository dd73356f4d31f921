/**
 * Service account tokens with kubectl: created, used as the only credential, subject to RBAC, and invalid once their
 * bound object is deleted. Each step depends on the ones before.
 */
import assert from 'node:assert/strict';

const namespace = 'tokens';
const inTokens = ['-n', namespace];
/** The first kubectl with `create token`, and the first whose `auth whoami` uses the stable API. */
const createsTokens = 24;
const knowsWhoami = 28;

/** In running order: `{ name, run(kubectl) }`. */
export const tokenSteps = [];
const step = (name, run) => tokenSteps.push({ name, run });

/** The token of the first step, by client, because two clients may run at once. */
const tokens = new WeakMap();

/** Arguments for a client with only this token. */
async function as(kubectl, bearer) {
  const config = JSON.parse(await kubectl.run(['config', 'view', '--raw', '--minify', '-o', 'json']));
  const anonymous = { ...config, users: [{ name: config.users[0].name, user: {} }] };
  return ['--kubeconfig', kubectl.file('nobody', JSON.stringify(anonymous)), `--token=${bearer}`, ...inTokens];
}

/** A token of bot's, bound to a secret if one is given. */
async function createToken(kubectl, secret) {
  if (kubectl.minor >= createsTokens) {
    const bound = secret === undefined ? [] : ['--bound-object-kind=Secret', `--bound-object-name=${secret}`];
    return (await kubectl.run(['create', 'token', 'bot', '--duration=10m', ...bound, ...inTokens])).trim();
  }
  const boundObjectRef = secret === undefined ? undefined : { apiVersion: 'v1', kind: 'Secret', name: secret };
  const spec = { expirationSeconds: 600, boundObjectRef };
  const input = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec });
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/bot/token`;
  return JSON.parse(await kubectl.run(['create', '--raw', path, '-f', '-'], { input })).status.token;
}

step('a token says who comes', async (kubectl) => {
  await kubectl.run(['create', 'namespace', namespace]);
  await kubectl.run(['create', 'serviceaccount', 'bot', ...inTokens]);
  const token = await createToken(kubectl);
  tokens.set(kubectl, token);
  assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
  const bot = await as(kubectl, token);
  if (kubectl.minor >= knowsWhoami) {
    await kubectl.prints(['auth', 'whoami', ...bot], [/system:serviceaccount:tokens:bot$/m, /JTI=[0-9a-f-]{36}/]);
  }
  assert.match(
    await kubectl.fails(['get', 'pods', ...bot]),
    /pods is forbidden: User "system:serviceaccount:tokens:bot" cannot list resource "pods"/,
  );
});

step('RBAC lets it in', async (kubectl) => {
  await kubectl.run(['create', 'role', 'reader', '--verb=list', '--resource=pods', ...inTokens]);
  await kubectl.run(['create', 'rolebinding', 'bot', '--role=reader', '--serviceaccount=tokens:bot', ...inTokens]);
  const bot = await as(kubectl, tokens.get(kubectl));
  assert.equal(await kubectl.run(['get', 'pods', '-o', 'name', ...bot]), '');
  assert.match(await kubectl.fails(['get', 'secrets', ...bot]), /secrets is forbidden/);
});

step('what is not a token of this server does not', async (kubectl) => {
  const [head, payload, signature] = tokens.get(kubectl).split('.');
  const changed = `${head}.${payload}.${signature.split('').reverse().join('')}`;
  assert.match(await kubectl.fails(['get', 'pods', ...(await as(kubectl, changed))]), /Unauthorized/);
});

step('a token ends with what it is bound to', async (kubectl) => {
  await kubectl.run(['create', 'secret', 'generic', 'lease', ...inTokens]);
  const bot = await as(kubectl, await createToken(kubectl, 'lease'));
  await kubectl.run(['get', 'pods', ...bot]);
  await kubectl.run(['delete', 'secret', 'lease', ...inTokens]);
  assert.match(await kubectl.fails(['get', 'pods', ...bot]), /Unauthorized/);
});

step('a token ends with the account, and does not come back with it', async (kubectl) => {
  const bot = await as(kubectl, tokens.get(kubectl));
  await kubectl.run(['get', 'pods', ...bot]);
  await kubectl.run(['delete', 'serviceaccount', 'bot', ...inTokens]);
  assert.match(await kubectl.fails(['get', 'pods', ...bot]), /You must be logged in to the server.*Unauthorized/);
  await kubectl.run(['create', 'serviceaccount', 'bot', ...inTokens]);
  assert.match(await kubectl.fails(['get', 'pods', ...bot]), /Unauthorized/);
  await kubectl.run(['get', 'pods', ...(await as(kubectl, await createToken(kubectl)))]);
});
