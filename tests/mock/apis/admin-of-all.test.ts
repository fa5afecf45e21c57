import { expect, it } from 'vitest';
import { createTwins } from '../../../package/twin.ts';
import { projectFile } from '../../support/twin.ts';

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
