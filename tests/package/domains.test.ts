import { expect, it } from 'vitest';
import { createTwin } from '../../package/twin.ts';

it('publishes a project, and leads domains to it', async () => {
  await using twin = await createTwin();
  const { domains, clock } = twin;
  await expect(domains.add('docs.example.com')).rejects.toMatchObject({ code: 'domain_refused' });
  const project = await domains.project({ plan: 'pro', deploy: 'succeeded' });
  expect(await domains.project()).toEqual(project);
  const slow = await domains.project({ propagationHours: 49 });
  expect(slow).toEqual({ ...project, propagationHours: 49 });
  const { record, state } = await domains.add('docs.example.com');
  expect(state).toBe('pending');
  const [type = 'CNAME'] = record.types;
  const records = await domains.dns.set([{ name: record.name, type, value: record.value }]);
  expect(records).toEqual([{ name: record.name, type, ttl: 3600, value: record.value }]);
  expect(await domains.dns.list()).toEqual(records);
  await clock.advance(50 * 3600 * 1000);
  expect(await domains.get('docs.example.com')).toMatchObject({ state: 'active', problems: [] });
  expect((await domains.verify('docs.example.com')).state).toBe('active');
  const redirect = await domains.redirects.add({ from: 'www.example.com', to: 'docs.example.com' });
  expect(await domains.redirects.list()).toEqual([redirect]);
  await domains.redirects.remove('www.example.com');
  await domains.remove('docs.example.com');
  expect([await domains.list(), await domains.redirects.list()]).toEqual([[], []]);
});
