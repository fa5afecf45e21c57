import { expect, it } from 'vitest';
import { bearer, startTwin } from './support/twin.ts';

it('lists the first 20 animals in order of creation', async () => {
  const { api } = await startTwin();
  const response = await fetch(`${api}/pets`, { headers: bearer('demo-pro') });
  expect(response.status).toBe(200);
  const pets = (await response.json()) as { id: number }[];
  expect(pets.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});
