import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { toByteText } from '../../mock/json/exact-json.ts';
import { createLog } from '../../mock/log.ts';
import { parseConfig } from '../../mock/settings/config.ts';
import { addCounted } from '../../mock/state/store.ts';
import { openTwin } from '../../mock/twin.ts';
import { type Goal, median, toCount, toTable } from './figures.ts';

const many = 1000;

/**
 * Measures the cost of a sandbox for several numbers of initial animals: time to create it, and
 * memory retained.
 */
export async function measureSandboxes(rounds: number): Promise<Goal[]> {
  const sizes = [120, 100_000];
  const figures: Figures[] = [];
  for (const pets of sizes) figures.push(await measure(pets, rounds));
  const line = (name: string, field: keyof Figures, unit: string) => [
    name,
    ...figures.map((one) => `${one[field].toFixed(1)} ${unit}`),
  ];
  console.log(
    `${toTable([
      [
        `a sandbox, mean of ${toCount(many)}`,
        ...sizes.map((pets) => `of ${toCount(pets)} animals`),
      ],
      line('time to make it', 'microseconds', 'µs'),
      line('memory', 'kilobytes', 'KB'),
      line('memory once an animal was added and counted', 'usedKilobytes', 'KB'),
    ])}\n`,
  );
  const worst = (field: keyof Figures) => Math.max(...figures.map((one) => one[field]));
  return [
    { what: 'sandbox: time to make it', measured: worst('microseconds'), max: 1000, unit: ' µs' },
    { what: 'sandbox: memory', measured: worst('kilobytes'), max: 8, unit: ' KB' },
    { what: 'sandbox: memory once used', measured: worst('usedKilobytes'), max: 10, unit: ' KB' },
  ];
}

type Figures = { microseconds: number; kilobytes: number; usedKilobytes: number };

async function measure(pets: number, rounds: number): Promise<Figures> {
  const { config } = parseConfig(
    ['--port', '0', '--pets', String(pets), '--max-sandboxes', String(many)],
    {},
  );
  if (!config) throw new Error('There is no configuration.');
  const { app, close } = await openTwin(config, { log: createLog('silent') });
  const { sandboxes, served } = app;
  const [key] = served.keys;
  if (!key) throw new Error('There is no key.');
  const names = Array.from({ length: many }, (_, index) => `sandbox-${index}`);
  const figures: Record<keyof Figures, number[]> = {
    microseconds: [],
    kilobytes: [],
    usedKilobytes: [],
  };
  for (let round = 0; round <= rounds; round++) {
    sandboxes.deleteAll();
    await nextTurn();
    const before = keptMemory();
    const start = performance.now();
    for (const name of names) sandboxes.get(name);
    const milliseconds = performance.now() - start;
    const made = keptMemory();
    for (const name of names) {
      const { store, limiter } = sandboxes.get(name);
      limiter.take(key);
      await addCounted(store, 'pets', (n) => ({
        id: String(n),
        json: toByteText(`{"id":${n},"name":"${name}"}`),
        filters: { status: 'sold' },
      }));
    }
    const used = keptMemory();
    // The first round finds code that is not compiled yet.
    if (round === 0) continue;
    figures.microseconds.push((milliseconds / many) * 1000);
    figures.kilobytes.push((made - before) / many / 1024);
    figures.usedKilobytes.push((used - before) / many / 1024);
  }
  await close();
  const { microseconds, kilobytes, usedKilobytes } = figures;
  return {
    microseconds: median(microseconds),
    kilobytes: median(kilobytes),
    usedKilobytes: median(usedKilobytes),
  };
}

/** Bytes of the heap after a full collection. */
function keptMemory(): number {
  setFlagsFromString('--expose-gc');
  const collect: (options: object) => void = runInNewContext('gc');
  collect({ type: 'major', flavor: 'last-resort' });
  return process.memoryUsage().heapUsed;
}
