import { expect, it } from 'vitest';
import { usePages } from '../../../support/open-page.ts';
import { describeWithRedis, startRedis } from '../../../support/redis-server.ts';
import { startReplica } from '../../../support/replicas.ts';

const openPage = usePages();

describeWithRedis('the console of a twin on Redis', () => {
  it('says that the store is gone while it is, and is live again with it', async () => {
    const server = await startRedis();
    const replica = await startReplica({ store: server.url });
    await replica.send('GET', '/pets?first');
    const { page } = await openPage(`${replica.origin}/__admin/console`);
    const connection = page.locator('.connection');
    const row = (text: string) => page.getByRole('row', { name: new RegExp(text) });
    await row('first').waitFor();
    await connection.getByText('Live', { exact: true }).waitFor();
    await server.kill();
    const problem = `The store at ${server.url} cannot be reached`;
    await connection.getByText(problem).waitFor();
    expect(await page.getByText('Live', { exact: true }).count()).toBe(0);
    await server.restart();
    await connection.getByText('Live', { exact: true }).waitFor();
    await replica.send('GET', '/pets?second');
    await row('second').waitFor();
  });
});
