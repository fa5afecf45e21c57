import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { checksOfOneAnswer } from '../../contracts/checks/index.ts';
import { createMatchers } from '../../package/vitest.ts';
import { type DeploymentOptions, openDeployment } from '../../tools/lab/deployment.ts';
import { bearer, projectFile } from '../support/twin.ts';

async function startDeployment(options: DeploymentOptions = {}): Promise<string> {
  const { url, close } = await openDeployment(options);
  onTestFinished(close);
  return url;
}

const headers = bearer('k-free-1');

/** Returns what a matcher that fails says. */
async function messageOf(assertion: Promise<void>): Promise<string> {
  return assertion.then(
    () => 'it did not fail',
    (error: Error) => error.message,
  );
}

it('lets a response pass that keeps the contract, and leaves its body to be read', async () => {
  const api = await startDeployment();
  const list = await fetch(`${api}/pets?limit=3`, { headers });
  await expect(list).toKeepContract('listPets', { plan: 'free', strict: true });
  expect(await list.json()).toHaveLength(3);

  const body = JSON.stringify({ name: 'Ada', categoryId: 1 });
  const created = await fetch(`${api}/pets`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
  });
  await expect(created).toKeepContract('createPet', { sent: { body } });
  await expect(await fetch(`${api}/pets/999999`, { headers })).toKeepContract('getPet');
  await expect(fetch(`${api}/pets`)).resolves.toKeepContract('listPets');
});

it('fails in the words of the suite', async () => {
  const api = await startDeployment({
    mutate: () => ({
      answer: (_, answer) => ({
        ...answer,
        headers: { ...answer.headers, 'X-RateLimit-Remaining': '61' },
        body: [{ id: 7n, name: 'Rex\u001b[31m', categoryId: 'dogs' }],
      }),
    }),
  });
  expect(
    await messageOf(expect(await fetch(`${api}/pets`, { headers })).toKeepContract('listPets')),
  ).toMatchInlineSnapshot(`
    "This 200 of listPets fails 2 clauses of the contract.

      body-schema  §2, §4 (stated)
        listPets answers 200 with a body that breaks its schema: [0].categoryId is
        the string "dogs"; an integer is stated (§2)
        clause    A success body matches its schema: fields, types and values, in
                  every item of a list.
        expected  [0].categoryId: an integer
        got       [0].categoryId: "dogs"

      rate-limit-form  §8 (stated)
        listPets shows more requests left than the limit allows
        clause    The rate-limit headers are whole numbers, and Remaining is not
                  above Limit.
        expected  at most 60
        got       X-RateLimit-Remaining: 61 (on a 200)"
  `);
});

it('fails for a broken RFC when strict', async () => {
  const api = await startDeployment({
    mutate: () => ({
      answer: (_, { headers: { 'WWW-Authenticate': _challenge, ...others }, ...answer }) => ({
        ...answer,
        headers: others,
      }),
    }),
  });
  const response = await fetch(`${api}/pets`);
  await expect(response).toKeepContract('listPets');
  expect(
    await messageOf(expect(response).toKeepContract('listPets', { strict: true })),
  ).toMatchInlineSnapshot(`
    "This 401 of listPets fails 1 clause of the contract.

      challenge  RFC 9110 §11.6.1, RFC 6750 §3 (standard)
        listPets answers 401 without WWW-Authenticate
        clause    A 401 carries WWW-Authenticate with a challenge.
        expected  WWW-Authenticate: Bearer realm="..."
        got       no WWW-Authenticate"
  `);
});

it('fails either way for what it cannot judge', async () => {
  const message =
    '"listPet" is not an operation of Pet Store Service. Its operations are listPets, createPet, getPet, listOrders.';
  expect(await messageOf(expect(new Response()).toKeepContract('listPet'))).toBe(message);
  expect(await messageOf(expect(new Response()).not.toKeepContract('listPet'))).toBe(message);
  expect(await messageOf(expect([]).not.toKeepContract('listPets'))).toContain('Only a Response');
});

it('judges by another document', async () => {
  const { toKeepContract } = createMatchers({ spec: projectFile('tests/support/shelters.yaml') });
  const { pass, message } = await toKeepContract(
    new Response('[]', { status: 200 }),
    'listShelters',
  );
  expect({ pass, message: message() }).toMatchInlineSnapshot(`
    {
      "message": "This 200 of listShelters fails 1 clause of the contract.

      media-type  #/paths/~1shelters/get (stated)
        listShelters sends the body of a 200 as text/plain
        clause    A response body has a media type that the document states for it.
        expected  Content-Type: application/json
        got       Content-Type: text/plain;charset=UTF-8",
      "pass": false,
    }
  `);
});

it('names in its documentation each check that it holds', () => {
  const text = readFileSync(projectFile('package/vitest.ts'), 'utf8');
  for (const { id } of checksOfOneAnswer) expect(text).toContain(`\`${id}\``);
});
