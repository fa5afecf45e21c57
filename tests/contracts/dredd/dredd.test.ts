import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { useRepeatedRuns } from '../../support/repeated-runs.ts';
import { projectFile, startTwin } from '../../support/twin.ts';
import { runAlone } from '../../support/verify-command.ts';

/** For what ends before Dredd is loaded. */
const refuse = useRepeatedRuns('dredd');

/** A deployment in front of a twin that answers in its own way where `spoil` says so. */
async function startDeployment(
  spoil: (request: IncomingMessage, response: ServerResponse) => boolean,
): Promise<string> {
  const twin = await startTwin();
  const server = createServer(async (request, response) => {
    if (spoil(request, response)) return;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { authorization, 'content-type': type } = request.headers;
    const answer = await fetch(twin.origin + request.url, {
      method: request.method ?? 'GET',
      headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const dredd = (...args: string[]) => runAlone('contracts/dredd/main.ts', args);

it('passes on the twin, and gives a reason for each transaction that it skips', async () => {
  const { api } = await startTwin();
  const { code, out, err } = await dredd(api, '--key', 'free=demo-free');
  expect(err).toBe('');
  expect(out.replace(/\d+\.\d s/, '# s').replace(api, 'URL')).toMatchInlineSnapshot(`
    "Dredd replays Pet Store Service 1.0.0 against URL

      createPet   201  passed
      createPet   400  passed
      createPet   401  passed
      createPet   413  skipped
          no size limit is stated, so no body is surely too large
      createPet   415  passed
      createPet   429  skipped
          a key's quota is never used up on purpose
      listPets    200  passed
      listPets    400  skipped
          no request is known that 400 answers
      listPets    401  passed
      listPets    429  skipped
          a key's quota is never used up on purpose
      getPet      200  passed
      getPet      401  passed
      getPet      404  passed
      getPet      410  skipped
          it needs a clock past the removal date
      getPet      429  skipped
          a key's quota is never used up on purpose
      listOrders  200  passed
      listOrders  401  passed
      listOrders  429  skipped
          a key's quota is never used up on purpose

      11 passed, 0 failed, 0 different, 7 skipped of 18 in # s
      Created and not deleted: pets/121
    "
  `);
  expect(code).toBe(0);
});

it('replays any other document, and calls what it creates its own', async () => {
  const spec = projectFile('tests/support/shelters.yaml');
  const { api } = await startTwin({ spec });
  const { code, out } = await dredd(api, '--key', 'demo-free', '--spec', spec);
  expect(out).toContain('6 passed, 0 failed, 0 different, 0 skipped of 6');
  expect(out).not.toContain('left there');
  expect(code).toBe(0);
});

it('fails a deployment whose list answers 500', async () => {
  const url = await startDeployment(({ method, url: path, headers }, response) => {
    if (method !== 'GET' || !/^\/v1\/pets(\?|$)/.test(path ?? '') || !headers.authorization)
      return false;
    response.writeHead(500).end();
    return true;
  });
  const { code, out } = await dredd(url, '--key', 'demo-free');
  expect(out).toMatch(/listPets +200 +failed\n +Expected status code '200', but got '500'\./);
  expect(out).toContain('10 passed, 1 failed, 0 different, 7 skipped of 18');
  expect(code).toBe(1);
});

it('fails a body that breaks its schema and a header that is not there, and tells neither the key nor control characters', async () => {
  const url = await startDeployment(({ url: path, headers }, response) => {
    if (!/^\/v1\/pets\/\d+$/.test(path ?? '') || !headers.authorization) return false;
    const animal = {
      id: 1,
      name: 'Rex',
      categoryId: 1,
      status: `\u001b[31m${headers.authorization}`,
    };
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(animal));
    return true;
  });
  const { code, out } = await dredd(url, '--key', 'demo-business');
  expect(out).toContain("headers: At '/x-ratelimit-limit' Missing required property");
  expect(out).toContain('body: At \'/status\' No enum match for: "\\x1b[31mBearer $KEY"');
  expect(out).not.toContain('demo-business');
  expect(out).not.toContain('\u001b');
  expect(code).toBe(1);
});

it('takes what the interface leaves open for different, not failed', async () => {
  const url = await startDeployment(({ url: path, headers }, response) => {
    if (path !== '/v1/store/orders' || !headers.authorization) return false;
    response.writeHead(404, { 'Content-Type': 'text/html' }).end('<p>');
    return true;
  });
  const { code, out } = await dredd(url, '--key', 'demo-free');
  expect(out).toMatch(/listOrders +200 +different/);
  expect(out).toContain('10 passed, 0 failed, 1 different');
  expect(code).toBe(0);
});

it('blames nobody for an answer of 429', async () => {
  const url = await startDeployment(({ headers }, response) => {
    if (!headers.authorization) return false;
    response.writeHead(429, { 'Retry-After': '60' }).end();
    return true;
  });
  const { code, out } = await dredd(url, '--key', 'demo-free');
  expect(out).toContain('the answer is 429: the quota of the key is used up');
  expect(out).toContain('0 failed');
  expect(code).toBe(0);
});

it('fails a response that never arrives, and a target that is not there', async () => {
  const none = await dredd('http://127.0.0.1:9/v1', '--key', 'demo-free');
  expect(none.out).toMatch(
    /listPets +200 +failed\n +no complete answer: the connection was refused/,
  );
  expect(none.code).toBe(1);
  const url = await startDeployment(
    ({ url: path, headers }) => path === '/v1/store/orders' && headers.authorization !== undefined,
  );
  const { code, out } = await dredd(url, '--key', 'demo-free', '--timeout', '700');
  expect(out).toMatch(/listOrders +200 +failed\n +no answer within 700 ms/);
  expect(code).toBe(1);
});

it('says in one line why it cannot run, and exits with 2', async () => {
  const { api, origin } = await startTwin();
  const cases: [args: string[], message: string][] = [
    [[origin, '--key', 'demo-free'], 'that ends in /v1'],
    [['demo-free'], 'The target must be an http or https URL'],
    [[api], 'A key is needed'],
    [['--key', 'demo-free'], 'Name one target'],
    [[api, '--key', 'demo-free', '--timeout', '0'], '--timeout must be'],
    [[api, '--key', 'demo-free', '--spec', 'nothing.yaml'], 'There is no document at nothing.yaml'],
    [[api, '--nonsense'], "Unknown option '--nonsense'"],
  ];
  const runs = await Promise.all(cases.map(([args]) => refuse(args)));
  for (const [index, { code, stdout: out, stderr: err }] of runs.entries()) {
    expect(err).toContain(cases[index]?.[1]);
    expect(err).toMatch(/^petstore-twin dredd: .+\n$/);
    expect(out).toBe('');
    expect(code).toBe(2);
  }
});
