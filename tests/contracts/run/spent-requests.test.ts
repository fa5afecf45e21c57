import { expect, it } from 'vitest';
import type { Report } from '../../../contracts/report/events.ts';
import { documentOf } from '../../support/document-of.ts';
import { Deployment } from '../../support/shared-deployment.ts';
import { useVerify } from '../../support/verify-command.ts';
import { writeJson } from '../../support/write-json.ts';

const runVerify = useVerify();
/** A document of so many collections, each with a list, a create, a read and a deletion. */
const toShelves = (count: number) =>
  documentOf(
    `
    ${Array.from({ length: count }, (_, index) => `shelf${index + 1}`)
      .flatMap((name) => [
        `GET /${name} -> [Item]`,
        `POST /${name} { name! }! -> 201 Item, 400`,
        `GET /${name}/{id} -> Item, 404`,
        `DELETE /${name}/{id} -> 204`,
      ])
      .join('\n')}
    GET /health -> any
    Item: { id!: int, name! }
    `,
  );

async function runOn(count: number, maxRequests: number, more: string[] = []) {
  const deployment = new Deployment();
  const url = await deployment.start(({ path }) =>
    path === '/health' ? { status: 200, body: {} } : undefined,
  );
  const spec = await writeJson(toShelves(count));
  const args = ['--spec', spec, '--target', url, '--max-requests', String(maxRequests)];
  const { out } = await runVerify([...args, '--no-mock', '--allow-writes', ...more]);
  const asked = deployment.asked.map(({ method, segments }) => `${method} /${segments[0]}`);
  return { out, asked };
}

it('spends what changes leave of the requests, and says what it lacked them for', async () => {
  const { out, asked } = await runOn(12, 300, ['--json', '-']);
  const { targets, incomplete, findings } = JSON.parse(out) as Report;
  expect(asked.length).toBeGreaterThan(285);
  // Tidying up may take more.
  expect(asked.length).toBeLessThan(320);
  expect(targets[0]?.requests).toBe(asked.length);
  expect(incomplete.join()).toMatch(/300 requests/);
  expect(findings.filter(({ verdict }) => verdict === 'drift')).toEqual([]);
});

it('makes all cases where there are enough requests, and says nothing of their number', async () => {
  const { out, asked } = await runOn(3, 900, ['--json', '-']);
  const { incomplete } = JSON.parse(out) as Report;
  expect(asked.length).toBeLessThan(900);
  expect(incomplete).toEqual([]);
});

it('reads plainly before it changes anything, and tells why it did not reach the rest', async () => {
  const { out, asked } = await runOn(12, 60, ['--json', '-']);
  const first = asked.findIndex((call) => call.startsWith('POST'));
  expect(asked.slice(0, first)).toContain('GET /health');
  const { notCalled } = JSON.parse(out) as Report;
  expect(notCalled.length).toBeGreaterThan(0);
  for (const { reason } of notCalled) expect(reason).toMatch(/60 requests/);
});
