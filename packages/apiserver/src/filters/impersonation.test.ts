import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { StatusError } from '@binnacle/apimachinery/status';
import type { UserInfo } from '../authentication/index.js';
import type { AuthorizationAttributes, Authorizer } from '../authorization/index.js';
import { parseRequestInfo, RequestContext } from '../request/index.js';
import { FakeExchange } from '../testing/index.js';
import { impersonation, type ImpersonationObserver } from './impersonation.js';

const admin: UserInfo = { name: 'admin', uid: '', groups: ['system:masters'], extra: {} };
const agent: UserInfo = {
  name: 'system:serviceaccount:ops:agent',
  uid: '',
  groups: [],
  extra: { 'authentication.kubernetes.io/node-name': ['n1'], other: ['x'] },
};

const silent: ImpersonationObserver = { attempted: () => undefined, asked: () => undefined };

const everything: Authorizer = { authorize: () => ({ allowed: true, reason: '' }) };

/** A check in short form: `impersonate users/jane`, `impersonate-on:user-info:list pods`. */
function short({ verb, group, resource, subresource, namespace, name }: AuthorizationAttributes): string {
  const where = group === '' ? resource : `${resource}.${group}`;
  return [verb, [where, subresource, namespace, name].filter((part) => part !== '').join('/')].join(' ');
}

/** Allows these checks, and records every check. */
function allowing(...allowed: string[]) {
  const asked: string[] = [];
  const authorizer: Authorizer = {
    authorize: (attributes) => {
      asked.push(short(attributes));
      return { allowed: allowed.includes(short(attributes)), reason: '' };
    },
  };
  return { authorizer, asked };
}

async function enter(authorizer: Authorizer, headers: IncomingHttpHeaders, user = admin): Promise<UserInfo> {
  const path = '/api/v1/namespaces/n/pods';
  const context = new RequestContext(new FakeExchange({ url: path, headers }), path, new URLSearchParams(), 0);
  context.info = parseRequestInfo('GET', path, context.query);
  context.user = user;
  await impersonation(authorizer, new VirtualClock(), silent).enter(context);
  return context.user;
}

describe('the last mode that allowed a user', () => {
  it('is tried first, and its refusal is the reported one', async () => {
    const { authorizer, asked } = allowing('impersonate users/jane');
    const attempts: string[] = [];
    const filter = impersonation(authorizer, new VirtualClock(), {
      ...silent,
      attempted: (mode, decision) => void attempts.push(`${mode} ${decision}`),
    });
    const user = { ...admin, groups: [] };
    const become = async (name: string) => {
      const path = '/api/v1/namespaces/n/pods';
      const exchange = new FakeExchange({ url: path, headers: { 'impersonate-user': name } });
      const context = new RequestContext(exchange, path, new URLSearchParams(), 0);
      context.info = parseRequestInfo('GET', path, context.query);
      context.user = user;
      asked.length = 0;
      await filter.enter(context);
    };
    await become('jane');
    assert.deepEqual(asked, ['impersonate-on:user-info:list pods/n', 'impersonate users/jane']);
    await become('jane');
    assert.deepEqual(asked, ['impersonate users/jane']);
    assert.deepEqual(attempts, ['legacy allowed', 'legacy allowed']);
    await assert.rejects(
      become('joe'),
      refusal(
        403,
        'users "joe" is forbidden: User "admin" cannot impersonate resource "users" in API group "" at the cluster scope',
      ),
    );
    assert.equal(attempts.at(-1), ' denied');
  });
});

function refusal(code: number, message: string) {
  return (error: unknown) => {
    assert.ok(error instanceof StatusError, String(error));
    assert.equal(error.message, message);
    assert.equal(error.code, code);
    return true;
  };
}

