import { expect, it } from 'vitest';
import { UsageError } from '../../../../common/cli/usage-error.ts';
import { orRefusal } from '../../../../mock/extras/admin/refusal.ts';
import { createMcpHandlers } from '../../../../mock/extras/mcp/mcp-handlers.ts';
import { loadSdk } from '../../../../mock/extras/mcp/server.ts';
import { faultNames } from '../../../../mock/faults/fault-rules.ts';
import { windows } from '../../../../mock/limits/windows.ts';
import { createTwins } from '../../../../package/twin.ts';
import { connectHttp } from '../../../support/mcp-client.ts';
import { bearer, projectFile, startTwin } from '../../../support/twin.ts';

it('tells which tools only read, and describes each argument', async () => {
  const { origin } = await startTwin();
  const { client } = await connectHttp(origin);
  const { tools } = await client.listTools();
  expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
    ['describe_api', true],
    ['call_operation', false],
    ['why', true],
    ['set_response', false],
    ['break_it', false],
    ['time', false],
    ['data', false],
    ['verify', false],
    ['suggest_overlay', true],
    ['fidelity', true],
  ]);
  const described = tools.flatMap(({ inputSchema }) => Object.values(inputSchema.properties ?? {}));
  expect(described.filter((one) => !('description' in one))).toEqual([]);
  expect(client.getInstructions()).toContain('describe_api');
  const { properties } = tools.find(({ name }) => name === 'break_it')?.inputSchema ?? {};
  expect(properties?.fault).toMatchObject({ enum: faultNames });
  expect(properties?.window).toMatchObject({ enum: windows.map(({ per }) => per) });
});

it('needs the token of the admin', async () => {
  const { origin } = await startTwin({ adminToken: 's3cret' });
  await expect(connectHttp(origin)).rejects.toThrow('The admin needs its token');
  const { ask } = await connectHttp(origin, bearer('s3cret'));
  expect(await ask('time', { action: 'show' })).toContain('and runs');
});

it('speaks for the sandbox whose admin it belongs to', async () => {
  const { origin } = await startTwin();
  const { ask } = await connectHttp(`${origin}/sandboxes/ci`);
  expect(await ask('describe_api')).toContain(`at ${origin}/sandboxes/ci/v1`);
  await ask('call_operation', { operation: 'createPet', body: { name: 'Rex', categoryId: 1 } });
  const other = await connectHttp(origin);
  const list = { action: 'list', collection: 'pets' };
  expect(await ask('data', list)).toContain('121 items');
  expect(await other.ask('data', list)).toContain('120 items');
});

it('speaks for the API of a port of its own, and for the first one at the root', async () => {
  const spec = (name: string) => projectFile(`examples/many/${name}.yaml`);
  await using twins = await createTwins({
    apis: { users: spec('users'), orders: { spec: spec('orders'), port: 0 } },
  });
  const list = (await (await fetch(`${twins.origin}/`)).json()) as { apis: { origin: string }[] };
  const own = list.apis[1]?.origin ?? '';
  const { ask } = await connectHttp(own);
  expect(await ask('describe_api')).toContain(`Orders 2.0 at ${own}\n`);
  expect(await ask('call_operation', { operation: 'listOrders' })).toContain('Status: 200');
  const first = await connectHttp(twins.origin);
  expect(await first.ask('describe_api')).toContain(`Users 1.0 at ${twins.origin}/users/v1\n`);
});

it('reads no file for a caller from elsewhere', async () => {
  const { origin } = await startTwin({ host: '0.0.0.0', adminToken: 's3cret' });
  const { ask, refused } = await connectHttp(
    origin.replace('0.0.0.0', '127.0.0.1'),
    bearer('s3cret'),
  );
  expect(await ask('suggest_overlay')).toContain('listOrders');
  expect(await refused('fidelity', { recordings: ['/etc/passwd'] })).toMatch(
    /^Files and deployments are those of your machine: run "petstore-twin mcp --url http:.+" there\.$/,
  );
});

it('says what to install where the SDK is missing', async () => {
  const missing = async () => {
    throw Object.assign(new Error(), { code: 'ERR_MODULE_NOT_FOUND' });
  };
  await expect(loadSdk(missing)).rejects.toThrow(UsageError);
  const { callMcp } = createMcpHandlers({ keys: [] } as never, () => loadSdk(missing));
  expect(await orRefusal(() => callMcp?.({ response: { req: {} } } as never))).toMatchObject({
    status: 501,
    error: {
      code: 'not_installed',
      message: expect.stringMatching(/^MCP needs .+ npm install --save-dev @modelcontext/),
    },
  });
});
