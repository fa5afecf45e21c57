import { expect, it } from 'vitest';
import { createTwins } from '../../../package/twin.ts';
import { bearer, projectFile } from '../../support/twin.ts';

const apis = {
  users: projectFile('examples/many/users.yaml'),
  orders: projectFile('examples/many/orders.yaml'),
};

it('shows metrics in which each family has its head once, also one without samples', async () => {
  await using twins = await createTwins({ apis });
  await fetch(`${twins.origin}/users/__admin/metrics`);
  await fetch(`${twins.apis.users.url}/accounts`);
  const text = await (await fetch(`${twins.origin}/__admin/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '');
  expect(lines.filter((line) => !/^# (?:HELP|TYPE) \w|^\w+(?:\{.+\})? \S+$/.test(line))).toEqual(
    [],
  );
  const heads = lines.filter((line) => line.startsWith('#'));
  expect(new Set(heads).size).toBe(heads.length);
  for (const name of ['requests_total', 'limit_refused_total', 'banned'])
    expect(text).toContain(`\n# TYPE petstore_twin_${name} `);
  expect(text).toContain('petstore_twin_requests_total{api="users",operation="listAccounts"');
});

it('lets in pages of given origins, and says how to come in', async () => {
  const page = 'http://page.test';
  await using twins = await createTwins({ apis, adminToken: 't', adminOrigins: [page] });
  const call = (method: string, headers: object) =>
    fetch(`${twins.origin}/__admin/reset`, { method, headers: { Origin: page, ...headers } });
  const preflight = await call('OPTIONS', {
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization',
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization');
  const refused = await call('POST', {});
  expect(refused.headers.get('www-authenticate')).toContain('Bearer');
  const done = await call('POST', bearer('t'));
  for (const { headers } of [preflight, refused, done])
    expect(headers.get('access-control-allow-origin')).toBe(page);
  const unknown = await call('DELETE', bearer('t'));
  expect(unknown.headers.get('allow')).toBe('POST, OPTIONS');
});