describe('impersonation', () => {
  it('ignores a request without impersonation headers', async () => {
    const { authorizer, asked } = allowing();
    assert.equal(await enter(authorizer, { 'user-agent': 'x' }), admin);
    assert.deepEqual(asked, []);
  });

  it('takes the name, groups and extra values from the headers', async () => {
    const user = await enter(everything, {
      'impersonate-user': 'jane',
      'impersonate-uid': 'u1',
      'impersonate-group': 'CN=dev, OU=a',
      'impersonate-extra-acme.io%2fteam': 'red',
      'impersonate-extra-%e9': 'blue',
    });
    assert.deepEqual(user, {
      name: 'jane',
      uid: 'u1',
      groups: ['CN=dev, OU=a', 'system:authenticated'],
      extra: { 'acme.io/team': ['red'], '\ufffd': ['blue'] },
    });
  });

  it('gives service accounts their groups, and gives no user system:unauthenticated', async () => {
    const { groups } = await enter(everything, { 'impersonate-user': 'system:serviceaccount:n:a' });
    assert.deepEqual(groups, ['system:serviceaccounts', 'system:serviceaccounts:n', 'system:authenticated']);
    const anonymous = await enter(everything, { 'impersonate-user': 'system:anonymous' });
    assert.deepEqual(anonymous.groups, ['system:unauthenticated']);
  });

  it('refuses headers without a user name', async () => {
    await assert.rejects(
      enter(everything, { 'impersonate-group': 'g' }),
      refusal(
        400,
        'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string(nil)} without impersonating a user name',
      ),
    );
    await assert.rejects(
      enter(everything, { 'impersonate-uid': '1', 'impersonate-extra-x': 'y' }),
      refusal(
        400,
        'requested &user.DefaultInfo{Name:"", UID:"1", Groups:[]string(nil), Extra:map[string][]string{"x":[]string{"y"}}} without impersonating a user name',
      ),
    );
  });

  it('checks the constrained right first, then the unconstrained one, and reports the first refusal', async () => {
    const { authorizer, asked } = allowing();
    await assert.rejects(
      enter(authorizer, { 'impersonate-user': 'jane' }),
      refusal(
        403,
        'pods is forbidden: User "admin" cannot impersonate-on:user-info:list resource "pods" in API group "" in the namespace "n"',
      ),
    );
    assert.deepEqual(asked, ['impersonate-on:user-info:list pods/n', 'impersonate users/jane']);
  });

  it('passes with either right', async () => {
    const constrained = allowing(
      'impersonate-on:user-info:list pods/n',
      'impersonate:user-info users.authentication.k8s.io/jane',
    );
    assert.equal((await enter(constrained.authorizer, { 'impersonate-user': 'jane' })).name, 'jane');
    const old = allowing('impersonate users/jane');
    assert.equal((await enter(old.authorizer, { 'impersonate-user': 'jane' })).name, 'jane');
  });

  it('checks every group and every extra value', async () => {
    const { authorizer, asked } = allowing('impersonate users/jane', 'impersonate groups/a');
    const headers = { 'impersonate-user': 'jane', 'impersonate-group': 'a', 'impersonate-extra-k': 'v' };
    await assert.rejects(enter(authorizer, headers), { code: 403 });
    assert.equal(asked.at(-1), 'impersonate userextras.authentication.k8s.io/k/v');
  });

  it('never allows system:masters through a constrained right', async () => {
    const { authorizer } = allowing(
      'impersonate-on:user-info:list pods/n',
      'impersonate:user-info users.authentication.k8s.io/jane',
    );
    await assert.rejects(
      enter(authorizer, { 'impersonate-user': 'jane', 'impersonate-group': 'system:masters' }),
      refusal(
        403,
        'groups.authentication.k8s.io "system:masters" is forbidden: User "admin" cannot impersonate:user-info resource "groups" in API group "authentication.k8s.io" at the cluster scope: impersonating the system:masters group is not allowed',
      ),
    );
  });

  it('lets an agent impersonate its own node, and no other', async () => {
    const { authorizer } = allowing(
      'impersonate-on:associated-node:list pods/n',
      'impersonate:associated-node nodes.authentication.k8s.io/*',
    );
    const node = await enter(authorizer, { 'impersonate-user': 'system:node:n1' }, agent);
    assert.deepEqual(node, {
      name: 'system:node:n1',
      uid: '',
      groups: ['system:nodes', 'system:authenticated'],
      extra: {},
    });
    await assert.rejects(enter(authorizer, { 'impersonate-user': 'system:node:n2' }, agent), { code: 403 });
  });
});
