import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { capture } from '../../../support/capture.ts';
import { useRepeatedRuns } from '../../../support/repeated-runs.ts';
import { serveMock } from '../../../support/run-mock.ts';
import { projectFile } from '../../../support/twin.ts';
import { callerOf, copyExample, serveShop, writeFiles } from './serve-shop.ts';

const runAgain = useRepeatedRuns('mock');
const shop = projectFile('examples/shop/openapi.yaml');

/** A mock of the shop as a process, what calls it, and what it logged. */
async function startShop(file: string, ...more: string[]) {
  const { stdout, child } = await serveMock(['--spec', shop, '--behaviours', file, ...more]);
  const logged = { text: '' };
  child.stderr?.on('data', (text) => (logged.text += text));
  const [url = ''] = /http\S+\/v1/.exec(stdout) ?? [];
  return { stdout, logged, call: callerOf({ url, key: () => 'demo-free' }) };
}

const lineOf = (logged: { text: string }) =>
  expect.poll(() => logged.text, { timeout: 20_000, interval: 50 });

const prices = `export function priceOf(name: string): string { return name + ' for 1'; }`;
const pricing = `import { priceOf } from './prices.ts';
import { sep } from 'node:path';
export default {
  createPet({ body, next }: { body: { name: string }; next: () => Promise<unknown> }) {
    body.name = priceOf(body.name) + sep.length;
    return next();
  },
};
`;
const pet = { name: 'Rex', status: 'sold' };

it('finds the package where no project has it', async () => {
  const file = await writeFiles({
    'own.ts': `import { defineBehaviours } from 'petstore-twin';
      export default defineBehaviours({ listOrders: () => [] });`,
  });
  const { stdout, call } = await startShop(file);
  expect(stdout).toContain(`Code   1 behaviour from ${file}\n`);
  expect((await call('GET /orders')).body).toEqual([]);
});

it('loads TypeScript as a process, says so at the start, and takes changes of it and of its imports', async () => {
  const file = await writeFiles({ 'pricing.ts': pricing, 'prices.ts': prices });
  const { stdout, logged, call } = await startShop(file, '--watch');
  expect(stdout).toContain(`Code   1 behaviour from ${file}\n`);
  const nameNow = async () => (await call('POST /pets', pet)).body.name;
  expect(await nameNow()).toBe('Rex for 11');
  const save = (name: string, text: string) => writeFile(join(dirname(file), name), text);

  await save('prices.ts', prices.replace('for 1', 'for 2'));
  await lineOf(logged).toContain('Reloaded behaviours. Stored items stay.');
  expect(await nameNow()).toBe('Rex for 21');
  expect((await call('GET /pets/6')).body.name).toBe('Rex for 11');

  await save('pricing.ts', pricing.replace('sep.length', 'sep length'));
  await lineOf(logged).toMatch(
    /Not reloaded; the previous version is still served\. The behaviours at \S+pricing\.ts:5 cannot be loaded: /,
  );
  expect(await nameNow()).toBe('Rex for 21');

  await save('pricing.ts', pricing.replace('sep.length', '3'));
  await lineOf(logged).toMatch(/Not reloaded(.|\n)*Reloaded behaviours\./);
  expect(await nameNow()).toBe('Rex for 23');

  await save('prices.ts', `throw new Error('not now');\n${prices}`);
  await lineOf(logged).toMatch(/The behaviours at \S+prices\.ts:1 cannot be loaded: not now/);
  await save('prices.ts', prices);
  await lineOf(logged).toMatch(/not now(.|\n)*Reloaded/);
  expect(await nameNow()).toBe('Rex for 13');
  expect((await call('GET /pets')).body).toHaveLength(10);
});

it('ends a call on the behaviours that it began with, and stores what it changes', async () => {
  const file = await writeFiles({ 'slow.ts': '' });
  const gate = join(dirname(file), 'gate');
  const slow = `import { existsSync } from 'node:fs';
export default {
  async createPet({ next, body }: { next: () => unknown; body: { name: string } }) {
    body.name = 'old';
    while (!existsSync('${gate}')) await new Promise((done) => setTimeout(done, 20));
    return next();
  },
};`;
  await writeFile(file, slow);
  const { logged, call } = await startShop(file, '--watch');
  const held = call('POST /pets', pet);
  await writeFile(file, 'export default { listOrders: () => [] };');
  await lineOf(logged).toContain('Reloaded behaviours.');
  expect((await call('POST /pets', pet)).body.name).toBe('Rex');
  await writeFile(gate, '');
  expect((await held).body.name).toBe('old');
  const names = (await call('GET /pets')).body.map(({ name }: { name: string }) => name);
  expect(names.toSorted()).toEqual(expect.arrayContaining(['Rex', 'old']));
  expect((await call('GET /orders')).body).toEqual([]);
});

