import { documentWithCategoryFilter, twin } from './contenders.ts';
import { type Goal, median, ratio, toCount, toTable } from './figures.ts';
import type { LoadGenerator, Measure } from './load.ts';
import {
  collectsOnSignal,
  credentials,
  type ServerProcess,
  startServer,
} from './server-process.ts';
import { measureRounds, type Rounds } from './speed.ts';

const rareCategory = 77;
const rareAnimals = 100;

/**
 * The twin with few and with many animals, side by side; the rare value is that of the 100 animals
 * created last.
 */
export async function compareSizes(
  load: LoadGenerator,
  { few, many, ...rounds }: Rounds & { few: number; many: number },
): Promise<Goal[]> {
  const sizes = [few, many].map((pets) => ({ pets, name: `${toCount(pets)} animals` }));
  const spec = documentWithCategoryFilter();
  const servers: ServerProcess[] = [];
  for (const { pets, name } of sizes)
    servers.push(await startServer(twin(name, ['--spec', spec, '--pets', String(pets)])));
  const table = [['requests a second, median', ...servers.map(({ name }) => name)]];
  const goals: Goal[] = [];
  for (const { api } of servers) await createRareAnimals(api);
  const measures: Measure[] = [
    { name: 'list', path: '/pets' },
    { name: 'list 100 of a rare value', path: `/pets?limit=100&categoryId=${rareCategory}` },
    { name: 'read one', path: `/pets/${few}` },
  ];
  for (const measure of measures) {
    const perSecond = await measureRounds(servers, load, measure, rounds);
    const [ofFew = [], ofMany = []] = sizes.map(({ name }) => perSecond[name]);
    table.push([measure.name, toCount(median(ofFew)), toCount(median(ofMany))]);
    goals.push({
      what: `${measure.name}: ${toCount(many)} to ${toCount(few)} animals`,
      measured: ratio(ofMany, ofFew),
      min: 0.9,
    });
  }
  for (const server of servers) await server.stop();
  console.log(`${toTable(table)}\n`);
  return goals;
}

async function createRareAnimals(api: string): Promise<void> {
  const body = JSON.stringify({ name: 'Rare', categoryId: rareCategory, status: 'sold' });
  for (let made = 0; made < rareAnimals; made++)
    await fetch(`${api}/pets`, {
      method: 'POST',
      headers: { ...credentials, 'Content-Type': 'application/json' },
      body,
    });
  const found = await fetch(`${api}/pets?limit=100&categoryId=${rareCategory}`, {
    headers: credentials,
  });
  const { length } = (await found.json()) as unknown[];
  if (length !== rareAnimals)
    throw new Error(`The twin lists ${length} rare animals instead of ${rareAnimals}.`);
}

/** The memory that the twin keeps over many requests, lists and reads in turn. */
export async function watchMemory(load: LoadGenerator, requests: number): Promise<Goal[]> {
  const contender = twin();
  const server = await startServer({
    ...contender,
    args: (port) => [...collectsOnSignal, ...contender.args(port)],
  });
  const measures: Measure[] = [
    { name: 'list', path: '/pets?limit=100&status=sold' },
    { name: 'read one', path: '/pets/1' },
  ];
  const table = [['requests', 'memory']];
  const send = async (count: number) => {
    for (let sent = 0, turn = 0; sent < count; turn++) {
      const outcome = await load.run(server.api, measures[turn % measures.length] as Measure, 2);
      sent += outcome.requests;
    }
    const memory = await server.memory();
    table.push([`${toCount(count)} more`, `${toCount(memory)} MB`]);
    process.stderr.write(`memory, ${toCount(count)} more requests\n`);
    return memory;
  };
  const warm = await send(requests / 10);
  await send(requests / 2);
  const end = await send(requests / 2);
  console.log(`${toTable(table)}\n`);
  await server.stop();
  return [
    { what: `memory after ${toCount(requests)} requests to warm`, measured: end / warm, max: 1.1 },
  ];
}
