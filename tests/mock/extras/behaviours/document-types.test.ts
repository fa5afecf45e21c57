import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createTypesCommand } from '../../../../contracts/types/command.ts';
import { capture } from '../../../support/capture.ts';
import { makeFolder } from '../../../support/make-folder.ts';
import { projectFile } from '../../../support/twin.ts';

const module = JSON.stringify(projectFile('mock/extras/behaviours/define.ts'));

/**
 * Returns what the compiler says of a module beside the types of a document, a line for each error.
 */
async function compile(code: string, spec = 'tests/mock/extras/behaviours/shop.yaml') {
  const folder = makeFolder();
  vi.stubEnv('PATH', projectFile('tools/openapi-types/node_modules/.bin'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const args = ['--spec', projectFile(spec), '--out', join(folder, 'api.d.ts')];
  const context = { env: {}, command: 'types' };
  expect(await capture(() => createTypesCommand()(args, context))).toMatchObject({ code: 0 });
  writeFileSync(
    join(folder, 'behaviours.mts'),
    `import { defineBehaviours } from ${module};\n${code}`,
  );
  const compilerOptions = { noEmit: true, types: [], allowImportingTsExtensions: true };
  const config = {
    extends: projectFile('tsconfig.json'),
    compilerOptions,
    files: ['behaviours.mts'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...config, include: [] }));
  const compiler = projectFile('node_modules/typescript/bin/tsc');
  return new Promise<string[]>((resolve) => {
    execFile(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], (_, out) =>
      resolve(out.split('\n').filter((line) => /^\S/.test(line))),
    );
  });
}

it('compiles behaviours that do what the document says', async () => {
  const errors = await compile(`
    import type { operations, paths } from './api.d.ts';
    export default defineBehaviours<paths, operations>({
      tasks: { deliver: async ({ order }, { items }) => void (await items('orders').remove(order)) },
      listOrders: async ({ query, next }) => (await next()).slice(0, query.limit ?? 10),
      async createOrder({ body, headers, items, next, after, reply }) {
        const agent: string | undefined = headers['user-agent'];
        if (agent === undefined) return reply.error(503, 'no_agent', 'Say who you are.');
        const pet = await items('pets').get(body.petId);
        if (pet?.status !== 'available') return reply(409, { code: 'pet_not_available' });
        const order = await next();
        const quantity: number | undefined = order.quantity;
        after({ days: 1 }, 'deliver', { order: order.id });
        return { ...order, quantity: quantity ?? 1 };
      },
      async 'POST /orders/{orderId}/cancel'({ params, body, reply }) {
        const [id, reason]: [string, string | undefined] = [params.orderId, body?.reason];
        if (id === reason) return reply(418, { code: 'odd' });
      },
    });
    export const byPaths = defineBehaviours<paths>({
      'POST /orders': ({ body }) => ({ id: 'o1', petId: body.petId }),
      'GET /orders': ({ reply }) => reply(200, []),
    });
  `);
  expect(errors).toEqual([]);
});

it('compiles none that do what the document does not say', async () => {
  const errors = await compile(`
    import type { operations, paths } from './api.d.ts';
    // @ts-expect-error No operation is called so.
    defineBehaviours<paths, operations>({ createOder: () => undefined });
    // @ts-expect-error That path has no such method.
    defineBehaviours<paths>({ 'DELETE /orders': () => undefined });
    // @ts-expect-error An operationId needs the operations too.
    defineBehaviours<paths>({ createOrder: () => undefined });
    // @ts-expect-error An order needs an id.
    defineBehaviours<paths, operations>({ createOrder: ({ body }) => ({ petId: body.petId }) });
    // @ts-expect-error The same, when it comes later.
    defineBehaviours<paths, operations>({ createOrder: async () => ({ petId: 7 }) });
    defineBehaviours<paths, operations>({
      createOrder({ body, params, query, reply }) {
        // @ts-expect-error The body has no such property.
        body.pet;
        // @ts-expect-error The path has no parameter.
        params.orderId;
        // @ts-expect-error The operation has no parameter in its query.
        query.limit;
        // @ts-expect-error The status is not documented.
        reply(418);
        // @ts-expect-error Nor is that of the error.
        reply.error(404, 'not_found', 'There is no such pet.');
        // @ts-expect-error What is wrong has a code.
        return reply(409, { message: 'sold' });
      },
      'POST /orders/{orderId}/cancel': ({ body, params, reply }) => {
        // @ts-expect-error The body may be left out.
        body.reason;
        // @ts-expect-error It is called orderId.
        params.id;
        // @ts-expect-error Success has no content.
        return reply(204, { id: 'o1' });
      },
    });
  `);
  expect(errors).toEqual([]);
});

it('compiles what it knows nothing of', async () => {
  const errors = await compile(`
    import type { operations, paths } from './api.d.ts';
    export default defineBehaviours({
      tasks: { deliver: ({ order }, { items }) => items('orders').patch(order, { status: 'sent' }) },
      async createOrder({ body, params, query, items, next, reply }) {
        if (body.petId === params.id) return reply.error(409, 'taken', 'It is taken.');
        const order = await next();
        await items('pets').patch(body.petId, { status: query.status });
        return { ...order, more: true };
      },
      'GET /any': ({ reply }) => reply(299, 'text', { 'X-Any': '1' }),
    });
  `);
  expect(errors).toEqual([]);
});

it('takes the types of documents without operationIds, and of the built-in one', async () => {
  const code = `
    import type { operations, paths } from './api.d.ts';
    defineBehaviours<paths, operations>({ 'GET /a': () => ({ b: 1 }) });
    // @ts-expect-error There is no such operation.
    defineBehaviours<paths, operations>({ getA: () => ({ b: 1 }) });
  `;
  expect(await compile(code, 'tests/mock/extras/behaviours/bare.yaml')).toEqual([]);
  const pets = `
    import type { operations, paths } from './api.d.ts';
    defineBehaviours<paths, operations>({
      createPet: async ({ body, next }) => ({ ...(await next()), status: body.status ?? 'sold' }),
      // @ts-expect-error It is no status of a pet.
      getPet: async ({ next }) => ({ ...(await next()), status: 'lost' }),
    });
  `;
  expect(await compile(pets, 'contracts/openapi.yaml')).toEqual([]);
});