it('goes on where code fails that no call waits for, in one line', async () => {
  const file = await writeFiles({
    'careless.mjs': `export default {
  createPet({ next }) {
    Promise.reject(new Error('nobody waits'));
    setTimeout(() => { throw new Error('too late'); });
    return next();
  },
};`,
  });
  const { logged, call } = await startShop(file);
  expect((await call('POST /pets', pet)).status).toBe(201);
  await lineOf(logged).toMatch(/careless\.mjs:3 failed outside of its call: nobody waits\n/);
  await lineOf(logged).toMatch(/careless\.mjs:4 failed outside of its call: too late\n/);
  expect(logged.text).not.toContain('    at ');
  expect((await call('POST /pets', pet)).status).toBe(201);
});

it.each([
  ['export default { createPet() { return 1 } ', /cannot be loaded: /],
  ['export const a = 1;', /must give an object of behaviours: export default defineBehaviours/],
  ['throw new Error("at once");', /behaviours\.ts:1 cannot be loaded: at once/],
  ["import './gone.ts';\nexport default {};", /cannot be loaded: Cannot find module/],
  ['enum A { b }\nexport default {};', /cannot be loaded: .*enum/],
  ['export default { creatPet() {} };', /Did you mean "createPet"\?/],
])('does not start with %j', async (text, problem) => {
  const file = await writeFiles({ 'behaviours.ts': text });
  const { code, stderr } = await runAgain(['--port', '0', '--spec', shop, '--behaviours', file]);
  expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
  expect(stderr).toMatch(problem);
});

it('does not start with a file that is missing', async () => {
  const { code, stderr } = await runAgain(['--port', '0', '--behaviours', 'gone.ts']);
  const problem = /^petstore-twin: --behaviours \S+gone\.ts cannot be read: ENOENT\.\n$/;
  expect([code, stderr]).toEqual([2, expect.stringMatching(problem)]);
});

it('names the line of the file on which a behaviour is, and that of a reply', async () => {
  const file = await writeFiles({
    'wrong.ts': `export default {
  async createOrder({ reply }: { reply: any }) {
    return reply(201,
      { id: 1 });
  },
  'GET /pets': () => 5,
};`,
  });
  const { call } = await serveShop(file);
  expect((await call('POST /orders', { petId: 1 })).body.message).toMatch(/wrong\.ts:3\) failed\./);
  expect((await call('GET /pets')).body.message).toMatch(/GET \/pets \(\S+wrong\.ts:6\) failed\./);
});

it('explains which operations have behaviours', async () => {
  const file = await copyExample();
  const { runCommand } = await import('../../../../mock/explain/command.ts');
  const args = [shop, '--behaviours', file, '--json'];
  const { code, out } = await capture(() => runCommand(args, { env: {}, command: '' }));
  expect(code).toBe(0);
  const { operations } = JSON.parse(out);
  const own = operations.filter((one: { behaviour?: string }) => one.behaviour);
  const lines = (await readFile(file, 'utf8')).split('\n');
  const ids = own.map((one: { id: string }) => one.id);
  expect(ids).toEqual(['createOrder', 'cancelOrder']);
  for (const { id, behaviour } of own)
    expect(lines[Number(behaviour.split(':').at(-1)) - 1]).toContain(`async ${id}(`);
});

it('loads nothing of it in a twin without behaviours', async () => {
  const hook = `import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) { process.stderr.write(url + '\\n'); return next(url, context); } });`;
  const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`];
  const seen = { text: '' };
  const onError = (text: string) => (seen.text += text);
  const own = await serveMock(['--disable-banner'], { nodeArgs, onError });
  const headers = { Authorization: 'Bearer demo-free' };
  expect((await fetch(`${own.stdout.trim()}/pets`, { headers })).status).toBe(200);
  expect(seen.text).toContain('/mock/call/steps.ts');
  expect(seen.text).not.toContain('extras/behaviour');
});
